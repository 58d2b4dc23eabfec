import { useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may } from "../../../data/may.ts";
import { newKey } from "../../../data/new-key.ts";
import { datesOf, fromNowOn } from "../../../domain/dates.ts";
import { dayOf } from "../../../domain/days.ts";
import { numberFrom } from "../../../domain/formats.ts";
import type { Members } from "../../../domain/set-up.ts";
import { FieldInput } from "../../../form/fields.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { reasonOf } from "../../../texts/common.ts";
import { resource } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Table } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";
import type { Machine } from "../plant-data.ts";
import { FromWhen } from "./from-when.tsx";
import { changeItem } from "./kinds.ts";
import { Preview } from "./preview.tsx";
import { type TriedMany, useTryMany } from "./try-many.ts";
import { valueText } from "./value-text.ts";

const t = resource.many;
const members = [
  "stopAfterSeconds",
  "noDataAfterSeconds",
  "standardCycleSeconds",
  "reportingSeconds",
  "hourlyRate",
  "lineId",
] as const;
type Member = (typeof members)[number];
/** Members that no machine may be without. */
const required: readonly Member[] = ["stopAfterSeconds"];

/** Changes a member of many machines at once: what each has now and would have is shown first, and what it would change of the past. */
export function ChangeMany() {
  const [isOpen, open] = useState(false);
  const { machines } = useDesk().setUp;
  if (!may("set-up:write") || machines.length < 2) return null;
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
        {!isOpen && (
          <p class="card-tools">
            <button type="button" class="tool" onClick={() => open(true)}>
              {t.open}
            </button>
          </p>
        )}
      </header>
      {isOpen && <ManyForm onEnd={() => open(false)} />}
    </section>
  );
}

interface Result {
  machine: Machine;
  /** Null: it was changed. */
  refused: string | null;
}

