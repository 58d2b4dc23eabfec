import { desk } from "../texts/desk.ts";

const t = desk.changedMeanwhile;

/** A field that somebody else has changed: its label, and its values as texts. */
export interface ChangedField {
  label: string;
  before: string;
  now: string;
}

/** Says that somebody else has changed what a form was opened with, and which of its fields. @param fields null: nobody has */
export function ChangedMeanwhile({ fields }: { fields: readonly ChangedField[] | null }) {
  return (
    <div role="alert">
      {fields !== null && (
        <>
          <p class="refusal">{t.title}</p>
          {fields.length > 0 && (
            <ul class="long-text">
              {fields.map(({ label, before, now }) => (
                <li key={label}>{t.field(label, before, now)}</li>
              ))}
            </ul>
          )}
          <p>{fields.length > 0 ? t.kept : t.nothing}</p>
        </>
      )}
    </div>
  );
}
