/** What the object answers that `/health` asks. It is no machine's: it knows how many parked rows the machines have. */
export interface HealthObject {
  health(): Promise<{ parkedRows: number }>;
  noteParked(machineId: number, rows: number): Promise<void>;
}

export function healthObject(env: Env): HealthObject {
  return env.MACHINES.getByName("health") as unknown as HealthObject;
}
