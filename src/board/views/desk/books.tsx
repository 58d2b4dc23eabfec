import "./orphaned-edits.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { addDays, dayOf, startOfDay } from "../../domain/days.ts";
import { iso, MINUTE_MS } from "../../domain/time.ts";
import { Form, useForm } from "../../form/form.tsx";
import { past } from "../../texts/past.ts";
import { setUp as texts } from "../../texts/set-up.ts";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";
import { ClosingSums } from "./closing-sums.tsx";
import { useDesk } from "./desk-state.ts";
import { HeldEvents } from "./held-events.tsx";
import { Part } from "./part.tsx";

const t = past.books;
type Closing = ApiSchema<"BookClosing">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;
/** How often the list is loaded again while a closing or reopening is under way. */
const PROGRESS_MS = 2000;

/** Up to when the books are closed, and all closings; admins close and reopen them. Below is what is held. */
export function Books() {
  const [isClosing, close] = useState(false);
  const [reopened, reopen] = useState<Closing | null>(null);
  const [summedId, showSums] = useState<number | null>(null);
  const list = usePaged(
    ["/v1/books/closings"],
    STEP,
    (most) =>
      firstOf(most, (cursor) => api("get", "/v1/books/closings", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
    { everyMs: (found) => (found?.data.some(isUnderWay) ? PROGRESS_MS : null) },
  );
  const { rows: data } = list;
  const mayChange = may("set-up:write");
  const summed = data.find(({ id }) => id === summedId);
  const newest = data.find(({ state }) => state === "closed");
  const isFree = !data.some(isUnderWay);
  const { dateTime } = formats();
  const names = t.columns;
  const columns: Column<Closing>[] = [
    { name: names.upTo, cell: ({ to }) => dateTime(to), sortBy: ({ to }) => to },
    {
      name: names.state,
      cell: ({ state, failure }) => [t.states[state], failure].filter(Boolean).join(": "),
      sortBy: ({ state }) => t.states[state],
    },
    {
      name: names.leftOpen,
      cell: ({ findings }) => findings.map(({ code, count }) => findingText(code, count)).join(", ") || t.nothingLeft,
    },
    { name: names.why, cell: whyText },
    {
      name: names.actions,
      cell: (one) => (
        <>
          {one.state !== "closing" && one.state !== "failed" && (
            <button
              type="button"
              class="tool"
              aria-label={t.sumsTitle(dateTime(one.to))}
              onClick={() => showSums(one.id === summedId ? null : one.id)}
            >
              {t.sums}
            </button>
          )}
          {mayChange && isFree && one.id === newest?.id && (
            <button type="button" class="tool" onClick={() => reopen(one)}>
              {t.reopen}
            </button>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <ListCard
        title={t.title}
        hint={t.hint}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        none={t.none}
        tool={
          mayChange &&
          list.data !== null &&
          isFree &&
          !isClosing && (
            <button type="button" class="tool" onClick={() => close(true)}>
              {t.close}
            </button>
          )
        }
        status={<p role="status">{stateText(data)}</p>}
      >
        {isClosing && <CloseForm after={newest?.to ?? null} onEnd={() => close(false)} />}
      </ListCard>
      {summed && (
        <Part>
          <ClosingSums key={`sums ${summed.id} ${summed.state}`} {...summed} onClose={() => showSums(null)} />
        </Part>
      )}
      {reopened && (
        <Part>
          <ReopenForm key={reopened.id} closing={reopened} onEnd={() => reopen(null)} />
        </Part>
      )}
      <Part>
        <HeldEvents key={`${newest?.id ?? ""} ${isFree}`} />
      </Part>
    </>
  );
}

/** Whether machines still follow it. */
function isUnderWay({ state, machinesLeft }: Closing): boolean {
  return state === "closing" || (machinesLeft > 0 && state !== "closed");
}

/** The state of the books in words. */
function stateText(closings: readonly Closing[]): string {
  const going = closings.find(isUnderWay);
  if (going) return going.state === "closing" ? t.going(going.machinesLeft) : t.reopening(going.machinesLeft);
  const closed = closings.find(({ state }) => state === "closed");
  return closed ? t.closedTo(formats().dateTime(closed.to)) : t.open;
}

function whyText({ createdBy, createdAt, isForced, reason, reopenedAt, reopenedBy, reopenReason }: Closing): string {
  const { dateTime } = formats();
  const closed = [t.by(createdBy?.name ?? t.byItself, dateTime(createdAt)), isForced && t.forced, reason];
  const texts = [closed.filter(Boolean).join(", ")];
  if (reopenedAt !== null) {
    texts.push([t.reopenedBy(reopenedBy?.name ?? t.byItself, dateTime(reopenedAt)), reopenReason].filter(Boolean).join(", "));
  }
  return texts.join("; ");
}

/** What people have left open, in words. */
function findingText(code: string, count: number): string {
  return t.findings[code]?.(count) ?? `${code} (${formats().number(count)})`;
}

interface CloseProps {
  /** Up to when they are closed already; null: they are open. */
  after: string | null;
  onEnd(): void;
}

/** Closes the books up to the end of a day. What is left open is shown first, and can be left so with a reason. */
function CloseForm({ after, onEnd }: CloseProps) {
  const { setUp } = useDesk();
  const yesterday = addDays(dayOf(Date.now(), setUp.timezone), -1);
  // Said of the day whose open points were shown.
  const [forcedDay, force] = useState<string | null>(null);
  const form = useForm({
    fields: {
      day: { kind: "day", label: t.day, last: yesterday },
      reason: { kind: "text", label: t.reason, maxLength: 500 },
    },
    initial: { day: yesterday, reason: "" },
    body: ({ day, reason }, refuse) => {
      const isForced = forcedDay === day;
      if (isForced && reason.trim() === "") refuse("reason", t.forceNeedsReason);
      const to = iso(startOfDay(addDays(day, 1), setUp.timezone));
      return { ...companyQuery(), to, force: isForced, ...(reason.trim() !== "" && { reason: reason.trim() }) };
    },
    send: (body, idempotencyKey) => api("post", "/v1/books/closings", { body, idempotencyKey, withinMs: MINUTE_MS }),
    onSent: onEnd,
  });
  const found = openPoints(form.work.error);
  const isForced = forcedDay === form.draft.day;
  return (
    <Form
      form={form}
      label={t.formTitle}
      send={t.send}
      sending={t.sending}
      cancel={{ label: t.cancel, onCancel: onEnd }}
      isFocused={false}
      {...(found.length > 0 && { reason: null })}
      intro={after !== null && !form.work.isWaiting && <p class="quiet">{t.closedTo(formats().dateTime(after))}</p>}
    >
      <div role="alert">
        {found.length > 0 && (
          <div class="refusal">
            <p>{t.leftOpen}</p>
            <ul>
              {found.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {(found.length > 0 || isForced) && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isForced}
            onChange={({ currentTarget }) => force(currentTarget.checked ? form.draft.day : null)}
          />
          {t.force}
        </label>
      )}
    </Form>
  );
}

/** What a refused closing says that people have left open. */
function openPoints(error: unknown): string[] {
  if (!(error instanceof Refusal) || error.status !== 409) return [];
  const points = error.faults.filter(({ code }) => code in t.findings);
  return points.map(({ code, message }) => findingText(code, Number.parseInt(message, 10) || 0));
}

/** Reopens a closing, with a reason. */
function ReopenForm({ closing: { id, to }, onEnd }: { closing: Closing; onEnd(): void }) {
  const title = t.reopenTitle(formats().dateTime(to));
  const form = useForm({
    fields: { reason: { kind: "text", label: t.reason, maxLength: 500 } },
    initial: { reason: "" },
    body: ({ reason }, refuse) => {
      if (reason.trim() === "") refuse("reason", texts.faults.required);
      return { reason: reason.trim() };
    },
    send: (body, idempotencyKey) =>
      api("post", "/v1/books/closings/{id}/reopen", { path: { id }, body, idempotencyKey, withinMs: MINUTE_MS }),
    onSent: onEnd,
  });
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        <p class="card-sub">{t.reopenHint}</p>
      </header>
      <Form
        form={form}
        label={title}
        send={t.reopenSend}
        sending={t.reopeningNow}
        cancel={{ label: t.cancel, onCancel: onEnd }}
      />
    </section>
  );
}
