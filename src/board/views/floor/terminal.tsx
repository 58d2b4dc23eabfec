import "./terminal.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { recall, remember } from "../../app/store.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { floor } from "../../texts/floor.ts";
import { Bell } from "../../ui/bell.tsx";
import { Boundary } from "../../ui/boundary.tsx";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { ConnectionLine } from "./connection-line.tsx";
import type { Opened } from "./dialogs.tsx";
import { FloorIcon } from "./floor-icon.tsx";
import { useBadges } from "./keys.ts";
import { MachineStore } from "./machine-store.ts";
import { Question } from "./question.tsx";
import { SaidBar } from "./said.tsx";
import { StateBand } from "./state-band.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { RefusedActions } from "./waiting.tsx";

// Loaded after the question, which is what people come for. The dialogs are loaded before anybody opens one, because there may be no network then.
const loadDialogs = async () => (await import("./dialogs.tsx")).Dialogs;
const Dialogs = later(loadDialogs);
const Calm = later(async () => (await import("./calm.tsx")).Calm);
const MachineTabs = later(async () => (await import("./machine-tabs.tsx")).MachineTabs);
const ShiftPanel = later(async () => (await import("./shift-panel.tsx")).ShiftPanel);

interface TerminalProps {
  machineId: number;
  userId: number;
  /** All machines of the terminal, if it has several. */
  machineIds?: readonly number[];
  onShow?(id: number): void;
}

/** The terminal at a machine. What was done at another one of its machines is sent all the same: it waits with the user, not with the machine. */
export function Terminal({ machineId, userId, machineIds = [], onShow }: TerminalProps) {
  const [store, setStore] = useState<MachineStore | null>(null);
  useEffect(() => {
    const made = new MachineStore(machineId, userId);
    setStore(made);
    return () => made.close();
  }, [machineId, userId]);
  const tabs = onShow && machineIds.length > 1 && <MachineTabs ids={machineIds} shown={machineId} onShow={onShow} />;
  return store && <Shown key={store.machineId} store={store} tabs={tabs || null} />;
}

