import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { login } from "./api.ts";
import { freePort, newPlant, type Plant } from "./plant.ts";
import { buildServed, endServed, serve, stateFolder } from "./served.ts";

// The recipes for Caddy and nginx, as they are, but for name, ports and certificate. Debian's packages `caddy` and `nginx`; without them the tests
// are skipped.

const recipes = resolve(import.meta.dirname, "../../scripts/serve");
const isInstalled = (program: string) => spawnSync(program, ["version"]).error === undefined;

/** A text with each of the replacements done once. Throws if one of them has nothing to replace. */
function withReplaced(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((before, [old, wanted]) => {
    if (!before.includes(old)) throw new Error(`The recipe has no ${old}`);
    return before.replace(old, wanted);
  }, text);
}

/** A proxy, and how its recipe is run for a test. */
interface Proxy {
  program: string;
  /** Addresses of this computer that only its test uses: the service counts requests by address. */
  clients: [string, string];
  /** Writes the recipe into the folder, and returns the arguments of the program. */
  prepare(folder: string, port: number, upstream: number): string[];
}

const proxies: Proxy[] = [
  {
    program: "caddy",
    clients: ["127.0.1.1", "127.0.1.2"],
    prepare(folder, port, upstream) {
      const recipe = withReplaced(readFileSync(join(recipes, "Caddyfile"), "utf8"), [
        ["admin off", "admin off\n\tskip_install_trust\n\tauto_https disable_redirects"],
        ["andon.plant.example", `localhost:${port}`],
        ["# tls internal", "tls internal"],
        ["127.0.0.1:8788", `127.0.0.1:${upstream}`],
      ]);
      const file = join(folder, "Caddyfile");
      writeFileSync(file, recipe);
      return ["run", "--adapter", "caddyfile", "--config", file];
    },
  },
  {
    program: "nginx",
    clients: ["127.0.2.1", "127.0.2.2"],
    prepare(folder, port, upstream) {
      const [certificate, key] = [join(folder, "andon.crt"), join(folder, "andon.key")];
      const made = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=localhost",
        "-out",
        certificate,
        "-keyout",
        key,
      ];
      execFileSync("openssl", made, { stdio: "ignore" });
      const recipe = withReplaced(readFileSync(join(recipes, "nginx.conf"), "utf8"), [
        ["443 ssl", `${port} ssl`],
        ["andon.plant.example", "localhost"],
        ["/etc/ssl/andon.crt", certificate],
        ["/etc/ssl/andon.key", key],
        ["127.0.0.1:8788", `127.0.0.1:${upstream}`],
      ]);
      writeFileSync(join(folder, "andon.conf"), recipe);
      // What a package's nginx.conf has around it, with files in this folder.
      const paths = ["client_body", "proxy", "fastcgi", "scgi", "uwsgi"].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const file = join(folder, "nginx.conf");
      writeFileSync(
        file,
        `daemon off;\npid ${join(folder, "nginx.pid")};\nevents {}\nhttp {\naccess_log off;\n${paths.join("\n")}\ninclude ${join(folder, "andon.conf")};\n}\n`,
      );
      return ["-e", "stderr", "-p", folder, "-c", file];
    },
  },
];

const running: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "andon-proxies-"));
// Started by root, nginx works as another user, who has to reach its files.
chmodSync(folder, 0o711);
let plant: Plant;
let upstream: number;
let token: string;

beforeAll(async () => {
  await buildServed();
  const state = stateFolder();
  plant = await newPlant(state, 1);
  await executeSqlFile(state, plant.sqlFile);
  upstream = await freePort();
  const { url } = await serve(state, upstream, { TRUSTED_PROXY: "127.0.0.1 ::1" });
  token = await login(url, plant);
}, 600_000);

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await endServed();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

