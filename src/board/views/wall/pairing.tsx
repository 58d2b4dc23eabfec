import { setQuery } from "../../app/route.ts";
import { keepSession } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { wall } from "../../texts/wall.ts";
import { type Given, PairingPage } from "../../ui/pairing-page.tsx";

/** Shown on a wall without a token. */
export function Pairing() {
  return (
    <PairingPage
      title={wall.pairTitle}
      hint={wall.pairHint(`${location.host}/pair`)}
      begin={() => api("post", "/v1/wall-pairings")}
      ask={({ id, secret }) => api("get", "/v1/wall-pairings/{id}", { path: { id }, headers: { "x-pairing-secret": secret } })}
      keep={keep}
    />
  );
}

function keep({ token, companyId, lineIds, distance }: Given<ApiSchema<"WallPairing">>): void {
  setQuery({ lines: lineIds?.join(",") ?? null, distance: distance === null ? null : String(distance) });
  keepSession({ kind: "wall", token, companyId });
}
