import { type ApiSchema, api } from "../../data/api.ts";
import { linesOf } from "../../domain/hand-over.ts";
import { Form, useForm } from "../../form/form.tsx";
import { handOver as t } from "../../texts/hand-over.ts";

/** What the API takes. */
const MOST_WATCHED = 20;
const NOTE_LENGTH = 2000;

interface HandOverFormProps {
  of: { shiftId: number; date: string; lineId: number | null };
  /** What was written; null: nothing yet. */
  handOver: ApiSchema<"HandOverWithFigures"> | null;
  onEnd(): void;
}

/** The form in which the leaving lead writes. */
export function HandOverForm({ of, handOver, onEnd }: HandOverFormProps) {
  const note = (label: string) => ({ kind: "lines", label, maxLength: NOTE_LENGTH }) as const;
  const notes = handOver?.notes;
  const form = useForm({
    fields: {
      safety: note(t.topics.safety),
      quality: note(t.topics.quality),
      people: note(t.topics.people),
      other: note(t.topics.other),
      watch: { kind: "lines", label: t.watchField, maxLength: 6000 },
    },
    initial: {
      ...{ safety: notes?.safety ?? "", quality: notes?.quality ?? "", people: notes?.people ?? "", other: notes?.other ?? "" },
      watch: handOver?.watch.map((one) => one.split("\n").join(" ")).join("\n") ?? "",
    },
    body: ({ safety, quality, people, other, watch }, refuse) => {
      const textOf = (text: string) => text.trim() || null;
      const watched = linesOf(watch);
      if (watched.length > MOST_WATCHED) refuse("watch", t.tooMany(String(MOST_WATCHED)));
      return {
        notes: { safety: textOf(safety), quality: textOf(quality), people: textOf(people), other: textOf(other) },
        watch: watched,
      };
    },
    send: (body, idempotencyKey) =>
      handOver === null
        ? api("post", "/v1/hand-overs", { body: { ...of, ...body }, idempotencyKey })
        : api("patch", "/v1/hand-overs/{id}", {
            ...{ path: { id: handOver.id }, idempotencyKey },
            body: { ...body, updatedAt: handOver.updatedAt },
          }),
    onSent: onEnd,
  });
  return <Form form={form} label={t.form} send={t.send} sending={t.sending} cancel={{ label: t.cancel, onCancel: onEnd }} />;
}
