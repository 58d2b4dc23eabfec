import type { SourceConfig } from "../sources/types.ts";

/** A source of each type, as `init` writes it: MACHINE is replaced. */
export const examples: Partial<Record<SourceConfig["type"], string>> = {
  simulator: `# A machine that does not exist, for trying Andon: one piece at every interval.
[[source]]
id = "simulator"
type = "simulator"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
every = "5s"
`,
};
