import { useEffect, useMemo, useState } from "preact/hooks";
import { serverNow } from "../../app/clock.ts";
import { companyQuery } from "../../app/session.ts";
import { type AnswerOf, type ApiSchema, api } from "../../data/api.ts";
import { follow, type Row } from "../../data/live.ts";
import { formats } from "../../data/plant.ts";
import { countCommand } from "../../domain/first-machine.ts";
import { iso } from "../../domain/time.ts";
import { Refused } from "../../form/form-end.tsx";
import { useMutation, useTrial } from "../../form/use-mutation.ts";
import { start } from "../../texts/start.ts";
import { later } from "../../ui/later.tsx";
import { Step } from "./step.tsx";

const t = start.connect;

/** Loaded later, with its texts: it is long, and nothing arrives in the first moment. */
const Signals = later(async () => {
  const { load } = await import("../../texts/signals.ts");
  await load();
  return (await import("./signals.tsx")).Signals;
});

/** Loaded later, too: few have a bridge in the first moment. */
const Bridge = later(async () => {
  const { load } = await import("../../texts/gateways.ts");
  await load();
  return (await import("./bridge.tsx")).Bridge;
});

type Sensor = AnswerOf<"get", "/v1/count-sensors">["data"][number];

interface ConnectProps {
  machines: readonly ApiSchema<"Machine">[];
  sensors: readonly Sensor[];
}

/** How signals of a machine become counts: by hand, or by a device; and what has arrived, live. */
export function Connect({ machines, sensors }: ConnectProps) {
  const live = useMemo(() => follow(), []);
  useEffect(() => live.close, [live]);
  const [chosenId, choose] = useState<number | null>(null);
  const machine = machines.find(({ id }) => id === chosenId) ?? machines[0];
  const row = machine && live.row(machine.id).value;
  const sensor = sensors.find((one) => one.machineId === machine?.id);
  const isHeard = typeof row?.lastEventAt === "string";
  return (
    <Step id="connect" title={t.title} hint={machine ? t.hint : t.none} isDone={isHeard}>
      {machines.length > 1 && (
        <label class="field">
          <span>{t.choose}</span>
          <select value={machine?.id} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {machines.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {machine && (
        <>
          <div class={isHeard ? "start-machine is-counted" : "start-machine"} role="status">
            <strong>{machine.name}</strong>
            {heardText(row)}
          </div>
          <TryIt machine={machine} sensor={sensor} />
          <Bridge />
          <Signals machineIds={machines.map(({ id }) => id)} machine={{ ...machine, isHeard }} sensors={sensor} />
        </>
      )}
    </Step>
  );
}

/** What a machine has sent so far. */
function heardText(row: Row | undefined): string {
  if (typeof row?.lastEventAt !== "string") return t.waiting;
  const { number, time } = formats();
  const heard = t.heard(time(row.lastEventAt));
  return row.shift === null ? `${t.outside} ${heard}` : `${t.counted(number(row.total ?? 0))}. ${heard}`;
}

interface TryItProps {
  machine: ApiSchema<"Machine">;
  sensor: Sensor | undefined;
}

function TryIt({ machine, sensor }: TryItProps) {
  const trying = useTrial();
  const [refused, setRefused] = useState<string | null>(null);
  const making = useMutation();
  const [token, setToken] = useState<string | null>(null);
  const config = sensor?.configs.find(({ type }) => type === "total") ?? sensor?.configs[0];
  const event = { type: "count" as const, nodeId: config?.nodeId ?? machine.nodeId, channel: config?.channel ?? 1, value: 1 };
  const pulse = () =>
    trying.run(async () => {
      const body = { events: [{ ...event, at: iso(serverNow()) }] };
      const { rejected } = await api("post", "/v1/ingest", { body });
      setRefused(rejected[0] ? t.refused(rejected[0].code) : null);
    });
  const makeToken = () =>
    making.run(async () => {
      const body = { ...companyQuery(), name: t.tokenName(machine.name) };
      setToken((await api("post", "/v1/gateway-tokens", { body, idempotencyKey: making.key })).token);
    });
  return (
    <>
      <Refused reason={trying.reason ?? refused ?? making.reason} />
      <p class="form-buttons">
        <button type="button" class="button primary" disabled={trying.isWaiting} onClick={() => void pulse()}>
          {trying.isWaiting ? t.sending : t.try}
        </button>
      </p>
      <h3>{t.device}</h3>
      <p class="quiet">{t.deviceHint}</p>
      {token === null ? (
        <button type="button" class="button" disabled={making.isWaiting} onClick={() => void makeToken()}>
          {t.makeToken}
        </button>
      ) : (
        <pre>{countCommand(location.origin, token, event)}</pre>
      )}
    </>
  );
}
