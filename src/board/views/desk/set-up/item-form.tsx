import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may, mayNot } from "../../../data/may.ts";
import { useRead } from "../../../data/query.ts";
import { datesOf, fromNowOn } from "../../../domain/dates.ts";
import { dayOf } from "../../../domain/days.ts";
import {
  changesOf,
  fieldsOf,
  type Members,
  rebased,
  type SetUpKind,
  timesOf,
  typedOf,
  valuesOf,
} from "../../../domain/set-up.ts";
import { type ChangedField, ChangedMeanwhile } from "../../../form/changed-meanwhile.tsx";
import { faultsOf } from "../../../form/faults.ts";
import { FormEnd } from "../../../form/form-end.tsx";
import { isChangedMeanwhile, useMutation, useTrial } from "../../../form/use-mutation.ts";
import { common } from "../../../texts/common.ts";
import { setUp as t } from "../../../texts/set-up.ts";
import { Body } from "../../../ui/body.tsx";
import { useUnsaved } from "../../../ui/use-unsaved.ts";
import { useDesk } from "../desk-state.ts";
import { FieldInput } from "./field-input.tsx";
import { FromWhen } from "./from-when.tsx";
import { changeItem, type DryRun, readItem } from "./kinds.ts";
import { Preview } from "./preview.tsx";
import { nameOfField, valueText } from "./value-text.ts";

interface ItemFormProps {
  kind: SetUpKind;
  id: string;
  name: string;
  /** Shows in a picture what is typed, and fills fields from it. */
  picture?(form: Picture): ComponentChildren;
}

interface Picture {
  /** The item as it is. */
  item: Members;
  draft: Members;
  change(changes: Members): void;
}

/** An item as it is now, with a form that changes it from now on, ahead, or for the past. */
export function ItemForm({ kind, id, name, picture }: ItemFormProps) {
  const [done, setDone] = useState<string | null>(null);
  const [savedCount, setSavedCount] = useState(0);
  const loaded = useRead(["set-up item", kind, id], () => readItem(kind, id));
  const item = loaded.data;
  return (
    <section class="card" aria-label={name} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{name}</h2>
        <p class="card-sub">{t.formHint}</p>
      </header>
      <Body loaded={loaded}>
        {item && mayNot("set-up:write") && <p class="quiet">{t.reader}</p>}
        {item && may("set-up:write") && (
          <Form
            key={savedCount}
            {...{ kind, id, picture }}
            latest={item}
            onTouched={() => setDone(null)}
            onDone={(text) => {
              setDone(text);
              setSavedCount(savedCount + 1);
            }}
          />
        )}
      </Body>
      <p role="status">{done}</p>
    </section>
  );
}

interface FormProps extends Pick<ItemFormProps, "kind" | "id"> {
  picture: ItemFormProps["picture"] | undefined;
  /** The item as it was read last. */
  latest: Members;
  onTouched(): void;
  onDone(text: string): void;
}

