import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Command, configFile } from "./command.ts";
import { examples } from "./examples.ts";

export const init: Command = {
  usage: "[FILE]",
  summary: "asks for the address of Andon and a source, and writes a configuration to begin with",
  run: async (args, options) => {
    const file = configFile(args, options);
    if (existsSync(file)) {
      console.error(`${file} is there already: change it with an editor, or name another file.`);
      return 1;
    }
    const lines = createInterface({ input: process.stdin });
    const answers = lines[Symbol.asyncIterator]();
    const types = Object.keys(examples);
    const url = await asked(answers, "Address of Andon", "http://localhost:8787", isAddress);
    const type = await asked(answers, `Type of the source (${types.join(", ")})`, "simulator", (text) => types.includes(text));
    const machine = await asked(answers, "Reference of the machine in Andon", "P1", (text) =>
      /^[^"\\\p{Cc}]{1,100}$/u.test(text),
    );
    lines.close();
    const source = examples[type as keyof typeof examples]?.replaceAll("MACHINE", machine) ?? "";
    writeFileSync(file, `${headOf(url)}\n${source}`, { flag: "wx" });
    console.log(`Wrote ${file}. Next:
  andon-bridge pair CODE --config ${file}     with a code from the set-up of Andon
  andon-bridge check ${file}
  andon-bridge preview ${file}
  andon-bridge run ${file}`);
    return 0;
  },
};

function headOf(url: string): string {
  return `# The bridge to Andon: what it reads, and where it sends it. Every member: andon-bridge schema.
[andon]
url = "${url}"

[queue]
max_age = "14d"                    # older events are dropped, and reported
max_bytes = "2GB"
`;
}

/** Asks until the answer is good; an empty one is the proposal. The end of the input is an empty answer, too. */
async function asked(
  answers: AsyncIterator<string>,
  question: string,
  proposal: string,
  isGood: (text: string) => boolean,
): Promise<string> {
  for (;;) {
    process.stdout.write(`${question} [${proposal}]: `);
    const { value, done } = await answers.next();
    const text = done ? "" : value.trim();
    if (done) process.stdout.write("\n");
    if (text === "") return proposal;
    if (isGood(text)) return text;
    console.log(`"${text}" does not do.`);
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !text.includes('"');
}
