import { useState } from "preact/hooks";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { byName, causeIdsOf, causeTree, choiceWith } from "../../../domain/causes.ts";
import { addDays, dayOf, instantOf, type TypedInstant } from "../../../domain/days.ts";
import { iso } from "../../../domain/time.ts";
import { faultsOf } from "../../../form/faults.ts";
import { FormEnd, Refused } from "../../../form/form-end.tsx";
import { InstantField } from "../../../form/instant-field.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { past } from "../../../texts/past.ts";
import { setUp } from "../../../texts/set-up.ts";
import { CauseOptions } from "../cause-options.tsx";
import { useDesk } from "../desk-state.ts";
import { useCauses } from "../plant-data.ts";

const t = setUp.stops;

/** A stop that was planned on this page. */
interface Planned {
  id: number;
  text: string;
}

/** A form for a stop ahead, such as maintenance. The API lists such a stop only once it has begun, so it is taken back here. */
export function PlannedStops() {
  const [planned, setPlanned] = useState<readonly Planned[]>([]);
  if (!may("stops:write")) return null;
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <Form onPlanned={(one) => setPlanned([one, ...planned])} />
      <p class="quiet">{t.note}</p>
      <ul>
        {planned.map((one) => (
          <li key={one.id}>
            <One planned={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Form({ onPlanned }: { onPlanned(planned: Planned): void }) {
  const { setUp: plant } = useDesk();
  const tomorrow = addDays(dayOf(Date.now(), plant.timezone), 1);
  const [machineId, setMachineId] = useState(plant.machines[0]?.id ?? 0);
  const [cause, setCause] = useState("");
  const [name, setName] = useState("");
  const [from, setFrom] = useState<TypedInstant>({ day: tomorrow, clock: "08:00" });
  const [to, setTo] = useState<TypedInstant>({ day: tomorrow, clock: "09:00" });
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const causes = useCauses();
  const tree = causeTree(byName(causes.data ?? []));
  const work = useMutation();
  const faults = faultsOf([work.error], ["startTime", "endTime", "name"], own);

  function plan(): void {
    const wrong = new Map<string, string>();
    const isoOf = (member: string, typed: TypedInstant) => {
      const found = instantOf(typed, plant.timezone);
      if ("at" in found) return iso(found.at);
      wrong.set(member, setUp.faults[found.fault]);
      return "";
    };
    const times = { startTime: isoOf("startTime", from), endTime: isoOf("endTime", to) };
    setOwn(wrong);
    work.forget();
    if (wrong.size > 0) return;
    const body = { machineId, ...times, ...causeIdsOf(choiceWith(cause, tree)), isProgrammed: true, name: name.trim() || null };
    void work.run(async () => {
      const { id } = await api("post", "/v1/stops", { body, idempotencyKey: work.key });
      const machine = plant.machines.find((one) => one.id === machineId)?.name ?? "";
      const { dateTime } = formats();
      onPlanned({ id, text: t.planned(machine, dateTime(times.startTime), dateTime(times.endTime)) });
    });
  }
  const general = faults.get("") ?? null;
  return (
    <form
      class="form set-up-form"
      aria-label={t.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        plan();
      }}
    >
      <div class="field-grid">
        <label class="field">
          <span>{t.machine}</span>
          <select value={String(machineId)} onChange={({ currentTarget }) => setMachineId(Number(currentTarget.value))}>
            {plant.machines.map((machine) => (
              <option key={machine.id} value={String(machine.id)}>
                {machine.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.cause}</span>
          <select value={cause} onChange={({ currentTarget }) => setCause(currentTarget.value)}>
            <option value="">{past.orphans.noCause}</option>
            <CauseOptions tree={tree} />
          </select>
        </label>
        <label class="field">
          <span>{t.name}</span>
          <input
            type="text"
            maxLength={200}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      </div>
      <InstantField
        labels={[t.from, t.fromClock]}
        typed={from}
        fault={faults.get("startTime") ?? null}
        isAhead
        onChange={setFrom}
      />
      <InstantField labels={[t.to, t.toClock]} typed={to} fault={faults.get("endTime") ?? null} isAhead onChange={setTo} />
      <FormEnd reason={general} label={work.isWaiting ? t.planning : t.plan} isDisabled={work.isWaiting} />
    </form>
  );
}

function One({ planned: { id, text } }: { planned: Planned }) {
  const work = useMutation();
  const takeBack = () =>
    work.run(async () => void (await api("delete", "/v1/stops/{id}", { path: { id }, idempotencyKey: work.key })));
  return (
    <>
      <p role="status">
        {text} {work.isDone && t.takenBack}
      </p>
      <Refused reason={work.reason} />
      {!work.isDone && (
        <button type="button" class="tool" disabled={work.isWaiting} onClick={() => void takeBack()}>
          {t.takeBack}
        </button>
      )}
    </>
  );
}
