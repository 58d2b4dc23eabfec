import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { httpConfig, httpSource } from "../../../bridge/src/sources/http/http.ts";
import { contextFor, until } from "../support/context.ts";
import { freePort } from "../support/modbus.ts";

function curl(parameters: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...parameters], (error, out) =>
      error ? reject(new Error(`Debian's package curl is missing, or failed: ${error.message}`)) : resolve(out),
    );
  });
}

test("what curl sends as a query, a form and JSON is stored before it is answered", async () => {
  const port = await freePort();
  const ways = [
    { profile: "query", parameters: [`http://127.0.0.1:${port}/?in1=7`] },
    { profile: "form", parameters: ["-d", "in1=7", `http://127.0.0.1:${port}/`] },
    { profile: "json", parameters: ["-d", '{"in1":"7"}', `http://127.0.0.1:${port}/`] },
  ];
  for (const { profile, parameters } of ways) {
    const signal = [{ machine: "P1", kind: "total", field: "in1" }];
    const config = httpConfig.parse({ id: "io", type: "http", host: "127.0.0.1", port, profile, signal });
    const context = contextFor(config.signal);
    const running = httpSource(config).run(context);
    await until("it listens", () => context.states.length > 0);
    expect([profile, await curl(parameters), context.readings.map(({ value }) => value)]).toEqual([profile, "200", ["7"]]);
    context.end();
    await running;
  }
});
