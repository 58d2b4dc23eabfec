import "./actions.css";
import { companyQuery, user } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { usePaged, useSteps } from "../../../data/paged.ts";
import { someOf } from "../../../data/pages.ts";
import { formats } from "../../../data/plant.ts";
import { byDueDate, isAt } from "../../../domain/actions.ts";
import { actions as t } from "../../../texts/actions.ts";
import { Empty } from "../../../ui/body.tsx";
import { More } from "../../../ui/more.tsx";
import type { Column } from "../../../ui/table.tsx";
import { actedOn } from "../acted-on.ts";
import { Card } from "../card.tsx";
import { ChangeButton } from "../change-button.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { type Action, daysText, dayText, lossTextOf, placeText, useOpenActions } from "./data.ts";
import { DueText } from "./due-text.tsx";
import { SmallEffect } from "./effect.tsx";

/** How many rows are shown at first, and added with each press: what became of each loss is added up when it is shown. */
const STEP = 20;
const names = t.columns;

/** What people do about losses, those that are due first, and what became of the losses. */
export function ActionsView() {
  const { state } = useDesk();
  return (
    <div class="desk-column">
      <Part>
        <OpenOnes />
      </Part>
      <Part>
        <EndedOnes key={`${state.ownerId} ${state.machineId} ${state.lineId}`} />
      </Part>
      {state.actionId !== null && (
        <Part>
          <ActionDialog key={state.actionId} id={state.actionId} />
        </Part>
      )}
    </div>
  );
}

function OpenOnes() {
  const { state, setUp, hrefWith } = useDesk();
  const { number } = formats();
  const loaded = useOpenActions();
  const all = loaded.data ?? [];
  const here = all.filter(
    (action) => isAt(action, state, setUp.machines) && (state.ownerId === null || action.owner.id === state.ownerId),
  );
  const overdue = here.filter(({ isOverdue }) => isOverdue);
  const list = useSteps(loaded, byDueDate(state.isOverdue ? overdue : here), STEP);
  const mayWrite = may("actions:write");
  const last: Column<Action> = {
    name: "",
    isShown: mayWrite,
    cell: (action) => (
      <ChangeButton
        label={t.setDone}
        name={t.setDoneOf(lossTextOf(action))}
        change={(idempotencyKey) =>
          api("patch", "/v1/actions/{id}", { path: { id: action.id }, body: { state: "done" }, idempotencyKey })
        }
      />
    ),
  };
  const { machineId, lineId } = state;
  return (
    <>
      <Card
        title={t.title}
        sub={loaded.data ? t.sum(number(here.length), number(overdue.length)) : undefined}
        loaded={loaded}
        csv={{ path: "/v1/actions", query: { ...companyQuery(), states: ["open"] }, name: "actions" }}
        isTable
        tools={
          <p class="chips">
            <a class="tool" href={hrefWith({ isOverdue: false })} aria-current={state.isOverdue ? undefined : "true"}>
              {t.all}
            </a>
            <a class="tool" href={hrefWith({ isOverdue: true })} aria-current={state.isOverdue ? "true" : undefined}>
              {t.overdue}
            </a>
            <ChooseOwner all={all} />
            {mayWrite && (
              <button
                type="button"
                class="tool"
                onClick={() => {
                  actedOn.value = { lossKey: null, name: "", days: null, machineId, lineId };
                }}
              >
                {t.new}
              </button>
            )}
          </p>
        }
        table={{
          columns: [...useColumns(), due, effect, last],
          rows: list.rows,
          most: list.most,
          keyOf: ({ id }) => id,
          isMarked: ({ isOverdue }) => isOverdue,
          isStacked: true,
        }}
        empty={
          list.rows.length === 0 ? <Empty title={all.length > 0 ? t.noMatch : mayWrite ? t.none : t.noneToRead} /> : undefined
        }
      >
        {null}
      </Card>
      {list.hasMore && <More shown={list.most} onMore={list.more} />}
    </>
  );
}

/** The choice of whose actions are listed: of those who have open ones, and oneself. */
function ChooseOwner({ all }: { all: readonly Action[] }) {
  const { state, go } = useDesk();
  const owners = new Map(all.map(({ owner }) => [owner.id, owner.name ?? ""]));
  for (const id of [user.value?.userId, state.ownerId]) {
    if (typeof id === "number" && !owners.has(id)) owners.set(id, id === user.value?.userId ? t.me : String(id));
  }
  return (
    <select
      class="control"
      aria-label={t.owner}
      value={String(state.ownerId ?? "")}
      onChange={({ currentTarget: { value } }) => go({ ownerId: value === "" ? null : Number(value) })}
    >
      <option value="">{t.everybody}</option>
      {[...owners].map(([id, name]) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  );
}

function EndedOnes() {
  const { state, setUp } = useDesk();
  const { machineId, lineId, ownerId } = state;
  const query = {
    ...companyQuery(),
    states: ["done" as const, "dropped" as const],
    ...(ownerId !== null && { ownerIds: [ownerId] }),
  };
  const list = usePaged(["/v1/actions", query, machineId, lineId], STEP, async (most) => {
    const found = await someOf<Action>(
      most + 1,
      (action) => isAt(action, state, setUp.machines),
      (cursor) => api("get", "/v1/actions", { query: { ...query, limit: 100, ...cursor } }),
    );
    return { data: found.slice(0, most), hasMore: found.length > most };
  });
  const ended: Column<Action> = {
    name: names.state,
    cell: ({ state: one, endedAt }) => t.endedOn(t.states[one], dayText(endedAt ?? "")),
    sortBy: ({ endedAt }) => endedAt,
  };
  return (
    <>
      <Card
        title={t.ended}
        loaded={list}
        csv={{ path: "/v1/actions", query, name: "actions-ended" }}
        isTable
        table={{
          columns: [...useColumns(), ended, effect],
          rows: list.rows,
          keyOf: ({ id }) => id,
          isStacked: true,
          isPartial: list.hasMore,
        }}
        empty={list.rows.length === 0 ? <Empty title={t.noneEnded} /> : undefined}
      >
        {null}
      </Card>
      {list.hasMore && <More shown={list.rows.length} onMore={list.more} />}
    </>
  );
}

/** The columns that open and ended actions have. */
function useColumns(): Column<Action>[] {
  const { hrefWith } = useDesk();
  return [
    {
      name: names.loss,
      cell: (action) => <a href={hrefWith({ actionId: action.id })}>{lossTextOf(action)}</a>,
      sortBy: lossTextOf,
    },
    { name: names.place, cell: placeText, sortBy: placeText },
    { name: names.measure, cell: ({ measure }) => <span class="action-measure">{measure}</span> },
    { name: names.owner, cell: ({ owner }) => owner.name, sortBy: ({ owner }) => owner.name },
  ];
}

const due: Column<Action> = { name: names.due, cell: (action) => DueText({ action }), sortBy: ({ dueOn }) => dueOn };
const effect: Column<Action> = {
  name: names.effect,
  cell: ({ id, from, to, minutes }) => <SmallEffect id={id}>{t.was(daysText(from, to), formats().number(minutes))}</SmallEffect>,
};