/** Sends a request to a proxy, from one of this computer's addresses, and reads the answer: until `enough` of its text has arrived, if given. */
function ask(
  port: number,
  path: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Buffer;
    from?: string;
    enough?: (text: string) => boolean;
  } = {},
): Promise<Answer> {
  const { method = "GET", headers = {}, body, from = "127.0.0.1", enough = () => false } = options;
  return new Promise((done, fail) => {
    const sent = request(
      {
        host: "127.0.0.1",
        servername: "localhost",
        port,
        path,
        method,
        localAddress: from,
        rejectUnauthorized: false,
        agent: false,
      },
      (answer) => {
        let text = "";
        const finish = () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        answer.setEncoding("utf8").on("data", (part) => {
          text += part;
          if (!enough(text)) return;
          sent.destroy();
          finish();
        });
        answer.on("end", finish).on("error", fail);
      },
    );
    sent.setHeader("host", `localhost:${port}`);
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    sent.on("upgrade", (answer, socket) => {
      socket.destroy();
      done({ status: answer.statusCode ?? 0, headers: answer.headers, text: "" });
    });
    sent.on("error", fail).end(body);
  });
}

/** Starts the proxy with its recipe in front of the service; returns its port. */
async function start({ program, prepare }: Proxy): Promise<number> {
  const own = join(folder, program);
  mkdirSync(own);
  const port = await freePort();
  const child = spawn(program, prepare(own, port, upstream), {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own },
  });
  running.push(child);
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => (errors += text));
  const isListening = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        done(true);
      });
      socket.on("error", () => done(false));
    });
  await expect.poll(async () => (await isListening()) || errors, { timeout: 20_000 }).toBe(true);
  return port;
}

describe.each(proxies)("$program with its recipe", (proxy) => {
  test.skipIf(!isInstalled(proxy.program))(
    `${proxy.program} passes pages, sockets, event streams and long bodies, and each client keeps an address that it cannot choose`,
    async () => {
      const port = await start(proxy);
      const page = await ask(port, "/wall");
      expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect((await ask(port, "/cdn-cgi/handler/scheduled")).status).toBe(404);

      const left = async (from: string, headers: Record<string, string> = {}) => {
        const json = { "content-type": "application/json", ...headers };
        const answer = await ask(port, "/identity/login", { method: "POST", headers: json, body: "{}", from });
        return Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
      };
      const [one, other] = proxy.clients;
      const first = await left(one);
      const claims = [{ "x-forwarded-for": "192.0.2.1" }, { "cf-connecting-ip": "192.0.2.2" }, { forwarded: "for=192.0.2.3" }];
      const others = [];
      for (const claim of claims) others.push(await left(one, claim));
      expect(others).toEqual([first - 1, first - 2, first - 3]);
      expect(await left(other)).toBe(first);

      const socket = await ask(port, "/v1/live", {
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          origin: `https://localhost:${port}`,
          "sec-websocket-version": "13",
          "sec-websocket-key": Buffer.alloc(16).toString("base64"),
          "sec-websocket-protocol": `andon.v1, bearer.${token}`,
        },
      });
      expect([socket.status, socket.headers["sec-websocket-protocol"]]).toEqual([101, "andon.v1"]);
      // A proxy that keeps answers back until they end would never deliver the first message.
      const stream = await ask(port, "/v1/live", {
        headers: { accept: "text/event-stream", authorization: `Bearer ${token}` },
        enough: (text) => text.includes("event: snapshot"),
      });
      expect([stream.status, stream.text]).toEqual([200, expect.stringContaining("event: snapshot")]);

      // As large as a picture may be, which is more than what nginx allows by itself. The service reads it, and says that it is no picture.
      const boundary = "andon";
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
      const picture = await ask(port, "/widgets/1/thumbnail", {
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary=${boundary}`, authorization: `Bearer ${token}` },
        body: Buffer.concat([Buffer.from(head), Buffer.alloc(5_000_000, " "), Buffer.from(`\r\n--${boundary}--\r\n`)]),
      });
      expect([picture.status, picture.headers["content-type"]]).toEqual([400, "application/problem+json"]);
    },
  );
});
