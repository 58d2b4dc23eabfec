import "./gateways.css";
import { serverNow } from "../../../../app/clock.ts";
import type { ApiSchema } from "../../../../data/api.ts";
import { type Gateway, useGateways } from "../../../../data/gateways.ts";
import { may } from "../../../../data/may.ts";
import { formats } from "../../../../data/plant.ts";
import { gatewayState, isClockWrong } from "../../../../domain/gateways.ts";
import { SECOND_MS } from "../../../../domain/time.ts";
import { PairGateway } from "../../../../form/pair-gateway.tsx";
import { access } from "../../../../texts/access.ts";
import { gateways as texts } from "../../../../texts/gateways.ts";
import { setUp } from "../../../../texts/set-up.ts";
import type { Column } from "../../../../ui/table.tsx";
import { itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";
import { GatewayDetails } from "./gateway-details.tsx";
import { ShownOnce } from "./shown-once.tsx";

const t = access.gateways;
const PERMISSION = "gateways:write";

type Token = ApiSchema<"GatewayToken">;
type Status = NonNullable<Gateway["status"]>;

/** The gateways: their tokens, how they are doing, and how a bridge gets its token. */
export function Gateways() {
  const reports = new Map((useGateways().data ?? []).map(({ id, status }) => [id, status]));
  const statusOf = ({ id }: Token): Status | null => reports.get(id) ?? null;
  return <ResourcePage kind={{ ...kind, columns: columnsOf(statusOf) }} />;
}

const kind: Omit<ResourceKind<Token>, "columns"> = {
  path: "/v1/gateway-tokens",
  texts: t,
  nameOf: ({ name }) => name,
  permission: PERMISSION,
  form: (token) =>
    itemFields({
      fields: { name: { kind: "text", label: t.name, maxLength: 200 } },
      initial: { name: token?.name ?? "" },
      body: ({ name }, refuse) => {
        if (name.trim() === "") refuse("name", setUp.faults.required);
        return { name: name.trim() };
      },
    }),
  made: ({ token }) => <ShownOnce label={t.shownOnce} secret={token} />,
  tool: (open) =>
    may(PERMISSION) && (
      <button
        type="button"
        class="tool"
        onClick={() =>
          open(
            <section aria-labelledby="pair-gateway">
              <h3 id="pair-gateway">{texts.pair.open}</h3>
              <p class="quiet">{texts.pair.hint}</p>
              <PairGateway isFocused />
            </section>,
          )
        }
      >
        {texts.pair.open}
      </button>
    ),
  tools: ({ id, name }, open) => <RowButton label={texts.details} name={name} onPress={() => open(<GatewayDetails id={id} />)} />,
};

function columnsOf(statusOf: (token: Token) => Status | null): Column<Token>[] {
  const ofStatus = (text: (status: Status) => string) => (token: Token) => {
    const status = statusOf(token);
    return status === null ? "–" : text(status);
  };
  return [
    textColumn(t.name, ({ name }) => name),
    { name: texts.columns.state, cell: (token) => <State status={statusOf(token)} /> },
    {
      name: texts.columns.heard,
      cell: (token) => {
        const status = statusOf(token);
        return status === null ? texts.never : formats().dateTime(status.heardAt);
      },
      sortBy: (token) => statusOf(token)?.heardAt ?? null,
    },
    { name: texts.columns.queue, cell: ofStatus(queueText) },
    { name: texts.columns.sources, cell: ofStatus(sourcesText) },
    { name: texts.columns.clock, cell: ofStatus(clockOf) },
    { name: texts.columns.version, cell: ofStatus(({ version }) => version) },
    { name: t.made, cell: ({ createdAt }) => formats().dateTime(createdAt), sortBy: ({ createdAt }) => createdAt },
  ];
}

function State({ status }: { status: Status | null }) {
  const state = gatewayState(status, serverNow());
  return <span class={`gateway-state is-${state}`}>{texts.states[state]}</span>;
}

/** What waits at a gateway, and what was refused or is lost. */
function queueText({ queue: { events, oldestAt, quarantined, dropped } }: Status): string {
  const { number, dateTime } = formats();
  const lost = dropped.reduce((sum, one) => sum + one.events, 0);
  const waits = events === 0 ? texts.empty : texts.events(events, number(events));
  return [
    oldestAt === null || events === 0 ? waits : `${waits} ${texts.since(dateTime(oldestAt))}`,
    ...(quarantined > 0 ? [texts.refused(number(quarantined))] : []),
    ...(lost > 0 ? [texts.lost(number(lost))] : []),
  ].join(", ");
}

function sourcesText({ sources }: Status): string {
  const { number } = formats();
  return texts.works(number(sources.filter(({ state }) => state === "ok").length), number(sources.length));
}

function clockOf(status: Status): string {
  const { clockSkewMs } = status;
  if (clockSkewMs === null) return texts.unknown;
  if (!isClockWrong(status)) return texts.right;
  const seconds = formats().number(Math.round(Math.abs(clockSkewMs) / SECOND_MS));
  return clockSkewMs > 0 ? texts.ahead(seconds) : texts.behind(seconds);
}
