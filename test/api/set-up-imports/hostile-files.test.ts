import { describe, expect, it } from "vitest";
import { expectProblem } from "../../support/expect-problem.ts";
import { newPlant } from "../plant/plant-file/full-plant.ts";
import { dumpOf, reportOf, send, utf16 } from "./sending.ts";

/** The bytes of a text in Windows-1252, as far as these tests need it. */
function windows1252(text: string): Uint8Array {
  const special: Record<string, number> = { "€": 0x80, "“": 0x93 };
  return Uint8Array.from([...text].map((one) => special[one] ?? one.charCodeAt(0)));
}

const columns = (count: number) => Array.from({ length: count - 2 }, (_, i) => `x${i}`);
const many = ["id", "name", ...columns(200)];
const counts = (created: number, faulty = 0) => ({ created, changed: 0, unchanged: 0, faulty });

interface Hostile {
  what: string;
  file: string | Uint8Array;
  query?: string;
  /** What is recognised. */
  read?: object;
  report: object;
  /** The SKUs that it makes: ids, names, standards for any machine. */
  skus: [string, string, number | null][];
}

const hostile: Hostile[] = [
  {
    what: "a byte order mark",
    file: "\uFEFFid,name\nA,Tapón\n",
    read: { encoding: "utf-8", hasByteOrderMark: true },
    report: counts(1),
    skus: [["A", "Tapón", null]],
  },
  {
    what: "UTF-16 with a byte order mark",
    file: utf16("id;name\r\nA;Tapón €\r\n"),
    read: { encoding: "utf-16le", hasByteOrderMark: true, delimiter: "semicolon" },
    report: counts(1),
    skus: [["A", "Tapón €", null]],
  },
  {
    what: "UTF-16 of the other byte order",
    file: utf16("id\tname\nA\tTapón\n", { isBigEndian: true }),
    read: { encoding: "utf-16be", hasByteOrderMark: true, delimiter: "tab" },
    report: counts(1),
    skus: [["A", "Tapón", null]],
  },
  {
    what: "UTF-16 without a byte order mark",
    file: utf16("id,name\nA,Tapón\n", { hasMark: false }),
    read: { encoding: "utf-16le", hasByteOrderMark: false },
    report: counts(1),
    skus: [["A", "Tapón", null]],
  },
  {
    what: "accents of Windows-1252",
    file: windows1252("id,name\nÑ-1,“Tapón 3 €\n"),
    read: { encoding: "windows-1252", hasByteOrderMark: false },
    report: counts(1),
    skus: [["Ñ-1", "“Tapón 3 €", null]],
  },
  {
    what: "semicolons and a decimal comma",
    file: "Código;Descripción;Tiempo de ciclo (s)\nA;Uno, dos;1,5\nB;Tres;12\n",
    read: { delimiter: "semicolon", decimal: "comma" },
    report: counts(2),
    skus: [
      ["A", "Uno, dos", 1.5],
      ["B", "Tres", 12],
    ],
  },
  {
    what: "a decimal comma in quotes between commas",
    file: 'id,name,cycle\nA,One,"1,5"\n',
    read: { delimiter: "comma", decimal: "comma" },
    report: counts(1),
    skus: [["A", "One", 1.5]],
  },
  {
    what: "semicolons and a decimal point",
    file: "id;name;cycle\nA;One;1.5\n",
    read: { delimiter: "semicolon", decimal: "point" },
    report: counts(1),
    skus: [["A", "One", 1.5]],
  },
  {
    what: "a decimal comma where a point is said",
    file: "id;name;cycle\nA;One;1,5\nB;Two;2\n",
    query: "decimal=point",
    read: { decimal: "point" },
    report: { ...counts(1, 1), faults: [{ member: "standardCycleSeconds", code: "invalid_type", lines: [[2, 2]] }] },
    skus: [["B", "Two", 2]],
  },
  {
    what: "a number with something between thousands",
    file: 'id,name,cycle\nA,One,"1,234.5"\n',
    report: { ...counts(0, 1), faults: [{ member: "standardCycleSeconds", header: "cycle", code: "invalid_type" }] },
    skus: [],
  },
  {
    what: "line breaks, separators and quotes in quotes",
    file: 'id,name\r\nA,"One, ""big"""\r\nB,"Two\nlines"\r\nC,Three\r\n',
    report: { ...counts(2, 1), faults: [{ member: "name", code: "custom", lines: [[3, 3]] }] },
    skus: [
      ["A", 'One, "big"', null],
      ["C", "Three", null],
    ],
  },
  {
    what: "line breaks in cells that are left out, which later lines count",
    file: 'id,note,name\nA,"several\nlines\nof it",One\nB,,\nC,,\n',
    report: { ...counts(1, 2), faults: [{ member: "name", code: "required", rows: 2, lines: [[5, 6]] }] },
    skus: [["A", "One", null]],
  },
  {
    what: "zeros at the beginning",
    file: "id,name,cycle\n0005,0010,03\n",
    report: counts(1),
    skus: [["0005", "0010", 3]],
  },
  {
    what: "cells that are empty",
    file: "id,name,cycle\nA,One,\n",
    report: counts(1),
    skus: [["A", "One", null]],
  },
  {
    what: "references that are in it twice",
    file: "id,name\nA,One\nB,Two\nA,Three\n",
    report: {
      ...counts(1, 2),
      faults: [
        {
          member: "id",
          code: "repeated",
          rows: 2,
          lines: [
            [2, 2],
            [4, 4],
          ],
          message: "is the same on the lines 2, 4",
        },
      ],
    },
    skus: [["B", "Two", null]],
  },
  {
    what: "cells that are formulas",
    file: "id,name\n=cmd|'/C calc'!A0,@SUM(1)\n'=safe,'-5\n",
    report: counts(2),
    skus: [
      ["=cmd|'/C calc'!A0", "@SUM(1)", null],
      ["=safe", "-5", null],
    ],
  },
  {
    what: "200 columns",
    file: `${many.join()}\nA,One${",".repeat(198)}\n`,
    report: counts(1),
    skus: [["A", "One", null]],
  },
  { what: "no rows", file: "id,name\n", report: { ...counts(0), faults: [], samples: [] }, skus: [] },
  { what: "rows of empty cells", file: "id,name\n,\n\n  ,\nA,One\n", report: counts(1), skus: [["A", "One", null]] },
  {
    what: "rows that are too short or too long",
    file: "id,name,cycle\nA,One\nB,Two,2,3\nC,Three,3\n",
    report: {
      ...counts(1, 2),
      faults: [
        { member: null, code: "invalid_line" },
        { member: null, code: "invalid_line" },
      ],
    },
    skus: [["C", "Three", 3]],
  },
  {
    what: "columns that are named by place, without a header",
    file: "One,A,x\nTwo,B,y\n",
    query: "header=false&columns=name,id,",
    report: counts(2),
    skus: [
      ["A", "One", null],
      ["B", "Two", null],
    ],
  },
  {
    what: "characters that cannot be seen, and that no text may have",
    file: "id,name\nA,a\u200bb\nB,\u0007\nC,\u202eabc\nD,Four\n",
    report: { ...counts(1, 3) },
    skus: [["D", "Four", null]],
  },
];

