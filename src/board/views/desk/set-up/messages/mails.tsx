import { locale } from "../../../../app/language.ts";
import { type ApiSchema, api, send } from "../../../../data/api.ts";
import { everyOf } from "../../../../data/every.ts";
import { formats } from "../../../../data/plant.ts";
import { useRead } from "../../../../data/query.ts";
import { weekdayName, weekdays } from "../../../../domain/days.ts";
import { messages } from "../../../../texts/messages.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { Body } from "../../../../ui/body.tsx";
import { ChangeButton } from "../../change-button.tsx";
import { useDesk } from "../../desk-state.ts";
import type { SetUp } from "../../plant-data.ts";
import { itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";
import { MailView } from "./mail-view.tsx";
import { chosenOf, idsOf, linesField, machinesField, scopeText, shiftsField } from "./scope.ts";

const t = messages.mails;
type Subscription = ApiSchema<"ReportSubscription">;
const kinds = ["shift", "daily", "weekly"] as const;

interface Receivers {
  personas: ApiSchema<"Persona">[];
  webhooks: ApiSchema<"WebhookSubscription">[];
}

/** The reports that are sent by mail and to webhooks. */
export function Mails() {
  const { setUp: plant } = useDesk();
  const receivers = useRead<Receivers>(["reports", "receivers"], async () => {
    const [personas, webhooks] = await Promise.all([everyOf("/v1/personas"), everyOf("/v1/webhook-subscriptions")]);
    return { personas, webhooks };
  });
  return <Body loaded={receivers}>{receivers.data && <ResourcePage kind={kindOf(plant, receivers.data)} />}</Body>;
}

function kindOf(plant: SetUp, receivers: Receivers): ResourceKind<Subscription> {
  return {
    path: "/v1/report-subscriptions",
    texts: t,
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      {
        name: t.kind,
        cell: ({ kind, time }) => [t.kinds[kind], time ?? ""].filter(Boolean).join(" "),
        sortBy: ({ kind }) => kind,
      },
      { name: t.scope, cell: (one) => scopeText(plant, one) },
      {
        name: t.next,
        cell: ({ nextRunAt, isActive, kind }) =>
          nextRunAt !== null ? formats().dateTime(nextRunAt) : isActive && kind === "shift" ? t.afterShift : t.off,
      },
    ],
    permission: "report-subscriptions:write",
    form: (one) => formOf(plant, receivers, one),
    tools: (one, open) => (
      <>
        <RowButton label={t.preview} name={one.name} onPress={() => open(<Preview key={one.id} subscription={one} />)} />
        <ChangeButton
          label={t.sendNow}
          name={`${t.sendNow}: ${one.name}`}
          change={(idempotencyKey) => api("post", "/v1/report-subscriptions/{id}/run", { path: { id: one.id }, idempotencyKey })}
        />{" "}
      </>
    ),
  };
}

/** The fields of a report. */
function formOf(plant: SetUp, { personas, webhooks }: Receivers, one: Subscription | null) {
  return itemFields({
    fields: {
      name: { kind: "text", label: t.name, maxLength: 200 },
      kind: { kind: "choice", label: t.kind, options: kinds.map((value) => ({ value, label: t.kinds[value] })) },
      time: { kind: "text", label: t.time, maxLength: 5 },
      language: {
        kind: "choice",
        label: t.language,
        options: [
          { value: "en", label: "English" },
          { value: "es", label: "Español" },
        ],
      },
      isActive: { kind: "flag", label: t.isActive },
      weekdays: {
        kind: "several",
        label: t.weekdays,
        all: t.everyDay,
        options: weekdays.map((value, i) => ({ value, label: weekdayName(i, locale) })),
      },
      addresses: { kind: "lines", label: t.addresses },
      personaIds: {
        kind: "several",
        label: t.personas,
        all: t.allPersonas,
        options: personas.map(({ id, name }) => ({ value: id, label: name })),
      },
      webhookSubscriptionIds: {
        kind: "several",
        label: t.webhooks,
        all: t.allWebhooks,
        options: webhooks.map(({ id, url, description }) => ({ value: id, label: description || url })),
      },
      machineIds: machinesField(plant),
      lineIds: linesField(plant),
      shiftIds: shiftsField(plant),
    },
    initial: {
      ...{
        name: one?.name ?? "",
        kind: one?.kind ?? "daily",
        time: one ? (one.time ?? "") : "06:30",
        language: one?.language ?? "en",
      },
      ...{ isActive: one?.isActive ?? true, weekdays: one?.weekdays ?? [], addresses: (one?.addresses ?? []).join("\n") },
      ...{ personaIds: one?.personaIds ?? [], webhookSubscriptionIds: one?.webhookSubscriptionIds ?? [] },
      ...{ machineIds: chosenOf(one?.machineIds), lineIds: chosenOf(one?.lineIds), shiftIds: chosenOf(one?.shiftIds) },
    },
    body: ({ kind, time, weekdays: days, addresses, ...draft }, refuse) => {
      if (draft.name.trim() === "") refuse("name", setUp.faults.required);
      if (kind !== "shift" && time.trim() === "") refuse("time", setUp.faults.required);
      const isShift = kind === "shift";
      return {
        ...{ name: draft.name.trim(), kind, language: draft.language, isActive: draft.isActive },
        time: isShift ? null : time.trim(),
        weekdays: isShift || days.length === 0 || days.length === weekdays.length ? null : days,
        addresses: addresses.split(/[\s,;]+/).filter(Boolean),
        ...{ personaIds: draft.personaIds, webhookSubscriptionIds: draft.webhookSubscriptionIds },
        machineIds: idsOf(draft.machineIds, plant.machines),
        lineIds: idsOf(draft.lineIds, plant.lines),
        shiftIds: isShift ? idsOf(draft.shiftIds, plant.shifts) : null,
      };
    },
  });
}

/** The mail of the newest period, as it would be now. */
function Preview({ subscription: { id, name } }: { subscription: Subscription }) {
  const loaded = useRead(
    ["/v1/report-subscriptions/{id}/preview", id],
    async () => {
      const mail = await send<Blob>("get", "/v1/report-subscriptions/{id}/preview", {
        path: { id },
        headers: { accept: "text/html" },
        as: "blob",
        withinMs: 30_000,
      });
      return await mail.text();
    },
    { isOnce: true },
  );
  return (
    <>
      <h3>{t.previewOf(name)}</h3>
      <Body loaded={loaded}>{loaded.data && <MailView title={t.previewOf(name)} html={loaded.data} />}</Body>
    </>
  );
}
