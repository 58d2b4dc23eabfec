/** The methods of the object that `/health` calls. It belongs to no machine: it knows how many parked rows the machines have. */
export interface HealthObject {
  health(): Promise<{ parkedRows: number }>;
  noteParked(machineId: number, rows: number): Promise<void>;
}

export function healthObject(env: Env): HealthObject {
  return env.MACHINES.getByName("health") as unknown as HealthObject;
}
