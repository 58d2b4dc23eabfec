import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { usePaged } from "../../../../data/paged.ts";
import { firstOf } from "../../../../data/pages.ts";
import { formats } from "../../../../data/plant.ts";
import { Refused } from "../../../../form/form-end.tsx";
import { useMutation, useTrial } from "../../../../form/use-mutation.ts";
import { messages } from "../../../../texts/messages.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { ListCard } from "../../../../ui/list-card.tsx";
import { ChangeButton } from "../../change-button.tsx";
import { useDesk } from "../../desk-state.ts";
import type { SetUp } from "../../plant-data.ts";
import { ShownOnce } from "../access/shown-once.tsx";
import { itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";
import { chosenOf, idsOf, linesField, machinesField } from "./scope.ts";

const t = messages.webhooks;
type Webhook = ApiSchema<"WebhookSubscription">;
const events = Object.keys(t.events) as (keyof typeof t.events)[];
const STEP = 20;

/** Calls to other systems, with what became of each. */
export function Webhooks() {
  return <ResourcePage kind={kindOf(useDesk().setUp)} />;
}

function kindOf(plant: SetUp): ResourceKind<Webhook> {
  return {
    path: "/v1/webhook-subscriptions",
    texts: t,
    nameOf: ({ description, url }) => description || url,
    columns: [
      textColumn(t.description, ({ description }) => description),
      textColumn(t.url, ({ url }) => url),
      { name: t.what, cell: ({ events: some }) => some?.map((one) => t.events[one]).join(", ") ?? t.allEvents },
      { name: t.state, cell: stateText, sortBy: stateText },
    ],
    permission: "webhooks:write",
    form: (webhook) =>
      itemFields({
        fields: {
          description: { kind: "text", label: t.description, maxLength: 200 },
          url: { kind: "text", label: t.urlHint, maxLength: 2000 },
          isActive: { kind: "flag", label: t.isActive },
          ...(!webhook && { hasOwnSecret: { kind: "flag", label: t.ownSecret } as const }),
          events: {
            kind: "several",
            label: t.what,
            all: t.allEvents,
            options: events.map((value) => ({ value, label: t.events[value] })),
          },
          machineIds: machinesField(plant),
          lineIds: linesField(plant),
        },
        initial: {
          ...{ description: webhook?.description ?? "", url: webhook?.url ?? "", isActive: webhook?.isActive ?? true },
          ...{ hasOwnSecret: true, events: webhook?.events ?? events },
          ...{ machineIds: chosenOf(webhook?.machineIds), lineIds: chosenOf(webhook?.lineIds) },
        },
        body: ({ description, url, isActive, hasOwnSecret, events: some, machineIds, lineIds }, refuse) => {
          if (url.trim() === "") refuse("url", setUp.faults.required);
          if (some.length === 0) refuse("events", t.chooseOne);
          return {
            ...{ description: description.trim(), url: url.trim(), isActive, ...(!webhook && { hasOwnSecret }) },
            events: some.length === events.length ? null : some,
            ...{ machineIds: idsOf(machineIds, plant.machines), lineIds: idsOf(lineIds, plant.lines) },
          };
        },
      }),
    made: ({ secret }) => (secret === null ? t.companySecret : <ShownOnce label={t.shownOnce} secret={secret} />),
    tools: (webhook, open) => (
      <>
        <RowButton label={t.ping} name={webhook.url} onPress={() => open(<Ping key={webhook.id} webhook={webhook} />)} />
        <RowButton
          label={t.deliveries}
          name={webhook.url}
          onPress={() => open(<Deliveries key={webhook.id} webhook={webhook} />)}
        />
      </>
    ),
  };
}

function stateText({ isActive, endedAt, endedBecause, failingSince }: Webhook): string {
  const { dateTime } = formats();
  if (endedAt !== null) return t.ended(dateTime(endedAt), endedBecause === "gone" ? t.gone : t.failed);
  if (!isActive) return t.off;
  return failingSince === null ? t.works : t.failing(dateTime(failingSince));
}

/** Calls the receiver now. */
function Ping({ webhook: { id, url } }: { webhook: Webhook }) {
  const work = useTrial();
  const secret = useMutation();
  const [said, say] = useState<string | null>(null);
  const [newSecret, setSecret] = useState<string | null>(null);
  const ping = () =>
    work.run(async () => {
      say(null);
      const answer = await api("post", "/v1/webhook-subscriptions/{id}/ping", { path: { id }, withinMs: 30_000 });
      say(answer.error === null ? t.answered(answer.status ?? 0, answer.durationMs) : t.noAnswer(answer.error));
    });
  const rotate = () =>
    secret.run(async () => {
      const answer = await api("post", "/v1/webhook-subscriptions/{id}/rotate-secret", {
        path: { id },
        idempotencyKey: secret.key,
      });
      setSecret(answer.secret ?? "");
    });
  return (
    <>
      <h3>{url}</h3>
      <Refused reason={work.reason ?? secret.reason} />
      <p class="form-buttons">
        <button type="button" class="button primary" disabled={work.isWaiting} onClick={() => void ping()}>
          {t.pingNow}
        </button>
        <button type="button" class="button" disabled={secret.isWaiting} onClick={() => void rotate()}>
          {t.rotate}
        </button>
      </p>
      <div role="status">
        {said}
        {newSecret !== null && <ShownOnce label={t.rotated} secret={newSecret} />}
      </div>
    </>
  );
}

/** What was sent, with each call; any of it can be sent again. */
function Deliveries({ webhook: { id, url } }: { webhook: Webhook }) {
  const list = usePaged(["/v1/webhook-subscriptions/{id}/deliveries", id], STEP, (most) =>
    firstOf(most, (cursor) =>
      api("get", "/v1/webhook-subscriptions/{id}/deliveries", { path: { id }, query: { limit: STEP, ...cursor } }),
    ),
  );
  const { dateTime } = formats();
  return (
    <ListCard
      title={t.deliveriesOf(url)}
      hint={t.deliveriesHint}
      list={list}
      none={t.noDeliveries}
      keyOf={({ eventId }) => eventId}
      columns={[
        { name: t.event, cell: ({ eventType }) => t.events[eventType] },
        { name: t.at, cell: ({ createdAt }) => dateTime(createdAt) },
        {
          name: t.state,
          cell: ({ status, calls }) => [t.statuses[status], calls[calls.length - 1]?.error ?? ""].filter(Boolean).join(": "),
        },
        { name: t.calls, cell: ({ calls }) => calls.length, isNumber: true },
        {
          name: "",
          cell: ({ eventId, eventType }) => (
            <ChangeButton
              label={t.again}
              name={`${t.again}: ${t.events[eventType]} ${eventId}`}
              change={(idempotencyKey) =>
                api("post", "/v1/webhook-subscriptions/{id}/deliveries/{eventId}/replay", {
                  path: { id, eventId },
                  idempotencyKey,
                })
              }
            />
          ),
        },
      ]}
    />
  );
}
