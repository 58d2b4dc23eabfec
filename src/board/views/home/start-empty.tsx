import { useState } from "preact/hooks";
import { claim as t } from "../../texts/claim.ts";
import { Claim } from "./claim.tsx";

/** The button with which an empty plant is started beside the demo plant, and its form. */
export function StartEmpty({ startCode }: { startCode: string }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Claim startCode={startCode} />;
  return (
    <ul class="first-people">
      <li>
        <button type="button" onClick={() => setOpen(true)}>
          <strong>{t.start}</strong>
          <span class="quiet">{t.startHint}</span>
        </button>
      </li>
    </ul>
  );
}
