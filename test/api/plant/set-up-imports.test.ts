import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { newPlant } from "./plant-file/full-plant.ts";

type Plant = Awaited<ReturnType<typeof newPlant>>;

const send = async ({ token }: Plant, file: string | Uint8Array, query: string) =>
  await call("POST", `/v1/setup/imports?${query}`, { token, body: file as string, headers: { "content-type": "text/csv" } });

describe("POST /v1/setup/imports", () => {
  it("imports", async () => {
    const plant = await newPlant(); const out: unknown[] = [];
    for (const [kind, csv] of Object.entries({
      skus: "SKU;Descripción;Tiempo de ciclo\n0005;Tapón;1,5\n=cmd;Otro;\n",
      operators: "code,name\nO-1,Ana\n",
      lines: "name,order\nL1,3\n",
      machines: "ref,name,nodeId,line\nM1,Press,4,L1\n",
      "stop-causes": "name,above,programmed\nJam,Breakdown,\nBreakdown,,yes\n",
      "defect-reasons": "name\nScratch\n",
    })) {
      const dry = await send(plant, csv, `kind=${kind}&dryRun=true`);
      out.push(JSON.stringify(dry.body));
      const real = await send(plant, csv, `kind=${kind}`);
      out.push(JSON.stringify(real.body));
      const again = await send(plant, csv, `kind=${kind}`);
      out.push(JSON.stringify(again.body.unchanged) + again.body.id);
      const undo = await plant.ask("POST", `/v1/setup/imports/${real.body.id}/undo`);
      out.push(JSON.stringify(undo.body));
      const once = await send(plant, csv, `kind=${kind}`);
      out.push(JSON.stringify(once.body.created));
    }
    out.push(JSON.stringify(await plant.file()));
    throw new Error(out.join("\n"));
  });
});