const refused: { what: string; file: string | Uint8Array; query?: string; status: number; pointer?: string }[] = [
  { what: "nothing in it", file: "", status: 400, pointer: "" },
  { what: "a byte order mark and nothing else", file: "\uFEFF", status: 400, pointer: "" },
  { what: "a quote that is not closed", file: 'id,name\nA,"One\nB,Two\n', status: 400, pointer: "/lines/2" },
  { what: "a quote within a cell", file: 'id,name\nA,5" pipe\n', status: 400, pointer: "/lines/2" },
  { what: "201 columns", file: `${["id", "name", ...columns(201)].join()}\n`, status: 400, pointer: "/lines/1" },
  {
    what: "another encoding than is said",
    file: windows1252("id,name\nA,ñ\n"),
    query: "encoding=utf-8",
    status: 400,
    pointer: "",
  },
  {
    what: "a column that SKUs do not have",
    file: "id,name\n",
    query: "columns=id,colour",
    status: 400,
    pointer: "/query/columns",
  },
  { what: "a column that is named twice", file: "id,name\n", query: "columns=id,id", status: 400, pointer: "/query/columns" },
  { what: "10,001 rows", file: `id\n${Array.from({ length: 10_001 }, (_, i) => `A${i}\n`).join("")}`, status: 400, pointer: "" },
  { what: "50 MB", file: new Uint8Array(50_000_000).fill(65), status: 413 },
];

