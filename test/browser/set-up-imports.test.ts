import { describe, expect, test } from "vitest";
import { hasBrowser, useApp } from "./support/app.ts";
import { openDesk, shown } from "./support/desk.ts";
import { lookAt, looksOf, sizesOf } from "./support/looks.ts";
import { saved } from "./support/saved-tables.ts";

const app = useApp();
const page = "/desk/setup?kind=imports";

/** A file as a spreadsheet in Spain writes it: Windows-1252, semicolons, decimal comma. */
const spanish = (text: string) => ({ name: "skus.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });

describe.skipIf(!hasBrowser)("the import of a CSV file on the desk", () => {
  test("goes from a file over its columns and faulty rows to the set-up, and back by one undo", async () => {
    const company = await app().company();
    await company.send("POST", "/v1/skus", { id: "0005", name: "Old", standards: [] });
    const names = async () =>
      (await company.send("GET", "/v1/skus")).data.map(({ id, name }: Record<string, string>) => [id, name]);
    const screen = await openDesk(app(), company, page);
    const at = screen.page;
    const step = (name: string) => at.getByRole("region", { name });
    const lines = ["No.;Artículo;Tiempo de ciclo", "0005;Tapón;1,5", "0006;=SUMA(A1);x", "0007;;2", "0008;Cuña;3"];
    await at.getByLabel("Choose a file, or drop it here").setInputFiles(spanish(`${lines.join("\r\n")}\r\n`));
    await expect.poll(() => step("2. How it is read").getByLabel("Encoding").inputValue()).toBe("windows-1252");
    expect(await at.getByLabel("Between cells").inputValue()).toBe("semicolon");
    expect(await at.getByLabel("Decimal sign").inputValue()).toBe("comma");
    // Nobody knows what "No." is, and "Artículo" could be the code: both are said.
    await at.getByLabel("What is: No.").selectOption("id");
    await at.getByLabel("What is: Artículo").selectOption("name");
    const check = step("4. What it would do");
    await expect.poll(async () => (await check.locator("dd").allInnerTexts()).join()).toBe("1,1,0,2");
    await check.getByRole("cell", { name: "Tapón" }).or(check.getByText("Name: Tapón")).first().waitFor();
    const faults = check.getByRole("table", { name: "What is wrong" });
    expect(await faults.getByRole("row").allInnerTexts()).toEqual([
      expect.stringMatching(/Column/),
      expect.stringMatching(/Tiempo de ciclo\s+must be a number.*\s+1\s+3/),
      expect.stringMatching(/Artículo\s+is empty, or has no column\s+1\s+4/),
    ]);
    const faulty = await saved(check.getByRole("button", { name: "Download the faulty rows, with why" }));
    expect(faulty.text).toMatch(/^\uFEFFNo\.;Artículo;Tiempo de ciclo;why\r\n0006;'=SUMA\(A1\);x;/);
    for (const size of sizesOf(0)) {
      await at.setViewportSize(size);
      await screen.expectSound(`the check of a file on a ${size.name}`);
    }
    await at.setViewportSize({ width: 1440, height: 900 });

    // All rows or none, unless somebody says otherwise.
    const store = step("5. Import");
    expect(await store.getByRole("button", { name: "Import 2 rows" }).isDisabled()).toBe(true);
    expect(await names()).toEqual([["0005", "Old"]]);
    await store.getByLabel("Import the 2 good rows, and leave out the faulty ones").check();
    await store.getByRole("button", { name: "Import 2 rows" }).click();
    await store.getByText("Imported: 1 new, 1 changed.").waitFor();
    expect(await names()).toEqual([
      ["0005", "Tapón"],
      ["0008", "Cuña"],
    ]);
    await store.getByRole("button", { name: "Undo this import" }).click();
    await store.getByText("Undone: 1 deleted, 1 as before.").waitFor();
    expect(await names()).toEqual([["0005", "Old"]]);
    await store.getByRole("button", { name: "Another file" }).click();
    await expect.poll(() => step("2. How it is read").count()).toBe(0);
    screen.expectClean();
  });

  test("takes the template of the page as it is, and cells that were pasted, by the keyboard alone", async () => {
    const company = await app().company();
    const screen = await openDesk(app(), company, page);
    const at = screen.page;
    await at.getByLabel("What is in the file").selectOption("stop-causes");
    const template = await saved(at.getByRole("button", { name: "Download a template" }));
    const text = template.text.replace("\uFEFF", "").replaceAll(",", "\t");
    expect(text).toMatch(/^Name\tAbove\tLevel\tProgrammed\tIncluded in availability\r\nBreakdown\t/);
    const cells = at.getByLabel("Or paste cells of a spreadsheet");
    await cells.focus();
    await at.keyboard.insertText(text);
    await at.keyboard.press("Tab");
    await at.keyboard.press("Enter");
    await at.getByText("pasted cells: 1 row").waitFor();
    expect(await at.getByLabel("Between cells").inputValue()).toBe("tab");
    await at.getByRole("button", { name: "Import 1 row" }).press("Enter");
    await at.getByText("Imported: 1 new, 0 changed.").waitFor();
    const { data } = await company.send("GET", "/v1/stop-causes");
    expect(data).toMatchObject([{ name: "Breakdown", level: "general", isIncludedInAvailability: true }]);
    screen.expectClean();
  });

  test("lists earlier imports, and undoes one of them", async () => {
    const company = await app().company();
    await company.send("POST", "/v1/skus", { id: "OLD", name: "Old", standards: [] });
    const screen = await openDesk(app(), company, page);
    const at = screen.page;
    const list = at.getByRole("region", { name: "Earlier imports" });
    await list.getByText("Nothing was imported yet.").waitFor();
    for (const line of ["Line 1", "Line 2"]) {
      await at.getByLabel("What is in the file").selectOption("lines");
      const buffer = Buffer.from(`line\n${line}\n`);
      await at.getByLabel("Choose a file, or drop it here").setInputFiles({ name: "lines.csv", mimeType: "text/csv", buffer });
      await at.getByRole("button", { name: "Import 1 row" }).click();
      await at.getByText("Imported: 1 new, 0 changed.").waitFor();
    }
    // Somebody comes back later, when the file is not on the page any more.
    await at.reload();
    const rows = list.getByRole("row");
    await expect
      .poll(async () => (await rows.allInnerTexts()).slice(1).filter((text) => text.includes("1 new, 0 changed")).length)
      .toBe(2);
    await list
      .getByRole("button", { name: /^Undo: Lines/ })
      .nth(1)
      .click();
    await list.getByText(/^Undone /).waitFor();
    expect((await company.send("GET", "/v1/lines")).data).toMatchObject([{ name: "Line 2" }]);
    expect(await list.getByRole("button", { name: /^Undo: Lines/ }).count()).toBe(1);
    screen.expectClean();
  });

  test("says what is wrong with a file, and does nothing with it", async () => {
    const company = await app().company();
    const screen = await openDesk(app(), company, page);
    const at = screen.page;
    const field = at.getByLabel("Choose a file, or drop it here");
    await field.setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(4 * 1024 * 1024 + 1, "a") });
    await at.getByText("A file may have 4 MiB and 10,000 rows").waitFor();
    screen.expectErrors(/status of 400/);
    await field.setInputFiles(spanish('id,name\nA,"One\n'));
    await at.getByText("lines/2 cannot be read").waitFor();
    expect((await company.send("GET", "/v1/skus")).data).toEqual([]);
    screen.expectClean();
  });

  test.each(looksOf(3))("looks sound in $language on a $size.name", async (look) => {
    const screen = await openDesk(app(), await app().company(), page);
    await lookAt(screen, page, look, () => shown(screen));
    screen.expectClean();
  });
});