function Shown({ store, tabs }: { store: MachineStore; tabs: ComponentChildren }) {
  const opened = useSignal<Opened | null>(null);
  const { row } = store;
  const { freshness } = store.live;
  // With the next row or reading, cards that could not be shown are tried again.
  const again = useMemo(() => ({}), [row, store.stops.value, store.stretches.value]);
  const readAgain = async () => store.refresh();
  const open = (next: Opened | null) => () => {
    opened.value = next;
  };
  useBadges((code) => void (may("operators:sign-in") && store.signByCode(code)));
  // Without a network, the name that it had.
  const stored = `name.${store.machineId}`;
  const name = row?.machine.name ?? recall(stored) ?? undefined;
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} · Andon`;
    remember(stored, name);
  }, [name]);
  useEffect(() => {
    // Without a network it is tried again when a dialog is opened.
    loadDialogs().catch(() => undefined);
  }, []);
  if (freshness.value.kind === "refused" && !row) {
    return <NotFound title={floor.unknownMachine} hint={freshness.value.reason} back="/floor" backText={floor.toMachines} />;
  }
  const asked = may("stops:write") ? store.asked.value : null;
  const helpCall = row?.helpCall ?? null;
  const ofStop = store.stops.value?.find(({ id }) => id === row?.stop?.id) ?? null;
  return (
    <main class="floor floor-terminal" aria-busy={row === undefined}>
      <header class={`floor-head ${headOf(name ?? "")}`}>
        <a class="act floor-back" href="/floor">
          <span class="unseen">{floor.toMachines}</span>
          <span aria-hidden="true">‹</span>
        </a>
        <h1 class={tabs ? "unseen" : ""}>{name ?? floor.loading}</h1>
        {tabs}
        <Who store={store} onOpen={open({ what: "people" })} />
        <Bell />
        <Time />
      </header>
      <Boundary again={again} onAgain={readAgain}>
        <StateBand store={store} />
      </Boundary>
      <section class="floor-left">
        <RefusedActions store={store} />
        {store.fault.value !== null && freshness.value.kind !== "lost" && (
          <p class="refusal" role="alert">
            {floor.loadFailed(store.fault.value)}
          </p>
        )}
        <Boundary again={again} onAgain={readAgain}>
          {asked ? (
            <Question
              key={asked.id}
              store={store}
              stop={asked}
              isOpen={row?.stop?.id === asked.id}
              isCovered={opened.value !== null}
              onOpen={(what, choose) => open(what === "causes" ? { what, choose } : { what, stop: asked })()}
            />
          ) : (
            store.stops.value && <Calm store={store} onOpen={(what) => ofStop && open({ what, stop: ofStop })()} />
          )}
        </Boundary>
      </section>
      <aside class="floor-right" aria-label={floor.shiftPanel}>
        <ShiftPanel store={store} again={again} onAgain={readAgain} onOrder={open({ what: "good" })} />
      </aside>
      <div class="floor-reach">
        <div class="floor-notices">
          <UndoBar store={store} />
          <SaidBar isUnseen={store.undoable.value !== null} />
        </div>
        <div class="floor-actions">
          {may("corrections:write") && (
            <button type="button" class="act floor-place-1" onClick={open({ what: "scrap" })}>
              <FloorIcon name="scrap" />
              {floor.scrap}
            </button>
          )}
          {may("runs:write") && (
            <button type="button" class="act floor-place-2" onClick={open({ what: "run" })}>
              <FloorIcon name="order" />
              {floor.run}
            </button>
          )}
          <button type="button" class="act floor-place-3" onClick={open({ what: "stops" })}>
            <FloorIcon name="stops" />
            {floor.stops(store.stops.value?.length ?? 0)}
          </button>
          <Help call={helpCall} onOpen={open({ what: "help" })} />
        </div>
        <ConnectionLine store={store} />
      </div>
      {opened.value && <Dialogs store={store} opened={opened.value} onClose={open(null)} />}
    </main>
  );
}

/** The button that calls for help, or while a call is open the one that answers it, with its message. */
function Help({ call, onOpen }: { call: NonNullable<MachineStore["row"]>["helpCall"]; onOpen(): void }) {
  const mayCall = may("help-calls:write");
  const message = call && `${formats().time(call.since)} · ${call.message ?? call.calledBy.name}`;
  const text = call && (
    <span class="floor-two">
      {mayCall ? floor.helpHere : floor.helpCalled}
      <span class="floor-label floor-last">{message}</span>
    </span>
  );
  if (!mayCall) {
    return (
      text && (
        <p class="act floor-place-4 floor-help floor-called" title={message ?? undefined}>
          {text}
        </p>
      )
    );
  }
  return (
    <button type="button" class="act floor-place-4 floor-help" title={message ?? undefined} onClick={onOpen}>
      <FloorIcon name="help" />
      {text ?? floor.help}
    </button>
  );
}

/** A machine's name with more letters has a line of its own on a phone. */
const LONG_TITLE = 12;
/** One with more letters than this has smaller ones. */
const LONGEST_TITLE = 44;

function headOf({ length }: string): string {
  return `${length > LONG_TITLE ? "floor-head-long" : ""} ${length > LONGEST_TITLE ? "floor-head-longest" : ""}`;
}

/** A longer name has smaller letters. */
const LONG_NAME = 24;

/** Who is signed in at the machine. */
function Who({ store, onOpen }: { store: MachineStore; onOpen(): void }) {
  const operators = store.row?.operators ?? [];
  const [first] = operators;
  const names = operators.map(({ id, name }) => name ?? String(id));
  const text = names.join(", ") || floor.nobody;
  return (
    <button type="button" class="floor-who" onClick={onOpen}>
      {first && (
        <span class="floor-face" aria-hidden="true">
          {initialsOf(names[0] ?? "")}
        </span>
      )}
      <span>
        <strong class={text.length > LONG_NAME || !first ? "floor-small" : ""}>{text}</strong>{" "}
        {first && operators.length === 1 && <span class="floor-label">{floor.since(formats().time(first.since))}</span>}
      </span>
    </button>
  );
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words[words.length - 1] : ""].map((word) => [...(word ?? "")][0] ?? "").join("");
}

function Time() {
  return <span class="floor-time">{formats().time(second.value)}</span>;
}
