import { useState } from "preact/hooks";
import { locale } from "../../../../app/language.ts";
import { companyQuery } from "../../../../app/session.ts";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { everyOf } from "../../../../data/every.ts";
import { formats } from "../../../../data/plant.ts";
import { useRead } from "../../../../data/query.ts";
import { decimalsOf, numberFrom } from "../../../../domain/formats.ts";
import type { Members } from "../../../../domain/set-up.ts";
import type { Field } from "../../../../form/fields.tsx";
import { alerts } from "../../../../texts/alerts.ts";
import { messages } from "../../../../texts/messages.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { Body } from "../../../../ui/body.tsx";
import { PlainTable } from "../../../../ui/table.tsx";
import { useDesk } from "../../desk-state.ts";
import { loadCauses, type SetUp } from "../../plant-data.ts";
import { flagColumn, itemFields, type ResourceKind, ResourcePage, textColumn } from "../resource-page.tsx";
import { chosenOf, idsOf, linesField, machinesField, scopeText, shiftsField } from "./scope.ts";

const t = messages.alerts;
type Rule = ApiSchema<"AlertRule">;
type Kind = Rule["when"]["kind"];

/** The members of each kind's condition, and what they are at first. */
const conditions: Record<Kind, Readonly<Record<string, number>>> = {
  stop: { minutes: 10 },
  cause: { minutes: 10 },
  not_running: { minutes: 30 },
  no_data: { minutes: 10 },
  unclassified: { minutes: 15 },
  short_stops: { count: 10 },
  oee: { percent: 60, afterMinutes: 60 },
  availability: { percent: 70, afterMinutes: 60 },
  defects: { percent: 5, units: 100 },
  order_late: {},
  help: {},
  gateway_silent: { seconds: 120 },
  gateway_queue: { minutes: 5 },
  gateway_clock: { minutes: 2 },
};
/** Rules of these kinds are about gateways: they name no machines and shifts, and there is no past to try them on. */
const isOfGateways = (kind: Kind) => kind.startsWith("gateway_");
const kinds = Object.keys(conditions) as Kind[];
/** As many levels as the form has; rules made elsewhere may have ten, which it then leaves as they are. */
const LEVELS = [0, 1, 2] as const;

interface People {
  personas: ApiSchema<"Persona">[];
  rooms: ApiSchema<"ChatRoom">[];
  causes: ApiSchema<"StopCause">[];
}

/** The rules that open incidents and tell people. */
export function Alerts() {
  const { setUp: plant } = useDesk();
  const [kind, choose] = useState<Kind>("stop");
  const people = useRead<People>(["alert rules", "people"], async () => {
    const [personas, rooms, causes] = await Promise.all([everyOf("/v1/personas"), everyOf("/v1/chat-rooms"), loadCauses()]);
    return { personas, rooms, causes };
  });
  return (
    <Body loaded={people}>
      {people.data && (
        <ResourcePage
          // The form of a new rule has the fields of the chosen kind.
          key={kind}
          kind={{
            ...kindOf(plant, people.data, kind),
            children: (
              <label class="field choose-item">
                <span>{t.newKind}</span>
                <select value={kind} onChange={({ currentTarget }) => choose(currentTarget.value as Kind)}>
                  {kinds.map((one) => (
                    <option key={one} value={one}>
                      {alerts.kinds[one]}
                    </option>
                  ))}
                </select>
              </label>
            ),
          }}
        />
      )}
    </Body>
  );
}

function kindOf(plant: SetUp, people: People, kind: Kind): ResourceKind<Rule> {
  return {
    path: "/v1/alert-rules",
    texts: t,
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      { name: t.when, cell: whenText, sortBy: whenText },
      { name: t.scope, cell: (rule) => (isOfGateways(rule.when.kind) ? t.gateways : scopeText(plant, rule)) },
      flagColumn(t.active, ({ isActive }) => isActive),
    ],
    permission: "alerts:write",
    form: (rule) => formOf(plant, people, rule?.when.kind ?? kind, rule),
    ...(!isOfGateways(kind) && { tryOut: { label: t.try, trying: t.trying, run: tryRule } }),
  };
}

const conditionField = (member: string): Field => ({ kind: "number", label: t.conditions[member] ?? member });

