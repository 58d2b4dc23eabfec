import { useState } from "preact/hooks";
import { locale } from "../../../../app/language.ts";
import { type AnswerOf, type ApiSchema, api } from "../../../../data/api.ts";
import { everyOf } from "../../../../data/every.ts";
import { useRead } from "../../../../data/query.ts";
import { weekdayName, weekdays } from "../../../../domain/days.ts";
import type { Field } from "../../../../form/fields.tsx";
import { Refused } from "../../../../form/form-end.tsx";
import { useTrial } from "../../../../form/use-mutation.ts";
import { messages } from "../../../../texts/messages.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { Body } from "../../../../ui/body.tsx";
import { flagColumn, itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";

const t = messages.personas;
type Persona = ApiSchema<"Persona">;
type Rule = ApiSchema<"AlertRule">;
type Result = AnswerOf<"post", "/v1/personas/{id}/test">["data"][number];
const tested = ["email", "sms", "whatsapp", "push", "in_app"] as const;

/** Who is told of alerts and gets reports: by which way, and at which hours. */
export function Personas() {
  const rules = useRead(["/v1/alert-rules"], () => everyOf("/v1/alert-rules"));
  return <Body loaded={rules}>{rules.data && <ResourcePage kind={kindOf(rules.data)} />}</Body>;
}

function kindOf(rules: readonly Rule[]): ResourceKind<Persona> {
  return {
    path: "/v1/personas",
    texts: t,
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      { name: t.ways, cell: waysText },
      { name: t.rules, cell: ({ alertIds }) => rulesText(alertIds, rules) },
      flagColumn(t.active, ({ isActive }) => isActive),
    ],
    permission: "personas:write",
    form: (persona) => (persona ? changeForm(persona, rules) : newForm()),
    tools: (persona, open) => (
      <RowButton label={t.test} name={persona.name} onPress={() => open(<Test key={persona.id} persona={persona} />)} />
    ),
  };
}

function newForm() {
  return itemFields({
    fields: { name: { kind: "text", label: t.name, maxLength: 200 } },
    initial: { name: "" },
    body: ({ name }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      return { name: name.trim() };
    },
  });
}

/** Hours of a day, as they are typed: "06:00–22:00"; empty: none. */
const HOURS = /^(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)$/;

function changeForm(persona: Persona, rules: readonly Rule[]) {
  const { sms, whatsapp, email } = persona;
  const hours = persona.alertHours as Readonly<Record<string, { start: string; end: string }>>;
  const fields: Record<string, Field> = {
    name: { kind: "text", label: t.name, maxLength: 200 },
    isActive: { kind: "flag", label: t.isActive },
    email: { kind: "text", label: t.email, maxLength: 254 },
    sms: { kind: "text", label: t.sms, maxLength: 16 },
    whatsapp: { kind: "text", label: t.whatsapp, maxLength: 16 },
    language: {
      kind: "choice",
      label: t.language,
      options: [
        { value: "english", label: "English" },
        { value: "spanish", label: "Español" },
      ],
    },
    ...Object.fromEntries(
      weekdays.map((day, i) => [day, { kind: "text", label: t.hoursOf(weekdayName(i, locale)), maxLength: 20 } as const]),
    ),
    alertIds: {
      kind: "several",
      label: t.rules,
      all: t.allRules,
      options: rules.map(({ id, name }) => ({ value: id, label: name })),
    },
  };
  return itemFields({
    fields,
    initial: {
      ...{ name: persona.name, isActive: persona.isActive, language: persona.language, alertIds: persona.alertIds },
      ...{ email: shown(email), sms: shown(sms), whatsapp: shown(whatsapp) },
      ...Object.fromEntries(weekdays.map((day) => [day, hoursText(hours[day])])),
    },
    body: (draft, refuse) => {
      const text = (name: string) => String(draft[name] ?? "").trim();
      const sent = weekdays.map((day) => {
        if (text(day) === "") return [day, NO_HOURS];
        const [, start, end] = HOURS.exec(text(day)) ?? [];
        if (start === undefined) refuse(day, t.hoursFault);
        return [day, { start, end }];
      });
      if (text("name") === "") refuse("name", setUp.faults.required);
      return {
        ...{ name: text("name"), isActive: draft.isActive, language: draft.language, alertIds: draft.alertIds },
        ...{ email: contactOf(text("email")), sms: contactOf(text("sms")), whatsapp: contactOf(text("whatsapp")) },
        alertHours: Object.fromEntries(sent),
      };
    },
  });
}

/** Equal times: nobody is told on that day. */
const NO_HOURS = { start: "00:00", end: "00:00" };

function hoursText({ start, end } = NO_HOURS): string {
  return start === end ? "" : `${start}–${end}`;
}

/** A contact's value while it is used. */
function shown({ value, isActive }: Persona["email"]): string {
  return isActive ? value : "";
}

/** An empty contact is not used, and keeps nothing. */
function contactOf(value: string) {
  return { value, isActive: value !== "" };
}

function waysText({ sms, whatsapp, email, push }: Persona): string {
  const ways = [shown(email), shown(sms), shown(whatsapp) !== "" && t.byWhatsapp(whatsapp.value)].filter(Boolean);
  const devices = push.filter(({ isActive }) => isActive).length;
  return [...ways, devices > 0 && t.devices(devices)].filter(Boolean).join(", ") || t.noWay;
}

function rulesText(ids: readonly string[], rules: readonly Rule[]): string {
  return ids.map((id) => rules.find((one) => one.id === id)?.name ?? t.deletedRule).join(", ") || setUp.nothing;
}

/** Sends a message now, and says what became of it. */
function Test({ persona: { id, name } }: { persona: Persona }) {
  const work = useTrial();
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const test = (channel: (typeof tested)[number]) =>
    work.run(async () => {
      setResults(null);
      const { data } = await api("post", "/v1/personas/{id}/test", { path: { id }, body: { channel }, withinMs: 30_000 });
      setResults(data);
    });
  return (
    <>
      <h3>{t.testOf(name)}</h3>
      <Refused reason={work.reason} />
      <p class="form-buttons">
        {tested.map((channel) => (
          <button key={channel} type="button" class="button" disabled={work.isWaiting} onClick={() => void test(channel)}>
            {t.channels[channel]}
          </button>
        ))}
      </p>
      <p role="status">{results && (results.map(({ status, reason }) => t.result(status, reason)).join(" ") || t.noContact)}</p>
    </>
  );
}
