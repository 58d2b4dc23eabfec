import "./terminal.css";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { may } from "../../data/may.ts";
import { floor } from "../../texts/floor.ts";
import { Bell } from "../../ui/bell.tsx";
import { Boundary } from "../../ui/boundary.tsx";
import { Freshness } from "../../ui/freshness.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { DialogPart } from "./dialog-part.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { useBadges } from "./keys.ts";
import { MachineStore } from "./machine-store.ts";
import { NowCard } from "./now-card.tsx";
import { PeopleDialog } from "./people-dialog.tsx";
import { ProgressDialog } from "./progress-dialog.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { SaidBar } from "./said.tsx";
import { ScrapDialog } from "./scrap-dialog.tsx";
import { ShiftCard } from "./shift-card.tsx";
import { StopsDialog } from "./stops-dialog.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { RefusedActions, Waiting } from "./waiting.tsx";

type Opened = "people" | "run" | "scrap" | "good" | "help" | "stops" | null;

/** A name with more letters has a line of its own on a phone. */
const LONG_NAME = 20;

/** The terminal of one machine. */
export function Terminal({ machineId, userId }: { machineId: number; userId: number }) {
  const [store, setStore] = useState<MachineStore | null>(null);
  useEffect(() => {
    const made = new MachineStore(machineId, userId);
    setStore(made);
    return () => made.close();
  }, [machineId, userId]);
  return store && <Shown store={store} />;
}

/** The titles of dialogs that cannot be shown. */
const titleOf = () => ({
  people: floor.peopleTitle,
  run: floor.runTitle,
  scrap: floor.scrapTitle,
  good: floor.progress,
  help: floor.helpTitle,
  stops: floor.stopsTitle,
});

function Shown({ store }: { store: MachineStore }) {
  const opened = useSignal<Opened>(null);
  const { row } = store;
  const { freshness } = store.live;
  // With the next row or reading, cards that could not be shown are tried again.
  const again = useMemo(() => ({}), [row, store.stops.value, store.stretches.value]);
  const readAgain = async () => store.refresh();
  const open = (what: Opened) => () => {
    opened.value = what;
  };
  const close = open(null);
  useBadges((code) => void (may("operators:sign-in") && store.signByCode(code)));
  const name = row?.machine.name;
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Andon`;
  }, [name]);
  if (freshness.value.kind === "refused" && !row) {
    return <NotFound title={floor.unknownMachine} hint={freshness.value.reason} back="/floor" backText={floor.toMachines} />;
  }
  const helpCall = row?.helpCall ?? null;
  return (
    <main class="floor" aria-busy={row === undefined}>
      <header class={`floor-head ${(row?.machine.name.length ?? 0) > LONG_NAME ? "floor-head-long" : ""}`}>
        <a class="act floor-back" href="/floor">
          <span class="unseen">{floor.toMachines}</span>
          <span aria-hidden="true">‹</span>
        </a>
        <h1>{row?.machine.name ?? floor.loading}</h1>
        <button type="button" class="act floor-who" onClick={open("people")}>
          <span class="quiet">{workOf(row)}</span>
          <strong>{row?.operators?.map(({ id, name }) => name ?? id).join(", ") || floor.nobody}</strong>
        </button>
        <Bell />
      </header>
      <RefusedActions store={store} />
      {store.fault.value !== null && freshness.value.kind !== "lost" && (
        <p class="refusal" role="alert">
          {floor.loadFailed(store.fault.value)}
        </p>
      )}
      <Boundary again={again} onAgain={readAgain}>
        <NowCard store={store} isCovered={opened.value !== null} onHelp={open("help")} onStops={open("stops")} />
      </Boundary>
      <Boundary again={again} onAgain={readAgain}>
        <ShiftCard store={store} />
      </Boundary>
      <div class="floor-reach">
        <UndoBar store={store} />
        <SaidBar isUnseen={store.undoable.value !== null} />
        <div class="floor-actions">
          {may("corrections:write") && (
            <button type="button" class="act" onClick={open("scrap")}>
              {floor.scrap}
            </button>
          )}
          {may("runs:write") && (
            <button type="button" class="act" onClick={open("run")}>
              {floor.run}
            </button>
          )}
          <button type="button" class="act" onClick={open("good")}>
            {floor.progress}
          </button>
          {may("help-calls:write") && (
            <button type="button" class="act floor-help" onClick={open("help")}>
              {helpCall ? floor.helpHere : floor.help}
            </button>
          )}
        </div>
        <footer class="floor-foot">
          <Waiting store={store} />
          <Freshness state={freshness} />
        </footer>
      </div>
      {opened.value && (
        <DialogPart key={opened.value} title={titleOf()[opened.value]} onClose={close}>
          {opened.value === "people" && <PeopleDialog store={store} onClose={close} />}
          {opened.value === "run" && <RunDialog store={store} onClose={close} />}
          {opened.value === "scrap" && <ScrapDialog store={store} onClose={close} />}
          {opened.value === "good" && <ProgressDialog store={store} onClose={close} />}
          {opened.value === "help" && <HelpDialog store={store} onClose={close} />}
          {opened.value === "stops" && <StopsDialog store={store} onClose={close} />}
        </DialogPart>
      )}
    </main>
  );
}

/** The SKU and order in work, in short. */
function workOf(row: MachineStore["row"]): string {
  if (!row?.sku) return floor.noSku;
  const { sku, workOrder } = row;
  return workOrder?.code ? `${sku.id} · ${floor.order(workOrder.code)}` : sku.id;
}
