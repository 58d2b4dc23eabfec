import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The rule of calls between objects and the Worker, and of queue messages: during a gradual deployment, and after a roll-back, the two versions
// call each other and read each other's messages. So what either sends must fit the other: methods keep their names, parameters and results only
// gain optional members, and a new method is called one release after it can be answered.

/** The interfaces whose methods are called between versions, and the bodies of queue messages. */
const interfaces = [
  { file: "src/objects/machine-protocol.ts", name: "MachineObject" },
  { file: "src/objects/hubs.ts", name: "HubObject" },
  { file: "src/objects/watchdog.ts", name: "HealthObject" },
  { file: "src/events/queues.ts", name: "QueueMessages" },
];

/**
 * Returns how the present interfaces differ from the released ones so that the two versions cannot work together.
 * @param root the folder of the present source
 * @param released the folder of the released source
 */
export function checkCalls(root: string, released: string, compared = interfaces): string[] {
  // Beside the modules that the released source imports.
  const folder = mkdtempSync(join(tmpdir(), "andon-calls-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    symlinkSync(released, join(folder, "released"));
    const config = { extends: join(root, "src/tsconfig.json"), compilerOptions: { preserveSymlinks: true, noEmit: true } };
    // Without the types of the bindings, which would bring the whole service: no interface has them.
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, files: ["calls.ts"], include: [] }));
    const lines = [...helpers, ...compared.flatMap(({ file, name }, i) => comparisonOf(root, folder, file, name, i))];
    writeFileSync(join(folder, "calls.ts"), lines.map(({ code }) => code).join("\n"));
    const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
    // The released source may be no part of the present project: only what is said about the comparison counts.
    return [...stdout.matchAll(/calls\.ts\((\d+),\d+\): error (TS\d+: .*)/g)].map(([, line, error = ""]) => {
      const members = /^TS2322: Type '(.*)' is not assignable to type 'never'/.exec(error)?.[1];
      const said = lines[Number(line) - 1]?.says;
      return said && members
        ? `${said.about}: ${members.replaceAll('"', "")} ${said.wrong}.`
        : `${said?.about ?? "calls.ts"}: ${error}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Line {
  code: string;
  says?: { about: string; wrong: string };
}

// As a type of its own, its parameters are compared strictly; those of methods are not.
const helpers: Line[] = [{ code: "type Call<T> = T extends (...args: infer A) => infer R ? (...args: A) => R : T;" }];

/** The type of the members of an interface that another one does not accept. Not a type with a name: the error would show that. */
function wrong(from: string, to: string): string {
  const both = `keyof ${from} & keyof ${to}`;
  return `{ [K in ${both}]: Call<${from}[K]> extends Call<${to}[K]> ? never : K }[${both}]`;
}

function comparisonOf(root: string, folder: string, file: string, name: string, i: number): Line[] {
  const [now, then] = [`Present${i}`, `Released${i}`];
  const about = `${file}, ${name}`;
  const check = (type: string, wrong: string): Line => ({ code: `((it: ${type}): never => it);`, says: { about, wrong } });
  return [
    { code: `import type { ${name} as ${now} } from "${join(root, file)}";`, says: { about, wrong: "" } },
    { code: `import type { ${name} as ${then} } from "${join(folder, "released", file)}";`, says: { about, wrong: "" } },
    check(`Exclude<keyof ${then}, keyof ${now}>`, "is not there any more, and the released version uses it"),
    check(wrong(now, then), "does not fit what the released version sends or expects"),
    check(wrong(then, now), "sends or expects what the released version does not"),
  ];
}
