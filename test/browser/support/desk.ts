import { expect } from "vitest";
import { dayOf } from "../../../src/board/domain/days.ts";
import type { TestApp } from "./app.ts";
import type { Company, TestMachine } from "./company.ts";
import type { Screen } from "./screen.ts";

const HOUR = 3_600_000;

/** A plant with stops. */
export interface StoppedPlant {
  company: Company;
  press: TestMachine;
  lathe: TestMachine;
  jam: { id: number; name: string };
  /** The day on which the running shift started. */
  shiftDay: string;
  /** The day that has the middle of that shift, and so at least two of its hours: `shiftDay` has one, if the shift started at 23:00. */
  middleDay: string;
  /** The stops of the press, oldest first. */
  stops: { id: number; startTime: string; endTime: string }[];
}

/** A press that stopped twice in the last two hours, for 20 and for 10 minutes, and a lathe that ran all the time; one has no rate. */
export async function stoppedPlant(app: TestApp, timezone = "UTC", shift: object = {}): Promise<StoppedPlant> {
  const company = await app.company({ name: "Söhne & <b>Töchter</b>", timezone });
  const shiftDay = dayOf(Date.now() - 4 * HOUR, timezone);
  const middleDay = dayOf(Date.now() - 2 * HOUR, timezone);
  await company.shift(shift);
  const press = await company.machine("Press <i>1</i>", { hourlyRate: 90, noDataAfterSeconds: null });
  const lathe = await company.machine("Lathe 1");
  const jam = await company.cause("Jam <u>in</u> feeder");
  await company.cause("Setup", { isProgrammed: true });
  await company.ingest([
    ...[...company.counts(press, 120, 90), ...company.counts(press, 70, 40), ...company.counts(press, 30, 0)],
    ...company.counts(lathe, 120, 0),
  ]);
  const closed = async () => {
    const { data } = await company.send("GET", `/v1/stops?machineIds=${press.id}&isOpen=false`);
    return data.filter(({ durationInMinutes }: { durationInMinutes: number }) => durationInMinutes < 21).reverse();
  };
  // They appear in the lists within seconds.
  for (const until = Date.now() + 30_000; Date.now() < until; await new Promise((done) => setTimeout(done, 500))) {
    const stops = await closed();
    if (stops.length === 2) return { company, press, lathe, jam, shiftDay, middleDay, stops };
  }
  throw new Error("The press has not its two stops after 30 s");
}

/** Opens a path of the desk as the admin of a company. */
export async function openDesk(app: TestApp, company: Company, path: string, locale = "en-GB"): Promise<Screen> {
  const screen = await app.screen({ locale });
  await screen.enterAs(company);
  await screen.page.goto(path);
  await shown(screen);
  return screen;
}

/** Waits until a view of the desk has loaded everything. */
export async function shown({ page }: Screen): Promise<void> {
  await page.locator(".card, .empty").first().waitFor();
  await expect.poll(() => page.locator(".card-wait, [aria-busy=true]").count(), { timeout: 120_000 }).toBe(0);
}
