import { useState } from "preact/hooks";
import { companyQuery, user } from "../../app/session.ts";
import { recall, remember } from "../../app/store.ts";
import { api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { useRead } from "../../data/query.ts";
import type { SetUpPart } from "../../domain/set-up.ts";
import { Refused } from "../../form/form-end.tsx";
import { reasonOf } from "../../texts/common.ts";
import { left as t } from "../../texts/left.ts";

/** What a plant has besides what its first count takes, in the order of the list. */
const items = ["causes", "skus", "operators", "users", "alerts", "wall", "backup"] as const;
type Item = (typeof items)[number];

const setUp = (kind: SetUpPart) => `/desk/setup?kind=${kind}`;

/** Where each is done. A backup is made by a command. */
const pages: Partial<Record<Item, string>> = {
  causes: setUp("cause"),
  skus: setUp("sku"),
  operators: setUp("people"),
  users: setUp("users"),
  alerts: setUp("alerts"),
  wall: "/pair",
};

/** As many tokens as are searched for one of a wall. */
const MOST_TOKENS = 500;

/** Whether each is done, and how much the set-up lacks. Undefined: it is not known, because the user may not see it or Andon cannot. */
async function readLeft(): Promise<{ done: Partial<Record<Item, boolean>>; findings: number }> {
  const one = { ...companyQuery(), limit: 1 };
  const [check, skus, users, rules, tokens] = await Promise.all([
    api("get", "/v1/setup/check", { query: companyQuery() }),
    api("get", "/v1/skus", { query: one }),
    may("users:read") ? api("get", "/v1/users", { query: { ...one, limit: 2 } }) : null,
    may("reports:read") ? api("get", "/v1/alert-rules", { query: one }) : null,
    may("api-tokens:read") ? api("get", "/v1/api-tokens", { query: { ...one, limit: MOST_TOKENS } }) : null,
  ]);
  const lacks = new Set(check.data.map(({ code }) => code));
  const done = {
    ...{ causes: !lacks.has("no_stop_cause"), skus: skus.data.length > 0, operators: !lacks.has("no_operator") },
    ...(users && { users: users.data.length > 1 }),
    ...(rules && { alerts: rules.data.length > 0 }),
    ...(tokens && { wall: tokens.data.some(({ isOfCompany, machineIds }) => isOfCompany && machineIds === null) }),
  };
  return { done, findings: check.data.length + check.more };
}

/** What is left to set up. What is done is known from the plant; what is skipped, and whether there is a backup, in this browser only. */
export function Left() {
  const loaded = useRead(["left to set up"], readLeft);
  const key = `left.${companyQuery().companyId ?? user.value?.companyId}`;
  const [skipped, setSkipped] = useState<readonly string[]>(() => recall(key)?.split(" ") ?? []);
  const skip = (item: Item, isSkipped: boolean) => {
    const next = [...skipped.filter((one) => one !== item), ...(isSkipped ? [item] : [])];
    remember(key, next.length === 0 ? null : next.join(" "));
    setSkipped(next);
  };
  const done = loaded.data?.done ?? {};
  const shown = items.filter((item) => item === "backup" || item in done);
  return (
    <section class="card" aria-labelledby="left">
      <header class="card-head">
        <h2 id="left">{t.title}</h2>
      </header>
      <p class="quiet">{t.hint}</p>
      <Refused reason={loaded.error === null ? null : reasonOf(loaded.error)} />
      {loaded.data && (
        <>
          <p>
            <a href={setUp("check")}>{t.check(loaded.data.findings)}</a>
          </p>
          <ul class="start-left">
            {shown.map((item) => (
              <ItemLeft
                key={item}
                item={item}
                isDone={done[item] === true}
                isSkipped={skipped.includes(item)}
                skip={(isSkipped) => skip(item, isSkipped)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ItemProps {
  item: Item;
  isDone: boolean;
  isSkipped: boolean;
  skip(isSkipped: boolean): void;
}

function ItemLeft({ item, isDone, isSkipped, skip }: ItemProps) {
  const page = pages[item];
  const name = t.names[item];
  // Whoever has made a backup says so: Andon cannot see it.
  const [mark, skipText, skipName] = item === "backup" ? [t.done, t.isMade, t.isMadeName] : [t.skipped, t.skip, t.skipName(name)];
  const isOver = isDone || isSkipped;
  return (
    <li>
      <p>
        <strong>{page === undefined ? name : <a href={page}>{name}</a>}</strong>
        <span class={isDone || (isSkipped && item === "backup") ? "start-mark is-done" : "start-mark"}>
          {isDone ? t.done : isSkipped ? mark : t.open}
        </span>
      </p>
      {!isOver && <p class="quiet">{t.why[item]}</p>}
      {!isOver && item === "backup" && <pre>{t.command}</pre>}
      {!isDone && (
        <button
          type="button"
          class="button"
          aria-label={isSkipped ? t.againName(name) : skipName}
          onClick={() => skip(!isSkipped)}
        >
          {isSkipped ? t.again : skipText}
        </button>
      )}
    </li>
  );
}
