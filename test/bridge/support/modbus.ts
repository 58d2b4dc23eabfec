import { createServer } from "node:net";
import { type FCallbackVal, ServerTCP } from "modbus-serial";
import { type ModbusConfig, modbusConfig } from "../../../bridge/src/sources/modbus/modbus.ts";

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** How a device answers a request: the registers or bits, a number for an exception, or nothing for ever. */
type Answer = (start: number, count: number, unit: number) => Promise<number[]> | number[] | number;

export interface Device {
  port: number;
  /** The requests so far: table, first register, number. */
  requests: { table: string; start: number; count: number; unit: number }[];
  connections(): number;
  stop(): Promise<void>;
}

/** A device: modbus-serial's own server, whose part in reading is another than that of its client. */
export async function startDevice(answers: { holding?: Answer; input?: Answer; coil?: Answer; discrete?: Answer }, on?: number) {
  const port = on ?? (await freePort());
  const requests: Device["requests"] = [];
  const ask = async (table: keyof typeof answers, start: number, count: number, unit: number) => {
    requests.push({ table, start, count, unit });
    const answer = await (answers[table]?.(start, count, unit) ?? 2);
    if (typeof answer === "number") throw { modbusErrorCode: answer };
    return answer;
  };
  const several = (table: keyof typeof answers) => (start: number, count: number, unit: number, done: FCallbackVal<number[]>) => {
    ask(table, start, count, unit).then(
      (values) => done(null, values),
      (error) => done(error, []),
    );
  };
  const register = (table: keyof typeof answers) => (start: number, unit: number, done: FCallbackVal<number>) => {
    several(table)(start, 1, unit, (error, values) => done(error, values[0] ?? 0));
  };
  const bit = (table: "coil" | "discrete") => (start: number, unit: number, done: FCallbackVal<boolean>) => {
    several(table)(start, 1, unit, (error, values) => done(error, values[0] === 1));
  };
  const server = new ServerTCP(
    {
      getMultipleHoldingRegisters: several("holding"),
      getMultipleInputRegisters: several("input"),
      getHoldingRegister: register("holding"),
      getInputRegister: register("input"),
      getCoil: bit("coil"),
      getDiscreteInput: bit("discrete"),
    },
    { host: "127.0.0.1", port },
  );
  await new Promise((resolve) => server.on("initialized", () => resolve(null)));
  let connections = 0;
  // Not in its types: the server of node:net below.
  (server as unknown as { _server: import("node:net").Server })._server.on("connection", () => {
    connections += 1;
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of server.socks.keys()) socket.destroy();
      server.close(() => resolve());
    });
  return { port, requests, connections: () => connections, stop };
}

/** Holding or input registers of a device by their addresses; what is not there is exception 2. */
export function registersOf(registers: Record<number, number>): Answer {
  return (start, count) => {
    const values = Array.from({ length: count }, (_, index) => registers[start + index]);
    return values.every((value) => value !== undefined) ? values : 2;
  };
}

export function configFor(port: number, signals: object[], members: object = {}): ModbusConfig {
  return modbusConfig.parse({
    id: "press-hall",
    type: "modbus",
    host: "127.0.0.1",
    port,
    every: "20ms",
    ...members,
    signal: signals.map((signal) => ({ machine: "P1", kind: "total", ...signal })),
  });
}
