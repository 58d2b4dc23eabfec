import "./card.css";
import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/query.ts";
import { common, reasonOf } from "../texts/common.ts";
import { desk as t } from "../texts/desk.ts";

interface BodyProps {
  loaded: Pick<Loaded<unknown>, "data" | "error" | "reload">;
  /** Replaces the content if there is nothing to show: what to do then. */
  empty?: ComponentChildren;
  children: ComponentChildren;
}

/** Shows the loaded data, that they are being loaded, or why loading failed. */
export function Body({ loaded, empty, children }: BodyProps) {
  if (loaded.error !== null) {
    return (
      <div class="card-fault" role="alert">
        <p class="refusal">{reasonOf(loaded.error)}</p>
        <button type="button" class="button" onClick={() => void loaded.reload()}>
          {common.tryAgain}
        </button>
        {loaded.data !== null && <div class="stale">{empty ?? children}</div>}
      </div>
    );
  }
  if (loaded.data === null) return <p class="card-wait">{t.loading}</p>;
  return <>{empty ?? children}</>;
}

/** Shown if there is nothing to show: what is missing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
