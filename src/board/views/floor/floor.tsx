import "./tokens.css";
import "./floor.css";
import "../../ui/large-screen.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Route } from "../../app/route.ts";
import { companyQuery, session } from "../../app/session.ts";
import { recall, remember } from "../../app/store.ts";
import { api, Refusal } from "../../data/api.ts";
import { plant } from "../../data/plant.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { NoAnswer } from "../../domain/no-answer.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { common, reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { guardTaps } from "./guard-taps.ts";
import { loadPlantToKeep, recallPlant } from "./kept-plant.ts";
import { Terminal } from "./terminal.tsx";

const ChooseMachine = later(async () => (await import("./choose-machine.tsx")).ChooseMachine);
const TerminalPairing = later(async () => (await import("./pairing.tsx")).TerminalPairing);

/** The owner of the actions of a paired terminal, whoever acts there: they wait for its next pairing if its token is deleted. */
const NOBODY = 0;

/** Who has only a look at a machine needs no page without a network. */
const KEPT_AFTER_MS = MINUTE_MS;

/** `/floor`, `/floor/{id or ref}` and `/floor/{id},{id}`: the terminal at a machine, or at several. */
export default function Floor({ route }: { route: Route }) {
  useEffect(guardTaps, []);
  const now = session.value;
  useEffect(() => {
    let end = () => {};
    const keep = async () => {
      end = (await import("./offline-shell.ts")).keepShell();
    };
    // Without it the terminal works, as long as there is a network.
    const timer = setTimeout(() => void keep().catch(() => undefined), now?.kind === "terminal" ? 0 : KEPT_AFTER_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [now?.kind]);
  if (now?.kind !== "user" && now?.kind !== "terminal") return <TerminalPairing />;
  const [name, ...more] = route.path;
  if (more.length > 0) return <NotFound back="/floor" />;
  const userId = now.kind === "user" ? now.userId : NOBODY;
  // A paired terminal has its machines, and nothing to choose.
  const shown = name ?? (now.kind === "terminal" ? now.machineIds.join() : undefined);
  if (shown === undefined) return <ChooseMachine />;
  const ids = idsIn(shown);
  return ids ? <Machines key={shown} ids={ids} userId={userId} /> : <NamedMachine key={shown} name={shown} userId={userId} />;
}

/** The ids in an address that names several machines, such as `7,8`; null: it does not. */
function idsIn(name: string): number[] | null {
  return /^\d{1,15}(,\d{1,15})+$/.test(name) ? [...new Set(name.split(",").map(Number))] : null;
}

/** A terminal of several machines, which shows one of them at a time. */
function Machines({ ids, userId }: { ids: readonly number[]; userId: number }) {
  // After a reload, the one that was shown last.
  const stored = `shown.${ids.join()}`;
  const last = Number(recall(stored));
  const shown = useSignal(ids.includes(last) ? last : (ids[0] ?? 0));
  const show = (id: number) => {
    shown.value = id;
    remember(stored, String(id));
  };
  useEffect(followPlant, []);
  return <Terminal machineId={shown.value} userId={userId} machineIds={ids} onShow={show} />;
}

/** Shows the plant as it was when it was last read, and reads it until that succeeds. Returns a function that ends this. */
function followPlant(): () => void {
  let timer: number | undefined;
  const read = (failures: number) => {
    loadPlantToKeep().catch(() => {
      timer = window.setTimeout(() => read(failures + 1), waitAfter(failures + 1, Math.random()));
    });
  };
  recallPlant();
  read(0);
  return () => clearTimeout(timer);
}

type Found = { kind: "looking" } | { kind: "machine"; id: number } | { kind: "none" } | { kind: "failed"; reason: string };

/** Loads the machine that the address names. */
function NamedMachine({ name, userId }: { name: string; userId: number }) {
  const found = useSignal<Found>({ kind: "looking" });
  const stored = `named.${name}`;
  const look = () => {
    found.value = { kind: "looking" };
    Promise.all([machineOf(name), loadPlantToKeep()])
      .then(([id]) => {
        remember(stored, id === null ? null : String(id));
        found.value = id === null ? { kind: "none" } : { kind: "machine", id };
      })
      .catch((error: unknown) => {
        // Without a network it is the machine that it was the last time.
        const known = error instanceof NoAnswer ? Number(recall(stored)) : 0;
        found.value = known > 0 ? { kind: "machine", id: known } : { kind: "failed", reason: reasonOf(error) };
      });
  };
  useEffect(look, []);
  useEffect(() => (found.value.kind === "machine" && !plant.peek() ? followPlant() : undefined), [found.value.kind]);
  const { value } = found;
  if (value.kind === "machine") return <Terminal machineId={value.id} userId={userId} />;
  if (value.kind === "none") {
    return (
      <NotFound title={floor.unknownMachine} hint={floor.unknownMachineHint(name)} back="/floor" backText={floor.toMachines} />
    );
  }
  if (value.kind === "looking") return <Loading />;
  return (
    <main class="sheet">
      <p class="refusal" role="alert">
        {value.reason}
      </p>
      <button type="button" class="button primary" onClick={look}>
        {common.tryAgain}
      </button>
    </main>
  );
}

/** The layout of the page until the data are loaded. */
function Loading() {
  return (
    <main class="floor" aria-busy="true">
      <header class="floor-head">
        <h1>{floor.loading}</h1>
      </header>
      <section class="card floor-now">
        <p class="floor-state">{common.connecting}</p>
      </section>
    </main>
  );
}

/** The id of the machine with this id or, if there is none, this ref; null: there is no such machine. */
async function machineOf(name: string): Promise<number | null> {
  if (/^\d{1,15}$/.test(name)) {
    try {
      return (await api("get", "/v1/machines/{id}", { path: { id: Number(name) } })).id;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    }
  }
  if (session.peek()?.kind === "terminal") return await ownMachineOf(name);
  const { data } = await api("get", "/v1/machines", { query: { ...companyQuery(), ref: name } });
  return data[0]?.id ?? null;
}

/** The machine of a paired terminal that has a ref: it may not list machines, but see its own. */
async function ownMachineOf(ref: string): Promise<number | null> {
  try {
    const { rows } = await api("get", "/v1/live", { query: { machineRefs: [ref] } });
    return rows[0]?.machine.id ?? null;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}
