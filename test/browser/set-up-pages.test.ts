import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import type { Company } from "./support/company.ts";
import { openDesk } from "./support/desk.ts";
import { lookAt, looksOf } from "./support/looks.ts";

const app = useApp();
const soon = { timeout: 60_000, interval: 300 };
const longName = "Spritzgießmaschine Engel e-motion 740/220 an der Nordwand";

/** The pages whose kit is the same: each lists, adds, changes and deletes. */
const parts = [
  ...["machine", "lines", "sku", "cause", "users", "roles", "tokens", "gateways"],
  ...["alerts", "personas", "rooms", "mails", "webhooks", "history", "file", "tags"],
];

describe.skipIf(!hasBrowser)("the pages of the set-up", () => {
  let company: Company;
  beforeAll(async () => {
    if (!hasBrowser) return;
    company = await app().company();
    await company.machine(longName);
    await company.machine("Press <b>2</b>");
    await company.send("POST", "/v1/lines", { name: "Hall <i>1</i>" });
  });
  const open = (part: string) => openDesk(app(), company, `/desk/setup?kind=${part}`);

  test("a line is added, changed and deleted, and what is wrong is said at its field", async () => {
    const screen = await open("lines");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Name").fill("  ");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.getByText("This is missing.").waitFor();
    await form.getByLabel("Name").fill("Hall 2");
    await form.getByLabel("Place in lists").fill("-3");
    await page.keyboard.press("Enter");
    await page.getByText("Added.").waitFor();
    const rows = async () =>
      (await company.send("GET", "/v1/lines")).data.map(({ name, order }: { name: string; order: number }) => [name, order]);
    expect(await rows()).toEqual([
      ["Hall <i>1</i>", 0],
      ["Hall 2", -3],
    ]);

    await page.getByRole("button", { name: "Change: Hall 2" }).click();
    const change = page.getByRole("form", { name: "Hall 2" });
    await change.getByRole("button", { name: "Save" }).click();
    await change.getByText("Nothing is different from now").waitFor();
    screen.expectErrors(/status of 409/);
    await change.getByLabel("Name").fill("Hall <i>1</i>");
    await change.getByRole("button", { name: "Save" }).click();
    await change.locator(".field-fault, .refusal").first().waitFor();
    await change.getByLabel("Name").fill("Hall 3");
    await change.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    expect((await rows())[1]).toEqual(["Hall 3", -3]);

    await page.getByRole("button", { name: "Delete: Hall 3" }).click();
    await page.getByText("Delete the line Hall 3?").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.poll(rows).toEqual([["Hall <i>1</i>", 0]]);
  });

  test("what somebody else has changed meanwhile is said, and what was typed stays", async () => {
    const line = await company.send("POST", "/v1/lines", { name: "Shared", order: 5 });
    const screen = await open("lines");
    const { page } = screen;
    await page.getByRole("button", { name: "Change: Shared" }).click();
    const form = page.getByRole("form", { name: "Shared" });
    await form.getByLabel("Name").fill("Mine");
    await company.send("PATCH", `/v1/lines/${line.id}`, { order: 9 });
    screen.expectErrors(/status of 412/);
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText(/Place in lists.*5.*9/).waitFor();
    expect([await form.getByLabel("Name").inputValue(), await form.getByLabel("Place in lists").inputValue()]).toEqual([
      "Mine",
      "9",
    ]);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    expect(await company.send("GET", `/v1/lines/${line.id}`)).toMatchObject({ name: "Mine", order: 9 });
    await company.send("DELETE", `/v1/lines/${line.id}`);
  });

  test("what is typed while a change is on its way stays, also if somebody else was faster", async () => {
    const line = await company.send("POST", "/v1/lines", { name: "Slow", order: 5 });
    const screen = await open("lines");
    const { page } = screen;
    await page.getByRole("button", { name: "Change: Slow" }).click();
    const form = page.getByRole("form", { name: "Slow" });
    const name = form.getByLabel("Name");
    await name.fill("First");
    await company.send("PATCH", `/v1/lines/${line.id}`, { order: 9 });
    const held = await screen.holdAnswers(new RegExp(`/v1/lines/${line.id}`), 1);
    screen.expectErrors(/status of 412/);
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => held.length).toBe(1);
    await name.fill("Second");
    held[0]?.();
    await form.getByText(/Place in lists.*5.*9/).waitFor();
    expect(await name.inputValue()).toBe("Second");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    expect(await company.send("GET", `/v1/lines/${line.id}`)).toMatchObject({ name: "Second", order: 9 });
    await company.send("DELETE", `/v1/lines/${line.id}`);
    screen.expectClean();
  });

  test("a machine is added with its standard, and many machines are changed at once", async () => {
    const screen = await open("machine");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Name", { exact: true }).fill("Mill 7");
    await form.getByLabel("Seconds a cycle").fill("12.5");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    const machines = async () => (await company.send("GET", "/v1/machines")).data as Record<string, unknown>[];
    expect((await machines()).find(({ name }) => name === "Mill 7")).toMatchObject({
      ref: "Mill 7",
      standardCycleSeconds: 12.5,
      lineId: null,
    });

    await page.getByRole("button", { name: "Choose machines" }).click();
    const many = page.getByRole("form", { name: "Change many machines at once" });
    await many.getByLabel("Mill 7").check();
    await many.getByLabel("Press <b>2</b>").check();
    await many.getByLabel("New value").fill("45");
    await expect
      .poll(() => many.getByRole("row").allInnerTexts())
      .toEqual([
        expect.stringContaining("Now"),
        expect.stringMatching(/Mill 7\s+120\s+45|Press <b>2<\/b>\s+\d+\s+45/),
        expect.stringMatching(/\s45$/),
      ]);
    await many.getByRole("button", { name: "Preview" }).click();
    await many.getByText("No number changes.").waitFor();
    await many.getByRole("button", { name: "Change them" }).click();
    await many.getByText("2 machines were changed.").waitFor();
    const limits = async () => (await machines()).map(({ name, stopAfterSeconds }) => [name, stopAfterSeconds]);
    expect(
      (await limits())
        .filter(([, limit]) => limit === 45)
        .map(([name]) => name)
        .sort(),
    ).toEqual(["Mill 7", "Press <b>2</b>"]);
    screen.expectClean();
  });

  test("a person is added, and what depends on the account is shown", async () => {
    const screen = await open("users");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Name", { exact: true }).fill("Olga");
    await form.getByLabel("Mail address").fill(`olga-${company.id}@example.com`);
    // An admin gives no role above the own one.
    expect(await form.getByLabel("Role").locator("option").allInnerTexts()).toEqual(["Administrator", "User", "Reader"]);
    await form.getByLabel("Passphrase").fill("correct horse battery staple 7");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    await page.getByRole("button", { name: "What depends on it: Olga" }).click();
    await page.getByText("Nothing else.").waitFor();
    screen.expectClean();
  });

  test("the token of a gateway and of a program is shown once", async () => {
    for (const [part, prefix] of [
      ["gateways", "Nordtor"],
      ["tokens", "Program"],
    ] as const) {
      const screen = await open(part);
      const { page } = screen;
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const form = page.getByRole("form", { name: "A new one" });
      await form.getByLabel("Name", { exact: true }).fill(`${prefix} 9`);
      await form.getByRole("button", { name: "Add", exact: true }).click();
      const token = page.locator(".shown-once pre");
      await token.waitFor();
      expect((await token.innerText()).length).toBeGreaterThan(20);
      await page.reload();
      await page.getByText(`${prefix} 9`).waitFor();
      expect(await token.count()).toBe(0);
      screen.expectClean();
    }
  });

  test("an alert rule is tried on the past before it is saved", async () => {
    const screen = await open("alerts");
    const { page } = screen;
    await page.getByLabel("A new rule is about").selectOption({ label: "No data" });
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Name", { exact: true }).fill("Stille 7");
    await form.getByLabel("Minutes", { exact: true }).fill("7");
    await form.getByRole("button", { name: "Try it on the last seven days" }).click();
    await form.getByText(/^In the last seven days it would have opened/).waitFor();
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    const [rule] = (await company.send("GET", "/v1/alert-rules")).data;
    expect(rule).toMatchObject({ when: { kind: "no_data", minutes: 7 }, machineIds: null, lineIds: null, isActive: true });
    await page.getByRole("button", { name: `Change: ${rule.name}` }).click();
    const change = page.getByRole("form", { name: rule.name });
    await change.getByLabel(longName).check();
    await change.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    expect((await company.send("GET", `/v1/alert-rules/${rule.id}`)).machineIds).toHaveLength(1);
    screen.expectClean();
  });

  test("a report is added, and its mail is looked at before it is sent", async () => {
    const screen = await open("mails");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Name", { exact: true }).fill("Morning");
    await form.getByLabel("Mail addresses, one a line").fill("a@example.com\nb@example.com");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    const [report] = (await company.send("GET", "/v1/report-subscriptions")).data;
    expect(report).toMatchObject({
      kind: "daily",
      time: "06:30",
      addresses: ["a@example.com", "b@example.com"],
      machineIds: null,
    });
    await page.getByRole("button", { name: "Preview: Morning" }).click();
    const mail = page.getByRole("document", { name: "Morning, as it would be sent now" });
    await mail.getByText(/\S/).first().waitFor();
    screen.expectClean();
  });

  test("a webhook is added with its secret, and its calls are listed", async () => {
    const screen = await open("webhooks");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("What it is for").fill("ERP");
    screen.expectErrors(/status of 400/);
    await form.getByLabel(/^Address/).fill("http://10.0.0.1/x");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.locator('[aria-invalid="true"]').waitFor();
    await form.getByLabel(/^Address/).fill("https://erp.example.com/andon");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page
      .locator(".shown-once pre")
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole("button", { name: "Calls: https://erp.example.com/andon" }).click();
    await page.getByText("Nothing was sent yet.").waitFor();
  });

  test("a contact is changed and tested, and a chat room is added", async () => {
    const { name } = (await company.send("GET", "/v1/personas")).data[0] as { name: string };
    const screen = await open("personas");
    // The test by a way that the contact has not.
    screen.expectErrors(/status of 4/);
    const { page } = screen;
    await page.getByRole("button", { name: `Change: ${name}` }).click();
    const form = page.getByRole("form", { name });
    await form.getByLabel(/^Mail address/).fill("night@example.com");
    await form.getByLabel(/^Hours on Sunday/).fill("soon");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Write hours like 06:00–22:00").waitFor();
    await form.getByLabel(/^Hours on Sunday/).fill("22:00-06:00");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    const [persona] = (await company.send("GET", "/v1/personas")).data;
    expect(persona).toMatchObject({
      email: { value: "night@example.com", isActive: true },
      alertHours: { sunday: { start: "22:00", end: "06:00" } },
    });
    await page.getByRole("button", { name: `Test: ${name}` }).click();
    await page.getByRole("button", { name: "By text message" }).click();
    await page.getByText("is a channel of which the persona has no active contact").waitFor();

    await page.goto("/desk/setup?kind=rooms");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const room = page.getByRole("form", { name: "A new one" });
    await room.getByLabel("Name", { exact: true }).fill("Maintenance");
    await room.getByLabel(/^Address/).fill("https://hooks.slack.example/services/T0/B0/x");
    await room.getByLabel("Service").selectOption("slack");
    await room.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    expect((await company.send("GET", "/v1/chat-rooms")).data).toMatchObject([
      { name: "Maintenance", service: "slack", isActive: true },
    ]);
  });

  test("the history says who changed what, and restores what was deleted", async () => {
    const line = await company.send("POST", "/v1/lines", { name: "Old hall", order: 1 });
    await company.send("PATCH", `/v1/lines/${line.id}`, { order: 8 });
    await company.send("DELETE", `/v1/lines/${line.id}`);
    const screen = await open("history");
    const { page } = screen;
    await page.getByLabel("About").selectOption({ label: "Line" });
    const row = (verb: string) => page.getByRole("row").filter({ hasText: `Line Old hall ${verb}` });
    await row("was made").waitFor();
    expect(await row("was deleted").innerText()).toContain("Ana Admin");
    expect(await page.getByRole("row").filter({ hasText: "order: 1 → 8" }).count()).toBe(1);
    await page.getByRole("button", { name: "Restore: Old hall" }).click();
    await page.getByText("Old hall is in use again.").waitFor();
    expect((await company.send("GET", `/v1/lines/${line.id}`)).deletedAt).toBeNull();
    await company.send("DELETE", `/v1/lines/${line.id}`);
    screen.expectClean();
  });

  test("a machine is dragged to another line, or moved by its choice", async () => {
    const own = await app().company();
    const [first, second] = [await own.machine("Saw 1"), await own.machine("Saw 2")];
    const hall = await own.send("POST", "/v1/lines", { name: "Hall 1" });
    const screen = await openDesk(app(), own, "/desk/setup?kind=lines");
    const { page } = screen;
    const line = (name: string) => page.getByRole("region", { name, exact: true });
    const lineOf = async ({ id }: { id: number }) => (await own.send("GET", `/v1/machines/${id}`)).lineId;
    await line("In no line").getByText("Saw 1", { exact: true }).dragTo(line("Hall 1"));
    await line("Hall 1").getByText("Saw 1", { exact: true }).waitFor();
    expect(await lineOf(first)).toBe(hall.id);
    await page.getByLabel("Line of Saw 2").selectOption("Hall 1");
    await line("Hall 1").getByText("Saw 2", { exact: true }).waitFor();
    expect(await lineOf(second)).toBe(hall.id);
    screen.expectClean();
  });

  test("a cause is merged into another: the stops that have it get the other one, and it is deleted", async () => {
    const own = await app().company();
    await own.shift();
    const press = await own.machine("Press", { noDataAfterSeconds: null });
    const [jam, jammed] = [await own.cause("Jam"), await own.cause("Jammed", { isProgrammed: true })];
    await own.ingest([...own.counts(press, 100, 80), ...own.counts(press, 60, 0)]);
    const stops = async () =>
      (await own.send("GET", `/v1/stops?machineIds=${press.id}`)).data as {
        id: number;
        classification: { generalCause: { id: number } | null } | null;
      }[];
    await expect.poll(async () => (await stops()).length, soon).toBeGreaterThan(0);
    const [stop] = await stops();
    const causeOf = async () => (await stops()).find(({ id }) => id === stop?.id)?.classification?.generalCause?.id;
    await own.send("PUT", `/v1/stops/${stop?.id}/classification`, { generalCauseId: jammed.id });
    await expect.poll(causeOf, soon).toBe(jammed.id);
    const screen = await openDesk(app(), own, "/desk/setup?kind=cause");
    const { page } = screen;
    await page.getByRole("button", { name: "Merge: Jammed" }).click();
    const form = page.getByRole("form", { name: "Merge Jammed into another cause" });
    await form
      .getByText("1 stop of 1 machine, also of the past, gets the cause Jam, and it is deleted. They are unplanned then.")
      .waitFor();
    await form.getByRole("button", { name: "Merge and delete it" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Merge: Jammed" }).count()).toBe(0);
    await expect.poll(causeOf, soon).toBe(jam.id);
    screen.expectClean();
  });

  test("a plant file is put after what it would change was shown, and a wrong one is refused by its line", async () => {
    const own = await app().company();
    await own.machine("Press");
    const screen = await openDesk(app(), own, "/desk/setup?kind=file");
    const { page } = screen;
    screen.expectErrors(/status of 400/);
    const form = page.getByRole("form", { name: "Make the plant what a file says" });
    await form.getByLabel("Or paste it").fill("formatVersion: 1\nlines:\n- nam: Hall 1\n");
    await form.getByRole("button", { name: "Preview" }).click();
    await form
      .getByRole("alert")
      .getByText(/line 3/i)
      .waitFor();
    const text = "formatVersion: 1\nlines:\n- name: Hall 1\n  order: 1\n";
    await form
      .getByLabel("Choose a file, YAML or JSON")
      .setInputFiles({ name: "plant.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) });
    await expect.poll(() => form.getByLabel("Or paste it").inputValue()).toBe(text);
    await form.getByRole("button", { name: "Preview" }).click();
    await form.getByText("1 made, 0 changed, 0 deleted, 0 as they are.").waitFor();
    expect((await own.send("GET", "/v1/lines")).data).toEqual([]);
    await form.getByRole("button", { name: "Make these changes" }).click();
    await form.getByText("The plant is as the file says.").waitFor();
    expect((await own.send("GET", "/v1/lines")).data).toMatchObject([{ name: "Hall 1", order: 1 }]);
    await form.getByLabel("Or paste it").fill(text);
    await form.getByRole("button", { name: "Preview" }).click();
    await form.getByText("Nothing changes: 1 entries are as in the file.").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as YAML" }).click();
    expect((await saved).suggestedFilename()).toBe("plant.yaml");
  });

  test("a tag is added and changed", async () => {
    const screen = await open("tags");
    const { page } = screen;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const form = page.getByRole("form", { name: "A new one" });
    await form.getByLabel("Key").fill("hall");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    await page.getByRole("button", { name: "Change: hall" }).click();
    await page.getByRole("form", { name: "hall" }).getByLabel("Colour").fill("#1b7f5c");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed.").waitFor();
    expect((await company.send("GET", "/v1/tags")).data).toMatchObject([
      { tagKey: "hall", subject: "Machines", color: "#1b7f5c" },
    ]);
    screen.expectClean();
  });

  test("the menu has only what the role may read", async () => {
    const screen = await app().screen();
    const { page } = screen;
    await page.goto("/desk/setup");
    await screen.signIn(await company.user("readonly"));
    await page.getByRole("link", { name: "Lines", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /Webhooks|History/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Add", exact: true }).count()).toBe(0);
  });

  describe("are sound in all looks", () => {
    test.each(parts)("%s", async (part) => {
      const screen = await open(part);
      for (const look of looksOf(parts.indexOf(part))) {
        await lookAt(screen, `/desk/setup?kind=${part}`, look, () => screen.page.locator(".card h2").first().waitFor());
      }
      screen.expectClean();
    });
  });
});
