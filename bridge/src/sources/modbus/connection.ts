import { connect, type Socket } from "node:net";
import ModbusRTU from "modbus-serial";
import type { Table } from "./address.ts";

/** What a device answers in place of values: it was reached, and has no such register, or cannot now. */
export class ModbusException extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exception ${code} (${exceptions[code] ?? "unknown"})`);
    this.code = code;
  }
}

/** No answer in time. The connection is closed then, so that what comes later cannot be taken for the answer to another request. */
export class NoAnswer extends Error {}

const exceptions: Record<number, string> = {
  1: "the device does not know this function",
  2: "the device has no such address",
  3: "the device refuses this number of registers",
  4: "the device failed",
  5: "the device needs more time",
  6: "the device is busy",
  10: "the gateway has no path to this unit id",
  11: "the device behind the gateway does not answer",
};

/** Of a gateway: nobody behind it has this unit id. */
export const noDevice: readonly number[] = [10, 11];

export interface Connection {
  /** The registers, or the bits as 0 and 1. One request at a time. */
  read(unit: number, table: Table, start: number, count: number): Promise<number[]>;
  isOpen(): boolean;
  close(): void;
}

/** Connects, or throws what the socket says. */
export async function openConnection(host: string, port: number, timeoutMs: number): Promise<Connection> {
  const socket = await openSocket(host, port, timeoutMs);
  const client = new ModbusRTU();
  await client.linkTCP(socket, { port });
  const read: Connection["read"] = (unit, table, start, count) =>
    answerOf(socket, timeoutMs, (done) => {
      const answered = (error: Error | null, answer?: { data: (number | boolean)[] }) =>
        // Bits come in whole bytes.
        done(error, answer?.data.slice(0, count).map(Number));
      if (table === "coil") client.writeFC1(unit, start, count, answered);
      else if (table === "discrete") client.writeFC2(unit, start, count, answered);
      else if (table === "holding") client.writeFC3(unit, start, count, answered);
      else client.writeFC4(unit, start, count, answered);
    });
  return { read, isOpen: () => !socket.destroyed, close: () => socket.destroy() };
}

function openSocket(host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const timer = setTimeout(() => socket.destroy(new NoAnswer(`no connection within ${timeoutMs} ms`)), timeoutMs);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    // It stays for the life of the socket: an error without a listener would end the program.
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/**
 * The answer to one request. Whatever is no answer of the protocol closes the socket, because what follows on it could not be trusted: the library
 * numbers its requests from 0 to 255 only.
 */
function answerOf(
  socket: Socket,
  timeoutMs: number,
  ask: (done: (error: (Error & { modbusCode?: number }) | null, values?: number[]) => void) => void,
): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      socket.off("close", onClose);
      act();
    };
    const onClose = () => settle(() => reject(new Error("the other side closed the connection")));
    const timer = setTimeout(() => {
      settle(() => reject(new NoAnswer(`no answer within ${timeoutMs} ms`)));
      socket.destroy();
    }, timeoutMs);
    socket.once("close", onClose);
    ask((error, values) =>
      settle(() => {
        if (values !== undefined && !error) return resolve(values);
        if (error?.modbusCode !== undefined) return reject(new ModbusException(error.modbusCode));
        reject(error ?? new Error("an answer without values"));
        socket.destroy();
      }),
    );
  });
}