function formOf(plant: SetUp, { personas, rooms, causes }: People, kind: Kind, rule: Rule | null) {
  const condition = conditions[kind];
  const when = (rule?.when ?? { kind, ...condition }) as unknown as Record<string, number> & { causeIds?: number[] };
  const hasLevels = (rule?.levels.length ?? 0) <= LEVELS.length;
  const options = [
    ...personas.map(({ id, name }) => ({ value: `persona ${id}`, label: name })),
    ...rooms.map(({ id, name }) => ({ value: `room ${id}`, label: t.room(name) })),
  ];
  const levelFields = LEVELS.flatMap((level): [string, Field][] => [
    ...(level > 0 ? [[`after${level}`, { kind: "number", label: t.afterMinutes }] as [string, Field]] : []),
    [`to${level}`, { kind: "several", label: t.levels[level] ?? "", all: t.everybody, options }],
  ]);
  const levelValues = LEVELS.flatMap((level) => {
    const { afterMinutes, personaIds = [], chatRoomIds = [] } = rule?.levels[level] ?? {};
    return [
      [`after${level}`, String(afterMinutes ?? level * 30)],
      [`to${level}`, [...personaIds.map((id) => `persona ${id}`), ...chatRoomIds.map((id) => `room ${id}`)]],
    ];
  });
  const fields: Record<string, Field> = {
    name: { kind: "text", label: t.name, maxLength: 200 },
    ...Object.fromEntries(Object.keys(condition).map((member) => [member, conditionField(member)])),
    isActive: { kind: "flag", label: t.isActive },
    ...(kind === "cause" && {
      causeIds: {
        kind: "several",
        label: t.causes,
        all: t.allCauses,
        options: causes.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    }),
    ...(!isOfGateways(kind) && {
      machineIds: machinesField(plant),
      lineIds: linesField(plant),
      shiftIds: shiftsField(plant),
    }),
    ...(hasLevels && Object.fromEntries(levelFields)),
  };
  return itemFields({
    fields,
    initial: {
      ...{ name: rule?.name ?? alerts.kinds[kind], isActive: rule?.isActive ?? true },
      ...Object.fromEntries(Object.keys(condition).map((member) => [member, numberText(when[member] ?? 0)])),
      causeIds: chosenOf(when.causeIds),
      ...{ machineIds: chosenOf(rule?.machineIds), lineIds: chosenOf(rule?.lineIds), shiftIds: chosenOf(rule?.shiftIds) },
      ...Object.fromEntries(levelValues),
    } as never,
    body: (draft, refuse) => {
      const typed = draft as unknown as Record<string, string & readonly string[]>;
      const numberIn = (name: string): number => {
        const found = numberFrom(typed[name] ?? "", locale);
        if (typeof found === "object") return found.value;
        refuse(name, setUp.faults.number);
        return 0;
      };
      if ((typed.name ?? "").trim() === "") refuse("name", setUp.faults.required);
      if (kind === "cause" && typed.causeIds?.length === 0) refuse("causeIds", setUp.faults.required);
      return {
        name: (typed.name ?? "").trim(),
        when: {
          kind,
          ...Object.fromEntries(Object.keys(condition).map((member) => [member, numberIn(member)])),
          ...(kind === "cause" && { causeIds: (typed.causeIds ?? []).map(Number) }),
        },
        machineIds: idsOf(typed.machineIds ?? [], plant.machines),
        lineIds: idsOf(typed.lineIds ?? [], plant.lines),
        shiftIds: idsOf(typed.shiftIds ?? [], plant.shifts),
        isActive: typed.isActive,
        ...(hasLevels && { levels: levelsOf(typed, numberIn) }),
      };
    },
  });
}

/** The levels at which somebody is notified. The first one is at once. */
function levelsOf(typed: Readonly<Record<string, readonly string[]>>, numberIn: (name: string) => number) {
  const idsIn = (level: number, kind: string) =>
    (typed[`to${level}`] ?? []).filter((one) => one.startsWith(`${kind} `)).map((one) => one.slice(kind.length + 1));
  return LEVELS.filter((level) => level === 0 || (typed[`to${level}`] ?? []).length > 0).map((level) => ({
    afterMinutes: level === 0 ? 0 : numberIn(`after${level}`),
    ...{ personaIds: idsIn(level, "persona"), chatRoomIds: idsIn(level, "room") },
  }));
}

function numberText(value: number): string {
  return formats().number(value, decimalsOf(value));
}

function whenText({ when }: Rule): string {
  const rest = Object.entries(when).flatMap(([member, value]) =>
    typeof value === "number" ? [`${t.conditions[member] ?? member}: ${numberText(value)}`] : [],
  );
  return [alerts.kinds[when.kind], ...rest].join("; ");
}

/** What a rule would have done in the last seven days. */
async function tryRule(rule: Members) {
  const tried = await api("post", "/v1/alert-rules/try", {
    body: { rule: { shiftIds: null, machineIds: null, lineIds: null, ...rule } as never, ...companyQuery() },
    withinMs: 30_000,
  });
  const { dateTime, number } = formats();
  return (
    <>
      <p role="status">{tried.count === 0 ? t.triedNone : t.tried(number(tried.count))}</p>
      {tried.data.length > 0 && (
        <PlainTable
          caption={t.tried(number(tried.count))}
          data={{
            columns: [
              { name: t.machine, cell: ({ machines }) => machines.map(({ name }) => name).join(", ") },
              { name: t.opened, cell: ({ openedAt }) => dateTime(openedAt) },
              { name: t.resolved, cell: ({ resolvedAt }) => (resolvedAt === null ? t.open : dateTime(resolvedAt)) },
            ],
            rows: tried.data.slice(0, MOST_TRIED),
            keyOf: ({ openedAt, machines }) => `${openedAt} ${machines[0]?.id}`,
          }}
        />
      )}
      {tried.count > MOST_TRIED && <p class="quiet">{t.triedMore(number(tried.count - MOST_TRIED))}</p>}
    </>
  );
}

/** How many incidents of a trial are listed. */
const MOST_TRIED = 20;
