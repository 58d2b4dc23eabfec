import { expect, it, vi } from "vitest";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../../support/clock.ts";
import { createUser } from "../../../support/factories.ts";
import { recordsOf } from "../../../support/machines.ts";
import { createRunningLine } from "../../../support/running-line.ts";

stopClockAtNoon();

it("the operators' minutes of a running shift go on while their machine stands still", async () => {
  const { companyId, machine, operator } = await createRunningLine();
  const { token } = await createUser(companyId, "readonly");
  const [record] = await recordsOf(machine.id);
  const minutes = async () => {
    const shifts = await call("GET", `/v1/operators/${operator.id}/shifts`, { token });
    const staff = await call("GET", `/v1/shift-records/${record?.id}/operators`, { token });
    const [{ downtime }] = shifts.body.data;
    expect(staff.body.data).toMatchObject([{ downtime }]);
    return downtime;
  };
  const before = await minutes();
  vi.setSystemTime(NOON + 10 * MINUTE);
  expect((await minutes()) - before).toBeCloseTo(10, 6);
  vi.setSystemTime(NOON + 3 * HOUR);
  expect((await minutes()) - before).toBeCloseTo(180, 6);
});
