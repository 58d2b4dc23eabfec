import "./pair.css";
import { useSignal } from "@preact/signals";
import type { Route } from "../../app/route.ts";
import { companyQuery, user } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { everyOf } from "../../data/every.ts";
import { may } from "../../data/may.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { distances } from "../../domain/wall-layout.ts";
import { common, reasonOf } from "../../texts/common.ts";
import { pair } from "../../texts/pair.ts";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";

const SignInPage = later(async () => (await import("../../ui/sign-in-page.tsx")).SignInPage);
/** Most codes are those of walls. */
const ChooseMachines = later(async () => (await import("./choose-machines.tsx")).ChooseMachines);
const kinds = ["wall", "terminal"] as const;

/** The page where an admin confirms the code of a wall or a terminal, on a phone or a computer. */
export default function Pair({ route }: { route: Route }) {
  if (route.path.length > 0) return <NotFound />;
  if (!user.value) return <SignInPage />;
  return (
    <main class="sheet pair">
      <h1>{pair.title}</h1>
      {may("api-tokens:write") && <PairForm />}
      <p>
        <a href="/">{common.toStart}</a>
      </p>
    </main>
  );
}

function PairForm() {
  const loaded = useRead(["/v1/lines"], async () => {
    await loadPlant();
    return await everyOf("/v1/lines");
  });
  const lines = loaded.data ?? [];
  const kind = useSignal<(typeof kinds)[number]>("wall");
  const chosen = useSignal<readonly number[]>([]);
  const machineIds = useSignal<readonly number[]>([]);
  const reason = useSignal<string | null>(null);
  const isWaiting = useSignal(false);
  const paired = useSignal<string | null>(null);
  const shownReason = reason.value ?? (loaded.error === null ? null : reasonOf(loaded.error));

  async function confirm(form: HTMLFormElement): Promise<void> {
    const entered = new FormData(form);
    const code = String(entered.get("code"));
    const name = String(entered.get("name"));
    const distance = distances.find((one) => String(one) === entered.get("distance")) ?? 5;
    const lineIds = chosen.value.length > 0 ? [...chosen.value] : null;
    const display = { ...companyQuery(), code, name };
    if (kind.value === "terminal" && machineIds.value.length === 0) {
      reason.value = pair.chooseOne;
      return;
    }
    isWaiting.value = true;
    reason.value = null;
    try {
      if (kind.value === "wall") await api("post", "/v1/wall-pairings/confirm", { body: { ...display, lineIds, distance } });
      else await api("post", "/v1/terminal-pairings/confirm", { body: { ...display, machineIds: [...machineIds.value] } });
      paired.value = name;
      machineIds.value = [];
    } catch (error) {
      reason.value = reasonOf(error);
    }
    isWaiting.value = false;
  }

  if (paired.value !== null) {
    return (
      <>
        <p role="status">{pair.done(paired.value)}</p>
        <button
          type="button"
          class="button"
          onClick={() => {
            paired.value = null;
          }}
        >
          {pair.another}
        </button>
      </>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void confirm(event.currentTarget);
      }}
    >
      <p class="quiet">{plant.value?.name}</p>
      <fieldset>
        <legend>{pair.kind}</legend>
        {kinds.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="kind"
              value={one}
              checked={kind.value === one}
              onChange={() => {
                kind.value = one;
                reason.value = null;
              }}
            />
            {pair.kinds[one]}
          </label>
        ))}
      </fieldset>
      <p>{pair.hints[kind.value]}</p>
      <label class="field">
        <span>{pair.code}</span>
        <input name="code" class="pair-code" required maxLength={20} autocomplete="off" autocapitalize="characters" />
      </label>
      <label class="field">
        <span>{pair.name}</span>
        <input name="name" required maxLength={200} placeholder={pair.namePlaceholders[kind.value]} autocomplete="off" />
      </label>
      {kind.value === "terminal" && <ChooseMachines chosen={machineIds} />}
      {kind.value === "wall" && lines.length > 0 && (
        <fieldset>
          <legend>{pair.lines}</legend>
          <label>
            <input
              type="checkbox"
              checked={chosen.value.length === 0}
              onChange={() => {
                chosen.value = [];
              }}
            />
            {pair.allLines}
          </label>
          {lines.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.value.includes(id)}
                onChange={({ currentTarget }) => {
                  chosen.value = currentTarget.checked ? [...chosen.value, id] : chosen.value.filter((one) => one !== id);
                }}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {kind.value === "wall" && (
        <fieldset>
          <legend>{pair.distance}</legend>
          {distances.map((metres) => (
            <label key={metres}>
              <input type="radio" name="distance" value={metres} defaultChecked={metres === 5} />
              {pair.metres(metres)}
            </label>
          ))}
        </fieldset>
      )}
      <div role="alert">{shownReason !== null && <p class="refusal">{shownReason}</p>}</div>
      <button type="submit" class="button primary" disabled={isWaiting.value}>
        {isWaiting.value ? pair.confirming : pair.confirm}
      </button>
    </form>
  );
}