function ManyForm({ onEnd }: { onEnd(): void }) {
  const { setUp: plant } = useDesk();
  const { machines, lines } = plant;
  const [chosen, choose] = useState<readonly string[]>([]);
  const [member, setMember] = useState<Member>("stopAfterSeconds");
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [when, setWhen] = useState(() => fromNowOn(dayOf(Date.now(), plant.timezone)));
  const [dateFaults, setDateFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const work = useMutation();
  const trial = useTryMany();
  // Where every machine refused it, there is nothing to confirm.
  const isTried = Boolean(trial.tried?.dryRun);
  const picked = machines.filter(({ id }) => chosen.includes(String(id)));
  const value = typedValue(member, typed);
  const show = (one: unknown) => valueText(member, one, plant);
  // What a machine has now it may not have had at another time.
  const changed = picked.filter((machine) => value !== undefined && (!when.isNow || machine[member] !== value));
  const forget = () => {
    setFault(null);
    setDateFaults(new Map());
    setResults([]);
    trial.forget();
  };
  /** What is sent for each machine; null: something is wrong, which the form then says. */
  const body = (): Members | null => {
    const { dates, faults } = datesOf(when, plant.timezone);
    setDateFaults(new Map([...faults].map(([name, why]) => [name, setUp.faults[why]])));
    if (value === undefined) setFault(setUp.faults.number);
    else if (changed.length === 0) setFault(t.same);
    else if (faults.size === 0) return { [member]: value, ...dates };
    return null;
  };
  const preview = () => {
    const sent = body();
    if (sent) void trial.run(changed, sent);
  };
  const change = () => {
    const sent = body();
    if (!sent) return;
    void work.run(async () => {
      const done: Result[] = [];
      for (const machine of changed) {
        const item = machine as unknown as Members;
        const refused = await changeItem("machine", String(machine.id), { item, body: sent, idempotencyKey: newKey() }).then(
          () => null,
          (error) => reasonOf(error),
        );
        done.push({ machine, refused });
        setResults([...done]);
      }
    });
  };
  const failed = results.filter(({ refused }) => refused !== null);
  const isLine = member === "lineId";
  return (
    <form
      class="form set-up-form"
      aria-label={t.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTried) change();
        else preview();
      }}
    >
      <div class="field-grid">
        <FieldInput
          field={{
            kind: "several",
            label: t.machines,
            all: t.all,
            options: machines.map(({ id, name }) => ({ value: String(id), label: name })),
          }}
          typed={chosen}
          fault={null}
          onChange={(next) => {
            choose(next as readonly string[]);
            forget();
          }}
        />
        <FieldInput
          field={{
            kind: "choice",
            label: t.member,
            options: members
              .filter((one) => one !== "lineId" || lines.length > 0)
              .map((one) => ({ value: one, label: setUp.fields[one] ?? one })),
          }}
          typed={member}
          fault={null}
          onChange={(next) => {
            setMember(next as Member);
            setTyped("");
            forget();
          }}
        />
        <FieldInput
          field={
            isLine
              ? {
                  kind: "choice",
                  label: t.value,
                  options: [
                    { value: "", label: setUp.noLine },
                    ...lines.map(({ id, name }) => ({ value: String(id), label: name })),
                  ],
                }
              : { kind: "number", label: t.value }
          }
          typed={typed}
          fault={fault}
          onChange={(next) => {
            setTyped(String(next));
            forget();
          }}
        />
      </div>
      <FromWhen
        when={when}
        faults={dateFaults}
        hasPast
        hasFuture
        onChange={(next) => {
          setWhen(next);
          forget();
        }}
      />
      {picked.length > 0 && value !== undefined && (
        <Table
          caption={t.title}
          data={{
            columns: [
              { name: t.machine, cell: ({ name }) => name },
              { name: t.before, cell: (machine) => show(machine[member]) },
              { name: t.after, cell: (machine) => (machine[member] === value ? t.unchanged : show(value)) },
            ],
            rows: picked,
            keyOf: ({ id }) => id,
            isStacked: true,
          }}
        />
      )}
      <p role="status">
        {results.length > 0 && t.done(results.length - failed.length, failed.length)}
        {failed.map(({ machine, refused }) => ` ${machine.name}: ${refused}.`)}
      </p>
      <FormEnd
        reason={null}
        label={
          trial.isWaiting
            ? t.trying(trial.progress.done, trial.progress.all)
            : work.isWaiting
              ? t.changing(results.length, changed.length)
              : isTried
                ? t.change
                : setUp.preview
        }
        isDisabled={trial.isWaiting || work.isWaiting}
        cancel={{ label: resource.close, onCancel: onEnd }}
      >
        {trial.tried && <Tried tried={trial.tried} changed={changed.length} isAhead={!when.isNow} />}
      </FormEnd>
    </form>
  );
}

interface TriedProps {
  tried: TriedMany;
  /** How many machines would change. */
  changed: number;
  isAhead: boolean;
}

/** What the change would do at the machines at which it was tried, together, and where it was refused. */
function Tried({ tried: { dryRun, machines, failed, refused }, changed, isAhead }: TriedProps) {
  return (
    <>
      {dryRun && <Preview tried={dryRun} isAhead={isAhead} onEnd={() => undefined} />}
      {failed > 0 && <p>{setUp.tried.failed(failed)}</p>}
      {dryRun && machines < changed && <p>{t.triedAt(machines, changed)}</p>}
      {refused.length > 0 && (
        <ul>
          {refused.map(({ machine, reason }) => (
            <li key={machine.id}>{t.refusedAt(machine.name, reason)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The value of what was typed; undefined: it is none. */
function typedValue(member: Member, typed: string): number | null | undefined {
  if (typed.trim() === "") return required.includes(member) ? undefined : null;
  if (member === "lineId") return Number(typed);
  const found = numberFrom(typed, locale);
  return typeof found === "object" ? found.value : undefined;
}
