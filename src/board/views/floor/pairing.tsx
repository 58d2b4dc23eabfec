import { keepSession } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { floor } from "../../texts/floor.ts";
import { type Given, PairingPage } from "../../ui/pairing-page.tsx";

/** Shown on a terminal without a token. */
export function TerminalPairing() {
  return (
    <PairingPage
      title={floor.pairTitle}
      hint={floor.pairHint(`${location.host}/pair`)}
      begin={() => api("post", "/v1/terminal-pairings")}
      ask={({ id, secret }) =>
        api("get", "/v1/terminal-pairings/{id}", { path: { id }, headers: { "x-pairing-secret": secret } })
      }
      keep={keep}
    />
  );
}

function keep({ token, companyId, machineIds }: Given<ApiSchema<"TerminalPairing">>): void {
  keepSession({ kind: "terminal", token, companyId, machineIds: machineIds ?? [] });
}