describe("a file of set-up with", () => {
  it.each(hostile)("$what is read as it is meant", async ({ file, query = "", read = {}, report, skus }) => {
    const plant = await newPlant();
    const dry = await reportOf(plant, file, `kind=skus&dryRun=true&${query}`);
    expect(dry).toMatchObject({ id: null, dryRun: true, file: read, ...report });
    expect((await dumpOf(plant)).skus).toEqual([]);
    const done = await reportOf(plant, file, `kind=skus&mode=good&${query}`);
    expect({ ...done, id: null, dryRun: true }).toEqual(dry);
    const { data } = (await plant.ask("GET", "/v1/skus")).body;
    expect(
      data.map(({ id, name, standards }: { id: string; name: string; standards: { standardCycleSeconds: number }[] }) => {
        return [id, name, standards[0]?.standardCycleSeconds ?? null];
      }),
    ).toEqual(skus);
    // The counts of the answer are what is stored.
    expect(data).toHaveLength(done.created);
  });

  it.each(refused)("$what is refused, and changes nothing", async ({ file, query = "", status, pointer }) => {
    const plant = await newPlant();
    for (const dryRun of ["true", "false"]) {
      const answer = await send(plant, file, `kind=skus&mode=good&dryRun=${dryRun}&${query}`);
      expectProblem(answer, status, ...(pointer === undefined ? [] : [pointer]));
    }
    expect((await dumpOf(plant)).skus).toEqual([]);
  });

  it("no column that tells items apart is refused, and a dry run shows its columns, so that one can be named", async () => {
    const plant = await newPlant();
    const file = "no,product\nA,One\nB,Two\n";
    const dry = await reportOf(plant, file, "kind=skus&dryRun=true");
    expect(dry).toMatchObject({
      file: { columns: [{ header: "no", member: null, samples: ["A", "B"] }, { member: "name" }] },
      ...{ created: 0, faulty: 2, faults: [{ member: "id", code: "required", lines: [[2, 3]] }] },
    });
    expectProblem(await send(plant, file, "kind=skus&mode=good"), 400, "/lines/1");
    expect(await reportOf(plant, file, "kind=skus&columns=id,name")).toMatchObject({ created: 2 });
  });

  it("faulty rows gives them back as a file that can be mended and sent again", async () => {
    const plant = await newPlant();
    const file = 'id;name;cycle\nA;"=1+1; ""x""";x\nB;Two;2\nC;;-5\n';
    const { status, body, headers } = await send(plant, file, "kind=skus&dryRun=true&answer=faulty-rows");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, ...rows] = (body as unknown as string).replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(head).toBe("id;name;cycle;why");
    expect(rows).toEqual([
      `A;"'=1+1; ""x""";x;"cycle must be a number, with a decimal comma and nothing between thousands"`,
      `C;;'-5;"name is required; cycle must be more than 0"`,
    ]);
    const mended = (body as unknown as string).replace(";x;", ";1,5;").replace(";;'-5;", ";Three;5;");
    expect(await reportOf(plant, mended, "kind=skus")).toMatchObject({ created: 2, faulty: 0 });
    const { data } = (await plant.ask("GET", "/v1/skus")).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['=1+1; "x"', "Three"]);
  });
});
