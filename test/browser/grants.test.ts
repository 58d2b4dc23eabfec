import { describe, expect, test } from "vitest";
import { access } from "../../src/board/texts/en/access.ts";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company, TestMachine } from "./support/company.ts";
import { languages, lookAt, someLooks } from "./support/looks.ts";
import type { Screen } from "./support/screen.ts";

const app = useApp();

/** The grant by which users may change stops. */
const STOPS_OF_USERS = "00000000-0000-4000-8000-000000000030";

/** The grants by which users and admins see the names of operators. */
const NAMES_OF_ADMINS = "00000000-0000-4000-8000-000000000142";
const NAMES_OF_USERS = "00000000-0000-4000-8000-000000000143";

/** A machine that is stopped without a cause, with an order in work, an operator, and a call for help. */
async function busyMachine(): Promise<{ company: Company; machine: TestMachine }> {
  const company = await app().company();
  await company.cause("Jam");
  const { Press: machine } = await company.plant({ Press: "stands" });
  if (!machine) throw new Error("there is a press");
  await company.send("POST", "/v1/skus", { id: "CUP", name: "Cup" });
  await company.send("POST", "/work-orders/production-full", {
    machines: [{ machineId: machine.id }],
    targets: [{ targetQuantity: 9, skuId: "CUP" }],
    workOrder: { priority: 1, source: "ERP", status: "Backlog", name: "Cups", code: "A-1" },
  });
  const [{ id: workOrderId }] = (await company.send("GET", "/v1/work-orders")).data;
  await company.send("POST", `/v1/machines/${machine.id}/run`, { skuId: "CUP", workOrderId });
  const operator = await company.send("POST", "/v1/operators", { name: "Olga Operator", code: "7777" });
  await company.send("POST", `/v1/machines/${machine.id}/sign-in`, { operatorId: operator.id });
  await company.send("POST", `/v1/machines/${machine.id}/help-calls`, { message: "A leak" });
  return { company, machine };
}

async function openTerminal(machine: TestMachine, account: { email: string; password: string }, query = ""): Promise<Screen> {
  const screen = await app().screen();
  await screen.page.goto(`/floor/${machine.id}${query}`);
  await screen.signIn(account);
  await screen.page.locator(".floor-left h2").waitFor();
  await screen.page.getByText("A leak").waitFor();
  return screen;
}

describe.skipIf(!hasBrowser)("what the user's role may not do", () => {
  test("a reader sees a terminal without a button that would be refused, in every language", async () => {
    const { company, machine } = await busyMachine();
    const reader = await company.user("readonly");
    for (const language of languages) {
      const screen = await openTerminal(machine, reader, `?lang=${language}`);
      const { page } = screen;
      const writes: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET") writes.push(`${request.method()} ${request.url()}`);
      });
      const labels = { en: ["Olga Operator", "A-1", "Stops,"], es: ["Olga Operator", "A-1", "Paradas,"] }[language];
      await expect.poll(() => page.locator("main .floor-who").innerText()).toContain("Olga Operator");
      const buttons = page.locator("main button");
      expect(await buttons.count(), (await buttons.allInnerTexts()).join()).toBe(labels.length);
      for (const [i, label] of labels.entries()) expect(await buttons.nth(i).innerText()).toContain(label);
      expect(await page.locator("main .floor-called").innerText()).toContain("A leak");
      await screen.expectSound(`the terminal for readers, ${language}`);
      // Neither keys nor taps get around that.
      await page.keyboard.press("1");
      await page.keyboard.type("7777");
      await page.keyboard.press("Enter");
      await page
        .locator(".floor-timeline .fill-stopped")
        .first()
        .click({ position: { x: 1, y: 5 } });
      for (const opener of labels) {
        await page.locator("main button", { hasText: opener }).click();
        const dialog = page.getByRole("dialog");
        await expect.poll(() => dialog.locator(".floor-list li").count(), { message: opener }).toBeGreaterThan(0);
        // The list of stops has two parts to look at.
        expect(await dialog.locator("button, input").count(), opener).toBe(opener === labels[2] ? 3 : 1);
        await screen.expectSound(`${opener}, ${language}`);
        await page.keyboard.press("Escape");
      }
      expect(writes).toEqual([]);
      screen.expectClean();
      await screen.close();
    }
  });

  test("follows the grants: a role sees what it may do after a reload, and no longer what it may not", async () => {
    const { company, machine } = await busyMachine();
    const accounts = [await company.user("readonly"), await company.user("user")] as const;
    const [reader, user] = await Promise.all(accounts.map((account) => openTerminal(machine, account)));
    if (!reader || !user) throw new Error("there are two screens");
    const cause = ({ page }: Screen) => page.getByRole("button", { name: "Jam", exact: true });
    await cause(user).waitFor();
    expect(await cause(reader).count()).toBe(0);
    await app().regrant(STOPS_OF_USERS, { roleId: "readonly", permissionId: "stops:write" });
    try {
      await Promise.all([reader.page.reload(), user.page.reload()]);
      await cause(reader).waitFor();
      await cause(user).waitFor({ state: "detached" });
      await user.page.getByRole("button", { name: "Order, SKU" }).waitFor();
      expect(await cause(user).count()).toBe(0);
      // Without a network there are the grants of the last time.
      await reader.page.route(/\/v1\/role-permissions/, (route) => route.abort());
      reader.expectErrors(/ERR_FAILED/);
      await reader.page.goto(`/floor/${machine.id}`);
      await cause(reader).waitFor();
    } finally {
      await app().regrant(STOPS_OF_USERS, { roleId: "user", permissionId: "stops:write" });
    }
    reader.expectClean();
    user.expectClean();
  });

  test("who may not see operators' names sees a pseudonym everywhere, and a badge still signs in", async () => {
    const { company, machine } = await busyMachine();
    const other = await company.send("POST", "/v1/operators", { name: "Nadia Newcomer", code: "8888" });
    const account = await company.user("user");
    await app().regrant(NAMES_OF_USERS, { roleId: "superuser", permissionId: "operator-names:read" });
    try {
      const screen = await openTerminal(machine, account);
      const { page } = screen;
      const who = page.locator("main .floor-who");
      await expect.poll(() => who.innerText()).toMatch(/Operator \d+/);
      await page.keyboard.type("8888");
      await page.keyboard.press("Enter");
      await expect.poll(() => who.innerText()).toContain(`Operator ${other.id}`);
      expect(await who.innerText()).not.toMatch(/Olga|Nadia/);
      await page.goto("/desk/setup?kind=people");
      await page
        .getByRole("cell", { name: `Operator ${other.id}` })
        .first()
        .waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(/Olga|Nadia|8888/);
      screen.expectClean();
    } finally {
      await app().regrant(NAMES_OF_USERS, { roleId: "user", permissionId: "operator-names:read" });
    }
  });

  test("an admin who may not see operators' names cannot rename them", async () => {
    const { company } = await busyMachine();
    await app().regrant(NAMES_OF_ADMINS, { roleId: "superuser", permissionId: "operator-names:read" });
    try {
      const screen = await app().screen();
      const { page } = screen;
      await screen.enterAs(company);
      await page.goto("/desk/setup?kind=people");
      await page.getByRole("button", { name: /^Delete: Operator/ }).waitFor();
      expect(await page.getByRole("button", { name: /^(Rename|Change the number)/ }).count()).toBe(0);
      screen.expectClean();
    } finally {
      await app().regrant(NAMES_OF_ADMINS, { roleId: "admin", permissionId: "operator-names:read" });
    }
  });

  test("a page that would only refuse says so, and the start page does not link to it", async () => {
    const company = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/pair");
    await screen.signIn(await company.user("user"));
    await page.getByText("Your role cannot open this page.").waitFor();
    expect(await page.locator("form").count()).toBe(0);
    await screen.expectSound("a page that the role may not see");
    await page.getByRole("link", { name: "To the start page" }).click();
    for (const view of ["wall", "floor", "desk"]) await page.locator(`a[href="/${view}"]`).waitFor();
    expect(await page.locator('a[href="/pair"]').count()).toBe(0);
    screen.expectClean();
  });
});

