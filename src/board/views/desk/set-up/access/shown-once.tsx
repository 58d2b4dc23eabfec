import { access } from "../../../../texts/access.ts";

/** A secret that the service shows only now. */
export function ShownOnce({ label, secret }: { label: string; secret: unknown }) {
  return (
    <div class="shown-once">
      <p>{label}</p>
      <pre>{typeof secret === "string" ? secret : access.notShown}</pre>
    </div>
  );
}
