import "./pair-gateway.css";
import { useEffect, useState } from "preact/hooks";
import { companyQuery } from "../app/session.ts";
import { type ApiSchema, api } from "../data/api.ts";
import { usePairing } from "../data/gateways.ts";
import { formats } from "../data/plant.ts";
import { invalidate } from "../data/query.ts";
import { pairCommands } from "../domain/gateways.ts";
import { reasonOf } from "../texts/common.ts";
import { gateways } from "../texts/gateways.ts";
import { Form, useForm } from "./form.tsx";
import { Refused } from "./form-end.tsx";

const t = gateways.pair;

type Made = ApiSchema<"NewGatewayPairing">;

interface PairGatewayProps {
  /** Whether what the gateway reads is shown below. */
  hasSignals?: boolean;
  /** Whether its field gets the focus: not if it is always there. */
  isFocused?: boolean;
}

/** Connects a bridge: makes a code, says what to enter at the bridge, and that it has come. */
export function PairGateway({ hasSignals = false, isFocused = false }: PairGatewayProps) {
  const [made, setMade] = useState<Made | null>(null);
  return (
    <div class="pair-gateway">
      {made === null ? (
        <MakeCode onMade={setMade} isFocused={isFocused} />
      ) : (
        <Waiting key={made.id} made={made} hasSignals={hasSignals} onAgain={() => setMade(null)} />
      )}
    </div>
  );
}

function MakeCode({ onMade, isFocused }: { onMade(made: Made): void; isFocused: boolean }) {
  const form = useForm({
    fields: { name: { kind: "text", label: t.name, maxLength: 200 } } as const,
    initial: { name: t.usual },
    body: ({ name }, refuse) => {
      if (name.trim() === "") refuse("name", t.needed);
      return { ...companyQuery(), name: name.trim() };
    },
    send: async (body, idempotencyKey) => onMade(await api("post", "/v1/gateway-pairings", { body, idempotencyKey })),
  });
  return <Form form={form} label={t.open} send={t.make} sending={t.making} isFocused={isFocused} />;
}

interface WaitingProps {
  made: Made;
  hasSignals: boolean;
  onAgain(): void;
}

/** The code, until the gateway has come or the code has ended. */
function Waiting({ made: { id, name, code, expiresAt }, hasSignals, onAgain }: WaitingProps) {
  const { data, error } = usePairing(id);
  const status = data?.status ?? "pending";
  // Lists of gateways have one more.
  useEffect(() => void (status === "confirmed" && invalidate()), [status]);
  if (status === "confirmed") {
    return (
      <p class="is-connected" role="status">
        <strong>{t.connected(name)}</strong>
        {hasSignals && t.connectedHint}
      </p>
    );
  }
  if (status === "expired") {
    return (
      <p role="status">
        {t.expired}{" "}
        <button type="button" class="button" onClick={onAgain}>
          {t.again}
        </button>
      </p>
    );
  }
  const [npx, npm] = pairCommands(code);
  return (
    <>
      <p>{t.code(formats().time(expiresAt))}</p>
      <p class="pair-gateway-code">{code}</p>
      <p>{t.commands(location.origin)}</p>
      <pre>{npx}</pre>
      <p class="quiet">{t.inFolder}</p>
      <pre>{npm}</pre>
      <p class="quiet" role="status">
        {t.waiting}
      </p>
      <Refused reason={error === null ? null : reasonOf(error)} />
    </>
  );
}
