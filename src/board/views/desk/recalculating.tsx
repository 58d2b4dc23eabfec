import "./revisions.css";
import { past as t } from "../../texts/past.ts";
import { Icon } from "../../ui/icon.tsx";

/** How often numbers are read again while they are being recalculated. */
const AGAIN_MS = 5000;

/** How often a view reads its numbers: often while they are being recalculated, otherwise as usual. */
export function refreshOf<T>(isRecalculating: (data: T) => boolean, usual: number | null): (data: T | null) => number | null {
  return (data) => (data !== null && isRecalculating(data) ? AGAIN_MS : usual);
}

/** Says of a card's numbers that they are being recalculated. */
export function Recalculating({ isShown }: { isShown: boolean }) {
  return <div role="status">{isShown && <p class="recalculating">{t.recalculating}</p>}</div>;
}

interface MarksProps {
  record: { revisionCount: number; isRecalculating: boolean };
  /** The address of its revisions. */
  href: string;
}

/** The marks of a shift record whose numbers are not those of its closing: it was revised, or is being recalculated. */
export function Marks({ record: { revisionCount, isRecalculating }, href }: MarksProps) {
  return (
    <>
      {isRecalculating && (
        <span class="revised" title={t.isRecalculating}>
          <Icon name="again" />
          <span class="unseen">{t.isRecalculating}</span>
        </span>
      )}
      {revisionCount > 0 && (
        <a class="revised" href={href} title={t.revised(revisionCount)} aria-label={t.revised(revisionCount)}>
          <Icon name="revised" />
        </a>
      )}
    </>
  );
}
