import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readConfig } from "../config/config.ts";
import { createAndon } from "../upstream/andon.ts";
import { createOffset } from "../upstream/offset.ts";
import { version } from "../version.ts";
import { type Command, configFile, UsageError } from "./command.ts";

export const pair: Command = {
  usage: "CODE",
  summary: "gets the bridge's token with a code from the set-up of Andon, and writes it to its file",
  run: async ([code, ...rest], options) => {
    if (code === undefined) throw new UsageError("Which code? The set-up of Andon shows one, under gateways.");
    const { andon, tokenFile } = readConfig(configFile(rest, options));
    const written = `${tokenFile}.new`;
    // Before the code is used up: the token is in the answer, and nowhere else.
    mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 });
    writeFileSync(written, "", { mode: 0o600 });
    chmodSync(written, 0o600);
    const offset = createOffset();
    const service = createAndon({ url: andon.url, tokenFile: null, offset, now: Date.now, version });
    const answer = await service.send("POST", "/v1/gateway-pairings/confirm", { code });
    if (answer.kind !== "ok") {
      rmSync(written);
      console.error(answer.kind === "failed" ? answer.detail : refusalText(answer.status, answer.detail));
      return 1;
    }
    const { name, token } = answer.body as { name: string; token: string };
    writeFileSync(written, `${token}\n`);
    renameSync(written, tokenFile);
    console.log(`Paired as "${name}". The token is in ${tokenFile}.`);
    return 0;
  },
};

function refusalText(status: number, detail: string): string {
  if (status === 400) return "The code is wrong, was used, or is older than 15 minutes: make another one.";
  if (status === 404) return "This Andon knows no pairing: make a gateway token there, and write it into the token's file.";
  return `Andon refuses: ${detail}`;
}
