import { useState } from "preact/hooks";
import { companyQuery } from "../../../../app/session.ts";
import { type ApiSchema, api, send } from "../../../../data/api.ts";
import { usePaged } from "../../../../data/paged.ts";
import { firstOf } from "../../../../data/pages.ts";
import { formats } from "../../../../data/plant.ts";
import { type ChangedMember, changedMembers, keyOfEntry, nameOfEntry, namesOfEntries } from "../../../../domain/audit-entries.ts";
import { decimalsOf } from "../../../../domain/formats.ts";
import { history as t } from "../../../../texts/history.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { ListCard } from "../../../../ui/list-card.tsx";
import { ChangeButton } from "../../change-button.tsx";
import { useDesk } from "../../desk-state.ts";
import { nameOfField } from "../value-text.ts";

type Entry = ApiSchema<"AuditEntry">;
type Kind = keyof typeof t.kinds;

/** How many rows are shown at first, and added with each press. */
const STEP = 50;
/** How many changed members an entry lists. */
const MOST_MEMBERS = 8;
/** How much of a value is shown. */
const MOST_CHARACTERS = 120;

/** Where a deleted object of a kind is restored. */
const restorable: Partial<Record<string, string>> = {
  user: "/v1/users",
  line: "/v1/lines",
  machine: "/v1/machines",
  shift: "/v1/shifts",
  "calendar-day": "/v1/calendar-days",
  operator: "/v1/operators",
  sku: "/v1/skus",
  "stop-cause": "/v1/stop-causes",
  "operator-plan": "/v1/operator-plans",
  widget: "/v1/widgets",
  dashboard: "/v1/dashboards",
  "defect-reason": "/v1/defect-reasons",
  "alert-rule": "/v1/alert-rules",
  "chat-room": "/v1/chat-rooms",
  "report-subscription": "/v1/report-subscriptions",
  "webhook-subscription": "/v1/webhook-subscriptions",
};

/** Everything that people have changed, in sentences, the newest first. What was deleted can come back. */
export function History() {
  const [kind, choose] = useState<Kind | "">("");
  const [restored, setRestored] = useState<string | null>(null);
  const list = usePaged(["/v1/audit", kind], STEP, (most) => {
    const query = { ...companyQuery(), limit: STEP, ...(kind !== "" && { objectType: kind }) };
    return firstOf(most, (cursor) => api("get", "/v1/audit", { query: { ...query, ...cursor } }));
  });
  const { machines, lines, shifts } = useDesk().setUp;
  const current = Object.entries({ machine: machines, line: lines, shift: shifts }).flatMap(([objectType, all]) =>
    all.map((one) => ({ objectType, objectId: String(one.id), after: one })),
  );
  const names = namesOfEntries([...list.rows, ...current]);
  const nameOf = (entry: Entry) => nameOfEntry(entry) ?? names.get(keyOfEntry(entry)) ?? entry.objectId;
  const kinds = (Object.keys(t.kinds) as Kind[]).sort((a, b) => (t.kinds[a] < t.kinds[b] ? -1 : 1));
  return (
    <ListCard
      title={t.title}
      hint={t.hint}
      list={list}
      none={t.none}
      keyOf={({ id }) => id}
      status={<p role="status">{restored !== null && setUp.deleted.restored(restored)}</p>}
      columns={[
        { name: t.time, cell: ({ time }) => formats().dateTime(time) },
        { name: t.who, cell: whoText },
        { name: t.what, cell: (entry) => sentenceOf(entry, nameOf(entry)) },
        { name: t.change, cell: (entry) => <Changes members={changedMembers(entry)} /> },
        {
          name: "",
          cell: (entry) => <Restore entry={entry} name={nameOf(entry)} onRestored={() => setRestored(nameOf(entry))} />,
        },
      ]}
    >
      <label class="field choose-item">
        <span>{t.about}</span>
        <select value={kind} onChange={({ currentTarget }) => choose(currentTarget.value as Kind | "")}>
          <option value="">{t.everything}</option>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t.kinds[one]}
            </option>
          ))}
        </select>
      </label>
    </ListCard>
  );
}

function whoText({ userId, userName, apiTokenId }: Entry): string {
  const who = userId === 0 ? t.service : (userName ?? t.user(userId));
  return apiTokenId === null ? who : t.byProgram(who);
}

/** "Machine Press 1 was changed". */
function sentenceOf(entry: Entry, name: string): string {
  const [, verb = ""] = entry.action.split(".");
  const kind = t.kinds[entry.objectType as Kind] ?? entry.objectType;
  return t.sentence(kind, name, t.verbs[verb] ?? verb);
}

function Changes({ members }: { members: readonly ChangedMember[] }) {
  return (
    <>
      {members.slice(0, MOST_MEMBERS).map(({ name, before, after }) => (
        <div key={name} class="long-text">
          {t.changed(nameOfField(name), valueText(before), valueText(after))}
        </div>
      ))}
      {members.length > MOST_MEMBERS && <div>{t.more(members.length - MOST_MEMBERS)}</div>}
    </>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return setUp.nothing;
  if (typeof value === "boolean") return value ? setUp.yes : setUp.no;
  if (typeof value === "number") return formats().number(value, decimalsOf(value));
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return formats().dateTime(value);
  const text = typeof value === "string" ? (setUp.options[value] ?? value) : partsOf(value).join(", ");
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** The texts of a list's items, or of an object's members. */
function partsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(valueText);
  return Object.entries(value as object).map(([name, one]) => `${nameOfField(name)} ${valueText(one)}`);
}

/** Brings a deleted object back. */
function Restore({ entry, name, onRestored }: { entry: Entry; name: string; onRestored(): void }) {
  const path = restorable[entry.objectType];
  if (path === undefined || !entry.action.endsWith(".delete")) return null;
  return (
    <ChangeButton
      label={setUp.deleted.restore}
      name={setUp.deleted.of(setUp.deleted.restore, name)}
      change={(idempotencyKey) =>
        send("post", `${path}/{id}/restore`, { path: { id: entry.objectId }, query: companyQuery(), idempotencyKey })
      }
      onChanged={onRestored}
    />
  );
}
