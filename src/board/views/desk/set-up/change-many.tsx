import { useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { newKey } from "../../../data/new-key.ts";
import { numberFrom } from "../../../domain/formats.ts";
import { FieldInput } from "../../../form/fields.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { reasonOf } from "../../../texts/common.ts";
import { resource } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { PlainTable } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";
import type { Machine } from "../plant-data.ts";
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

/** Changes a member of many machines at once, from now on: what each has now and would have is shown first. */
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
  const work = useMutation();
  const picked = machines.filter(({ id }) => chosen.includes(String(id)));
  const value = typedValue(member, typed);
  const show = (one: unknown) => valueText(member, one, plant);
  const changed = picked.filter((machine) => value !== undefined && machine[member] !== value);
  const forget = () => {
    setFault(null);
    setResults([]);
  };
  const change = () => {
    if (value === undefined) return setFault(setUp.faults.number);
    if (changed.length === 0) return setFault(t.same);
    void work.run(async () => {
      const done: Result[] = [];
      for (const machine of changed) {
        const request = {
          path: { id: machine.id },
          query: companyQuery(),
          body: { [member]: value },
          idempotencyKey: newKey(),
          ifMatch: `"${machine.updatedAt}"`,
        };
        const refused = await api("patch", "/v1/machines/{id}", request).then(
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
        change();
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
      {picked.length > 0 && value !== undefined && (
        <PlainTable
          caption={t.title}
          data={{
            columns: [
              { name: t.machine, cell: ({ name }) => name },
              { name: t.before, cell: (machine) => show(machine[member]) },
              { name: t.after, cell: (machine) => (machine[member] === value ? t.unchanged : show(value)) },
            ],
            rows: picked,
            keyOf: ({ id }) => id,
          }}
        />
      )}
      <p role="status">
        {results.length > 0 && t.done(results.length - failed.length, failed.length)}
        {failed.map(({ machine, refused }) => ` ${machine.name}: ${refused}.`)}
      </p>
      <FormEnd
        reason={null}
        label={work.isWaiting ? t.changing(results.length, changed.length) : t.change}
        isDisabled={work.isWaiting}
        cancel={{ label: resource.close, onCancel: onEnd }}
      />
    </form>
  );
}

/** The value of what was typed; undefined: it is none. */
function typedValue(member: Member, typed: string): number | null | undefined {
  if (typed.trim() === "") return required.includes(member) ? undefined : null;
  if (member === "lineId") return Number(typed);
  const found = numberFrom(typed, locale);
  return typeof found === "object" ? found.value : undefined;
}
