import { parentPort, workerData } from "node:worker_threads";
import { type Ask, Sender } from "../overload/load.ts";

// Asks in a thread of its own: how long its answers take tells of the service, and not of what this process does to attack it.

const { url, asks } = workerData as { url: string; asks: Ask[] };
const sender = new Sender(url);
let i = 0;
const next = () => asks[i++ % asks.length] as Ask;

parentPort?.on("message", async (seconds: number) => {
  parentPort?.postMessage(await sender.closedLoop(1, seconds, next, 10));
});