describe.skipIf(!hasBrowser)("the page of roles", () => {
  const cellOf = (role: string, permission: string) => `${role}: ${permission}: `;
  const { roles, matrix } = access;

  test("gives a superuser's roles a permission by keys, asks before it takes one, and keeps the set-up of admins", async () => {
    const company = await app().company();
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/desk/setup?kind=roles");
    await screen.signIn(app().superuser);
    const cell = page.getByRole("button", { name: cellOf(roles.user, matrix.permissions["alerts:write"]) });
    expect(await cell.getAttribute("aria-pressed")).toBe("false");
    await cell.press("Enter");
    await page.getByText(matrix.given(roles.user, matrix.permissions["alerts:write"])).waitFor();
    await expect.poll(() => cell.getAttribute("aria-pressed")).toBe("true");
    const granted = async () =>
      (await company.send("GET", "/v1/role-permissions?limit=500")).data.filter(
        ({ roleId, permissionId }: Record<string, string>) => roleId === "user" && permissionId === "alerts:write",
      ).length;
    expect(await granted()).toBe(1);
    await cell.click();
    await page.getByText(matrix.sure(roles.user, matrix.permissions["alerts:write"])).waitFor();
    await page.keyboard.press("Escape");
    expect([await cell.getAttribute("aria-pressed"), await granted()]).toEqual(["true", 1]);
    await cell.click();
    await page.getByRole("button", { name: matrix.take, exact: true }).click();
    await page.getByText(matrix.taken(roles.user, matrix.permissions["alerts:write"])).waitFor();
    await expect.poll(() => cell.getAttribute("aria-pressed")).toBe("false");
    expect(await granted()).toBe(0);
    for (const role of [roles.admin, roles.superadmin, roles.superuser]) {
      expect(await page.getByRole("button", { name: cellOf(role, matrix.permissions["set-up:write"]) }).count()).toBe(0);
    }
    screen.expectClean();
  });

  test("shows admins what each role may do, without a button", async () => {
    const company = await app().company();
    const screen = await app().screen();
    await screen.enterAs(company);
    await screen.page.goto("/desk/setup?kind=roles");
    const card = screen.page.getByRole("region", { name: matrix.title, exact: true });
    await card.getByRole("row").nth(5).waitFor();
    expect(await card.locator("tbody button").count()).toBe(0);
    screen.expectClean();
  });

  test("looks right with its question, in every language and size", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/desk/setup?kind=roles");
    await screen.signIn(app().superuser);
    for (const look of someLooks) {
      const cell = page.locator("tbody button[aria-pressed=true]").first();
      await lookAt(screen, "/desk/setup?kind=roles", look, () => cell.waitFor());
      await cell.click();
      await page.getByRole("dialog").waitFor();
      await screen.expectSound(`the question, ${look.language} ${look.size.name}`);
      await page.keyboard.press("Escape");
    }
  });
});
