import { parentPort, workerData } from "node:worker_threads";
import { type Ask, Sender } from "../overload/load.ts";

// Sends requests from a separate thread: its response times measure the service, not this process's work on the attack.

const { url, asks } = workerData as { url: string; asks: Ask[] };
const sender = new Sender(url);
let i = 0;
const next = () => asks[i++ % asks.length] as Ask;

parentPort?.on("message", async (seconds: number) => {
  parentPort?.postMessage(await sender.closedLoop(1, seconds, next, 10));
});
