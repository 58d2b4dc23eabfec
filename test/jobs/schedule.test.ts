import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import service from "../../src/index.ts";
import { schedule } from "../../src/jobs/schedule.ts";
import config from "../../wrangler.toml?raw";
import { confirmAllMachines } from "../support/machines.ts";

const everyMinute = createScheduledController({ cron: "* * * * *", scheduledTime: 60_000 });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the schedule", () => {
  it("has jobs for each cron of the service, and no other", () => {
    const crons = /crons = (\[.*\])/.exec(config)?.[1] ?? "";
    expect(JSON.parse(crons)).toEqual(Object.keys(schedule));
  });

  it("fails for a cron that has no job", async () => {
    const controller = createScheduledController({ cron: "0 0 * * *" });
    await expect(service.scheduled(controller, env)).rejects.toThrow('No job runs at the cron "0 0 * * *".');
  });

  it("sends a message for each job of a cron", async () => {
    const sent: unknown[] = [];
    const JOBS = { sendBatch: async (messages: { body: unknown }[]) => sent.push(...messages.map(({ body }) => body)) };
    await service.scheduled(everyMinute, { ...env, JOBS } as never);
    expect(sent).toEqual(schedule["* * * * *"]?.map((job) => ({ queue: "JOBS", job, at: 60_000 })));
  });

  it("does the jobs in place if the queue does not take them, each even if another one fails", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await confirmAllMachines();
    const JOBS = { sendBatch: () => Promise.reject(new Error("the queue is away")) };
    const read: string[] = [];
    const DB_0 = {
      withSession: (start: string) => {
        const session = env.DB_0.withSession(start);
        return {
          prepare: (text: string) => {
            read.push(text);
            return session.prepare(text);
          },
          batch: () => Promise.reject(new Error("no batch works")),
          getBookmark: () => session.getBookmark(),
        };
      },
    };
    await service.scheduled(everyMinute, { ...env, JOBS, DB_0 } as never);
    for (const table of ["webhook_deliveries", "machines", "report_subscriptions", "alert_rules"]) {
      expect(
        read.some((text) => text.includes(table)),
        table,
      ).toBe(true);
    }
    const lines = errors.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ event: "jobs_in_place", cron: "* * * * *", error: "Error: the queue is away" });
    expect(lines.slice(1)).toMatchObject([
      { event: "job_failed", job: "sweep" },
      { event: "job_failed", job: "orders" },
    ]);
  });
});

it("a job that fails is logged, and not repeated: it comes again with its cron", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const message = {
    ...{ id: "1", timestamp: new Date(), attempts: 1, body: { queue: "JOBS", job: "forget", at: Date.now() } },
    ack: vi.fn(),
    retry: vi.fn(),
  };
  const batch = { queue: "andon-jobs", messages: [message] };
  const broken = { ...env, AUDIT_KEPT_DAYS: "some" };
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  await service.queue(batch as never, broken as never, createExecutionContext());
  expect(errors.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([{ event: "job_failed", job: "forget" }]);
  expect([message.ack.mock.calls.length, message.retry.mock.calls.length]).toEqual([1, 0]);
});
