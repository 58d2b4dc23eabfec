import { z } from "zod";
import { duration } from "../../config/duration.ts";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import type { Source } from "../source.ts";

/** The package with the source itself. It is not a dependency of the bridge: its library has more of them than all the rest of the bridge. */
const packageName = "andon-bridge-opcua";
const howToInstall =
  `OPC UA is not installed: run \`npm install ${packageName}\` where andon-bridge is installed (with -g, if it is installed for all), ` +
  `or start \`npx -p andon-bridge -p ${packageName} andon-bridge\``;
/** The longest time between two samples or two notifications. */
const SLOWEST_MS = 60_000;

const interval = duration.refine((ms) => ms >= 10 && ms <= SLOWEST_MS, "must be 10ms to 1min");

/** Nodes of an OPC UA server, to which the bridge subscribes. */
export const opcuaConfig = z
  .strictObject({
    ...sourceMembers,
    type: z.literal("opcua"),
    endpoint: z
      .string()
      .max(500)
      .regex(/^opc\.tcp:\/\/[^\s/:@]+(?::\d{1,5})?(?:\/\S*)?$/, 'must be an address such as "opc.tcp://10.0.4.20:4840"')
      .meta({ description: "The address of the server" }),
    security: z.enum(["None", "Sign", "SignAndEncrypt"]).default("None").meta({
      description: "How messages are protected. Not `None`: `trust` says which certificate the server has",
    }),
    policy: z.enum(["Basic256Sha256", "Aes128_Sha256_RsaOaep", "Aes256_Sha256_RsaPss"]).default("Basic256Sha256").meta({
      description: "The security policy, unless `security` is `None`",
    }),
    trust: z
      .string()
      .regex(
        /^(?:[0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/,
        "must be the SHA-256 fingerprint of a certificate: 64 hexadecimal digits",
      )
      .optional()
      .meta({ description: "The SHA-256 fingerprint of the server's certificate. `check` shows the one that the server has" }),
    certificates: z.string().min(1).optional().meta({
      description:
        "The folder of the bridge's own certificate, which is made at the first start. By default `opcua` in systemd's StateDirectory, else in `andon-bridge-state` beside this file",
    }),
    username: z.string().min(1).max(256).optional(),
    password_file: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "The file with the password: passwords are not in the configuration" }),
    password_env: z.string().min(1).optional().meta({ description: "Or the environment variable with the password" }),
    publish: interval.prefault("500ms").meta({ description: "How often the server tells what has changed" }),
    clock: z.enum(["source", "bridge"]).default("source").meta({
      description:
        "Whose time values have: the server's source timestamps, or that of the bridge, for servers whose clocks are wrong",
    }),
    signal: z
      .array(
        z.strictObject({
          ...signalMembers,
          node: z
            .string()
            .max(500)
            .regex(/^(?:ns=\d{1,5};)?[isgb]=.+$/, 'must be a node id, such as "ns=2;s=Line1.Total" or "ns=3;i=1001"')
            .meta({ description: "The node id of the variable" }),
          sampling: interval.prefault("250ms").meta({ description: "How often the server looks at the variable" }),
          queue: z.int().min(1).max(10_000).default(100).meta({
            description:
              "How many changes the server keeps for the bridge, between two notifications and while the connection is broken",
          }),
          trigger: z.enum(["value", "timestamp"]).default("value").meta({
            description:
              "`timestamp`: the same value with a new source timestamp is news too, as a `delta` needs it if the server stamps writes alone",
          }),
        }),
      )
      .min(1)
      .max(1000),
  })
  .superRefine((source, context) => {
    const { username, password_file, password_env, publish, silence } = source;
    const complain = (member: string, message: string) => context.addIssue({ code: "custom", path: [member], message });
    if (password_file !== undefined && password_env !== undefined) complain("password_env", "excludes password_file");
    const hasPassword = password_file !== undefined || password_env !== undefined;
    if (username !== undefined && !hasPassword) complain("username", "needs password_file or password_env");
    if (username === undefined && hasPassword) complain("username", "is needed with a password");
    if (silence < 6 * publish)
      complain("silence", "must be at least six times `publish`: a server that has no news says so every third time");
  });
export type OpcuaConfig = z.infer<typeof opcuaConfig>;

/** What the package offers. */
interface OpcuaPackage {
  opcuaSource(config: OpcuaConfig): Source;
}

export function opcuaSource(config: OpcuaConfig): Source {
  return {
    run: async (context) => {
      const loaded = await loadPackage();
      if (typeof loaded !== "string") return loaded.opcuaSource(config).run(context);
      context.report({ state: "failed", error: loaded });
      context.log(loaded);
      await aborted(context.abort);
    },
    async *check(abort) {
      const loaded = await loadPackage();
      if (typeof loaded === "string") yield { step: "package", ok: false, detail: loaded };
      else yield* loaded.opcuaSource(config).check(abort);
    },
    async *discover(abort, forMs) {
      const loaded = await loadPackage();
      if (typeof loaded === "string") throw new Error(loaded);
      yield* loaded.opcuaSource(config).discover?.(abort, forMs) ?? [];
    },
  };
}

/** The package, or what to do to have it. */
async function loadPackage(): Promise<OpcuaPackage | string> {
  // In the repository it is not installed beside the bridge: it is a folder of it.
  const isInRepository = import.meta.url.endsWith("/bridge/src/sources/opcua/opcua.ts");
  const name = isInRepository ? new URL("../../../opcua/src/index.ts", import.meta.url).href : packageName;
  try {
    return (await import(name)) as OpcuaPackage;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND";
    if (isMissing && isInRepository) return "OPC UA is not installed: run `npm ci --prefix bridge/opcua`";
    if (isMissing && message.includes(`'${packageName}'`)) return howToInstall;
    return `${packageName} cannot be loaded: ${message}`;
  }
}

function aborted(abort: AbortSignal): Promise<void> {
  if (abort.aborted) return Promise.resolve();
  return new Promise((done) => abort.addEventListener("abort", () => done(), { once: true }));
}
