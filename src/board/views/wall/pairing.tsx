import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { setQuery } from "../../app/route.ts";
import { keepSession } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { demo } from "../../data/demo.ts";
import { showWallAs } from "../../data/sign-in.ts";
import { wall } from "../../texts/wall.ts";
import { type Given, PairingPage } from "../../ui/pairing-page.tsx";

/** Whether the demo's wall was tried, so that an account that is refused is not tried for ever. */
let isDemoTried = false;

/** Shown on a wall without a token. In the demo everyone sees the wall at once. */
export function Pairing() {
  const isDemo = useSignal(demo !== null && !isDemoTried);
  useEffect(() => {
    if (!demo || !isDemo.peek()) return;
    isDemoTried = true;
    showWallAs(demo.wall, demo.password).catch(() => {
      isDemo.value = false;
    });
  }, []);
  if (isDemo.value) return null;
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