function Form({ kind, id, picture, latest, onTouched, onDone }: FormProps) {
  // What the person changes: as they see it, until they are told that somebody else has changed it.
  const [item, setItem] = useState(latest);
  const [others, setOthers] = useState<readonly ChangedField[] | null>(null);
  const { setUp } = useDesk();
  const fields = fieldsOf(kind, item);
  const values = valuesOf(kind, item);
  const [draft, setDraft] = useState<Members>(() =>
    Object.fromEntries(fields.map(({ name, kind: of }) => [name, typedOf(of, values[name], locale)])),
  );
  // As it is typed, also while a request is on its way.
  const typed = useRef(draft);
  typed.current = draft;
  const [when, setWhen] = useState(() => fromNowOn(dayOf(Date.now(), setUp.timezone)));
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const [tried, setTried] = useState<DryRun | null>(null);
  const [isTriedEnd, setTriedEnd] = useState(true);
  const trying = useTrial();
  const done = useRef("");
  const saving = useMutation(() => onDone(done.current));
  const form = useRef<HTMLFormElement>(null);
  const shownNames = [...fields.map(({ name }) => name), "effectiveFrom", "effectiveUntil", "reason"];
  const faults = faultsOf(
    [trying.error, saving.error].filter((error) => !isChangedMeanwhile(error)),
    shownNames,
    own,
  );
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [own, trying.error, saving.error]);

  const [isTouched, setTouched] = useState(false);
  useUnsaved(isTouched && !saving.isWaiting);
  const touches = useRef(0);
  function touch(): void {
    touches.current++;
    setTouched(true);
    setTried(null);
    setOwn(new Map());
    trying.forget();
    saving.forget();
    onTouched();
  }

  function type(changes: Members): void {
    setDraft({ ...draft, ...changes });
    touch();
  }

  /** Goes on with the item as it is now. What was typed stays. */
  function rebase(now: Members, isTold: boolean): void {
    const { draft: kept, changed } = rebased(kind, { before: item, now, draft: typed.current, locale });
    setItem(now);
    setDraft(kept);
    setTried(null);
    if (!isTold) return;
    const text = (of: Members, name: string) => valueText(name, valuesOf(kind, of)[name], setUp);
    setOthers(changed.map((name) => ({ label: nameOfField(name), before: text(item, name), now: text(now, name) })));
  }
  // It is read again when the person comes back to the page, too.
  useEffect(() => {
    if (!saving.isWaiting && JSON.stringify(latest) !== JSON.stringify(item)) rebase(latest, isTouched);
  }, [latest]);
  /** Sends the change. If somebody else was faster, the form says so and goes on from there. */
  async function send(sent: Members, idempotencyKey?: string): Promise<DryRun | null> {
    setOthers(null);
    try {
      return await changeItem(kind, id, { item, body: sent, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    } catch (error) {
      if (isChangedMeanwhile(error)) rebase(await readItem(kind, id), true);
      throw error;
    }
  }

  /** What is sent; null: something is wrong, which the form then says. */
  function body(): Members | null {
    const changed = changesOf(kind, item, draft, locale);
    const dates = datesOf(when, setUp.timezone);
    const found = new Map<string, string>();
    for (const [name, { why, row }] of changed.faults) {
      found.set(name, row === undefined ? t.faults[why] : common.inRow(row, t.faults[why]));
    }
    for (const [name, why] of dates.faults) found.set(name, t.faults[why]);
    if (found.size === 0 && !changed.isChanged) found.set("", t.notChanged);
    setOwn(found);
    return found.size > 0 ? null : { ...changed.members, ...dates.dates };
  }

  const change = () => {
    const sent = body();
    if (!sent) return;
    const isPast = typeof sent.effectiveFrom === "string" && Date.parse(sent.effectiveFrom) < Date.now();
    void saving.run(async () => {
      await send(sent, saving.key);
      done.current = when.isNow ? t.saved : isPast ? t.savedPast : t.savedAhead;
    });
  };
  const preview = () => {
    const sent = body();
    if (!sent) return;
    const asked = touches.current;
    void trying.run(async () => {
      const found = await send({ ...sent, dryRun: true });
      // What was typed meanwhile was not tried.
      if (touches.current !== asked) return;
      setTriedEnd(found?.recalculationId == null);
      setTried(found);
    });
  };
  const { hasPast, hasFuture } = timesOf(kind);
  // What causes mean is never changed for the past, so there is nothing to try.
  const isTryable = hasPast;
  const general = faults.get("");
  return (
    <form
      ref={form}
      class="form set-up-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTryable || (tried && isTriedEnd)) change();
        else if (!tried) preview();
      }}
    >
      {picture?.({ item, draft, change: type })}
      <div class="field-grid">
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            typed={draft[field.name]}
            fault={faults.get(field.name) ?? null}
            onChange={(value) => type({ [field.name]: value })}
          />
        ))}
      </div>
      <FromWhen
        {...{ when, faults, hasPast, hasFuture }}
        onChange={(next) => {
          setWhen(next);
          touch();
        }}
      />
      <ChangedMeanwhile fields={others} />
      <FormEnd
        reason={general ?? null}
        label={
          trying.isWaiting ? t.previewing : saving.isWaiting ? t.saving : !isTryable ? t.saveNow : tried ? t.save : t.preview
        }
        isDisabled={trying.isWaiting || saving.isWaiting || (tried !== null && !isTriedEnd)}
        isPrimary
      >
        {tried && <Preview tried={tried} isAhead={!when.isNow} onEnd={() => setTriedEnd(true)} />}
      </FormEnd>
    </form>
  );
}
