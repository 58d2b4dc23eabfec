import { useId, useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { api, type RequestOf } from "../../../data/api.ts";
import { scopeOf, scopeText } from "../../../domain/calendar.ts";
import { clockFrom, dayOf } from "../../../domain/days.ts";
import { shiftsOn } from "../../../domain/shifts.ts";
import { type ChangedField, ChangedMeanwhile } from "../../../form/changed-meanwhile.tsx";
import { DayField } from "../../../form/day-field.tsx";
import { faultsOf } from "../../../form/faults.ts";
import { FieldFault } from "../../../form/field-fault.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { isChangedMeanwhile, useMutation, useTrial } from "../../../form/use-mutation.ts";
import { common } from "../../../texts/common.ts";
import { setUp } from "../../../texts/set-up.ts";
import { useUnsaved } from "../../../ui/use-unsaved.ts";
import { useDesk } from "../desk-state.ts";
import { scopeName, whatText } from "./day-text.ts";
import { Cell, Rows } from "./field-input.tsx";
import type { CalendarDay, DryRun } from "./kinds.ts";
import { Preview } from "./preview.tsx";

const t = setUp.days;

/** A shift of the day as it is typed. Its breaks are those of the shift, unless the day has others. */
interface TypedShift {
  shiftId: number;
  start: string;
  end: string;
  breaks?: CalendarDay["shifts"][number]["breaks"];
}

interface CalendarDayFormProps {
  /** The day that is changed; null: a new one. */
  day: CalendarDay | null;
  /** The date of a new one, and whether it is closed, as the form begins. */
  first?: { date: string; isClosed: boolean };
  onEnd(isDone: boolean): void;
}

/** A form for a date that is closed, or has other shifts than its weekday. It is tried first. */
export function CalendarDayForm({ day, first, onEnd }: CalendarDayFormProps) {
  const { setUp: plant } = useDesk();
  const today = dayOf(Date.now(), plant.timezone);
  const usual = (date: string): TypedShift[] =>
    shiftsOn(plant.shifts, date).map(({ id, start, end }) => ({ shiftId: id, start, end }));
  const [date, setDate] = useState(day?.date ?? first?.date ?? today);
  const [scope, setScope] = useState(day ? scopeText(day) : "company");
  const [isClosed, setClosed] = useState(day?.closed ?? first?.isClosed ?? true);
  const [shifts, setShifts] = useState<readonly TypedShift[]>(() => (day && !day.closed ? day.shifts : usual(date)));
  const [areTouched, setTouched] = useState(day !== null);
  const [own, setOwn] = useState<string | null>(null);
  const [tried, setTried] = useState<DryRun | null>(null);
  const [isKnown, setKnown] = useState(true);
  // As the person sees it, until they are told that somebody else has changed it.
  const [known, setKnownDay] = useState(day);
  const [others, setOthers] = useState<readonly ChangedField[] | null>(null);
  const trying = useTrial();
  const saving = useMutation(() => onEnd(true));
  const [name, faultId] = [useId(), useId()];
  const faults = faultsOf(
    [trying.error, saving.error].filter((error) => !isChangedMeanwhile(error)),
    ["shifts"],
  );
  const [isTouched, markTouched] = useState(false);
  useUnsaved(isTouched && !saving.isWaiting);
  const touch = () => {
    markTouched(true);
    setTried(null);
    setOwn(null);
    trying.forget();
    saving.forget();
  };

  function body() {
    if (isClosed) return { closed: true as const };
    const typed = shifts.map(({ start, end, ...one }) => ({ ...one, start: clockFrom(start), end: clockFrom(end) }));
    const wrong = typed.findIndex(({ start, end }) => start === null || end === null);
    if (shifts.length === 0) setOwn(t.noShift);
    else if (wrong >= 0) setOwn(common.inRow(wrong + 1, setUp.faults.clock));
    else
      return { shifts: typed.map((one) => ({ ...one, start: one.start?.slice(0, 5) ?? "", end: one.end?.slice(0, 5) ?? "" })) };
    return null;
  }
  const send = async (what: NonNullable<ReturnType<typeof body>>, how: { isTried: boolean; key?: string }) => {
    const sent = { ...what, ...(how.isTried && { dryRun: true }) };
    const with_ = { withinMs: 30_000, ...(how.key !== undefined && { idempotencyKey: how.key }) };
    setOthers(null);
    if (known) return await change(known, { body: sent, ...with_ });
    return await api("post", "/v1/calendar-days", { body: { ...companyQuery(), date, ...scopeOf(scope), ...sent }, ...with_ });
  };
  /** If somebody else was faster, the form says so. What was typed stays. */
  async function change(shown: CalendarDay, request: Omit<RequestOf<"patch", "/v1/calendar-days/{id}">, "path">) {
    const named = { path: { id: shown.id }, query: companyQuery() };
    try {
      return await api("patch", "/v1/calendar-days/{id}", { ...request, ...named, ifMatch: `"${shown.updatedAt}"` });
    } catch (error) {
      if (isChangedMeanwhile(error)) {
        const now = await api("get", "/v1/calendar-days/{id}", named);
        setTried(null);
        setKnownDay(now);
        const [before, after] = [whatText(shown, plant), whatText(now, plant)];
        setOthers(before === after ? [] : [{ label: scopeName(now, plant), before, now: after }]);
      }
      throw error;
    }
  }
  const submit = () => {
    const sent = body();
    if (!sent) return;
    if (tried) return void saving.run(async () => void (await send(sent, { isTried: false, key: saving.key })));
    return void trying.run(async () => {
      const found = (await send(sent, { isTried: true })) as { dryRun?: DryRun };
      setKnown(found.dryRun?.recalculationId == null);
      setTried(found.dryRun ?? null);
    });
  };
  const general = faults.get("") ?? null;
  const ofShifts = own ?? faults.get("shifts") ?? null;
  return (
    <form
      class="form set-up-form"
      aria-label={t.formTitle}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {!day && (
        <div class="field-grid">
          <div class="field">
            <span>{t.date}</span>
            <DayField
              label={t.date}
              day={date}
              today={today}
              isAhead
              onChange={(next) => {
                setDate(next);
                if (!areTouched) setShifts(usual(next));
                touch();
              }}
            />
          </div>
          <label class="field">
            <span>{t.scope}</span>
            <select
              value={scope}
              onChange={({ currentTarget }) => {
                setScope(currentTarget.value);
                touch();
              }}
            >
              <option value="company">{t.plant}</option>
              {plant.lines.map((line) => (
                <option key={line.id} value={`line ${line.id}`}>
                  {t.line(line.name)}
                </option>
              ))}
              {plant.machines.map((machine) => (
                <option key={machine.id} value={`machine ${machine.id}`}>
                  {machine.name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <div class="choices">
        {[true, false].map((closed) => (
          <label key={String(closed)} class="choice">
            <input
              type="radio"
              name={name}
              checked={isClosed === closed}
              onChange={() => {
                setClosed(closed);
                touch();
              }}
            />
            {closed ? t.isClosed : t.hasShifts}
          </label>
        ))}
      </div>
      {!isClosed && (
        <Rows
          rows={shifts}
          empty={{ shiftId: plant.shifts[0]?.id ?? 0, start: plant.shifts[0]?.start ?? "", end: plant.shifts[0]?.end ?? "" }}
          onChange={(next) => {
            setShifts(next);
            setTouched(true);
            touch();
          }}
        >
          {(row, set) => (
            <>
              <label class="field">
                <span>{t.shift}</span>
                <select
                  value={String(row.shiftId)}
                  onChange={({ currentTarget }) => {
                    const chosen = plant.shifts.find(({ id }) => id === Number(currentTarget.value));
                    if (chosen) set({ shiftId: chosen.id, start: chosen.start, end: chosen.end });
                  }}
                >
                  {plant.shifts.map((shift) => (
                    <option key={shift.id} value={String(shift.id)}>
                      {shift.name}
                    </option>
                  ))}
                </select>
              </label>
              <Cell label={setUp.fields.start ?? ""} value={row.start} onChange={(start) => set({ start })} />
              <Cell label={setUp.fields.end ?? ""} value={row.end} onChange={(end) => set({ end })} />
            </>
          )}
        </Rows>
      )}
      <FieldFault id={faultId} fault={ofShifts} />
      <ChangedMeanwhile fields={others} />
      <FormEnd
        reason={general}
        label={trying.isWaiting ? setUp.previewing : saving.isWaiting ? setUp.saving : tried ? setUp.save : setUp.preview}
        isDisabled={trying.isWaiting || saving.isWaiting || (tried !== null && !isKnown)}
        cancel={{ label: t.cancel, onCancel: () => onEnd(false) }}
      >
        {tried && <Preview tried={tried} isAhead onEnd={() => setKnown(true)} />}
      </FormEnd>
    </form>
  );
}
