import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createNotification, createUser } from "../../../support/factories.ts";
import { listSuite, newestFirst } from "../../../support/lists.ts";

listSuite({
  path: "/v1/notifications",
  isOwn: true,
  createFive: (_, userId) => newestFirst((createdAt) => createNotification(userId, { createdAt })),
});

it("shows the caller's own, and which of them are read", async () => {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "readonly");
  const colleague = await createUser(companyId, "readonly");
  await createNotification(colleague.userId);
  const unread = await createNotification(userId, { createdAt: 2000 });
  const read = await createNotification(userId, { createdAt: 1000, readAt: 3000 });
  const ask = async (query: string) => (await call("GET", `/v1/notifications?${query}`, { token })).body.data;
  const [first, second] = await ask("");
  expect(first).toEqual({ id: unread.id, title: "Title", body: "Body", readAt: null, createdAt: new Date(2000).toISOString() });
  expect(second).toMatchObject({ id: read.id, readAt: new Date(3000).toISOString() });
  expect(await ask("isRead=false")).toEqual([first]);
  expect(await ask("isRead=true")).toEqual([second]);
  await call("PATCH", "/notifications/markRead", { token, body: { notificationIds: [unread.id] } });
  expect(await ask("isRead=false")).toEqual([]);
  expectProblem(await call("GET", "/v1/notifications?isRead=maybe", { token }), 400, "/query/isRead");
});
