import { send } from "../data/api.ts";
import { Refused } from "./form-end.tsx";
import { useMutation } from "./use-mutation.ts";

interface PictureFieldProps {
  widgetId: string;
  label: string;
  /** The label while the picture is on its way. */
  sending: string;
  onSent?(): void;
}

/** Gives a widget its picture, as soon as a file is chosen. */
export function PictureField({ widgetId, label, sending, onSent }: PictureFieldProps) {
  const work = useMutation(onSent);
  const upload = (file: File) =>
    work.run(async () => {
      const body = new FormData();
      body.set("file", file);
      await send("post", "/widgets/{id}/thumbnail", { path: { id: widgetId }, body, idempotencyKey: work.key });
    });
  return (
    <>
      <label class="field">
        <span>{work.isWaiting ? sending : label}</span>
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          disabled={work.isWaiting}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void upload(file);
          }}
        />
      </label>
      <Refused reason={work.reason} />
    </>
  );
}
