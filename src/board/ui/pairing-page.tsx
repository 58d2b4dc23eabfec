import "./pairing-page.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiSchema, Refusal } from "../data/api.ts";
import { waitAfter } from "../domain/backoff.ts";
import { common, reasonOf } from "../texts/common.ts";
import { SignInPage } from "./sign-in-page.tsx";

const ASK_EVERY_MS = 3000;

/** What a display gets when it begins: the code that it shows, and what it asks with. */
type Begun = ApiSchema<"NewWallPairing"> | ApiSchema<"NewTerminalPairing">;

/** What a display is told, and given once its code is confirmed. */
interface Outcome {
  status: ApiSchema<"WallPairing">["status"];
  token: string | null;
  companyId: number | null;
}

export type Given<Found> = Found & { token: string; companyId: number };

interface Props<Found> {
  title: string;
  hint: string;
  begin(): Promise<Begun>;
  ask(begun: Begun): Promise<Found>;
  /** Stores the session that the display was given. */
  keep(given: Given<Found>): void;
}

/** Shown on a display without a token: a code for an admin to confirm on another device, and a way to sign in right here. */
export function PairingPage<Found extends Outcome>({ title, hint, begin, ask, keep }: Props<Found>) {
  const code = useSignal<string | null>(null);
  const reason = useSignal<string | null>(null);
  const isSigningIn = useSignal(false);

  useEffect(() => {
    let timer: number | undefined;
    let isGone = false;
    let failures = 0;
    const later = (ms: number, act: () => Promise<void>) => {
      if (!isGone) timer = window.setTimeout(() => void act().catch(failed), ms);
    };
    const failed = (error: unknown) => {
      reason.value = reasonOf(error);
      failures++;
      later(waitAfter(failures, Math.random(), error instanceof Refusal ? error.retryAfter : null), start);
    };
    async function start(): Promise<void> {
      const begun = await begin();
      failures = 0;
      code.value = begun.code;
      reason.value = null;
      later(ASK_EVERY_MS, () => look(begun));
    }
    async function look(begun: Begun): Promise<void> {
      const found = await outcomeOf(() => ask(begun));
      if (isGone) return;
      reason.value = found instanceof Error ? reasonOf(found) : null;
      // After any failure the code remains valid, so that a confirmation in the meantime is not lost.
      if (found instanceof Error || found?.status === "pending") return later(ASK_EVERY_MS, () => look(begun));
      if (!isGiven(found)) return start();
      keep(found);
    }
    void start().catch(failed);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);

  if (isSigningIn.value) return <SignInPage />;
  return (
    <main class="pairing">
      <h1>{title}</h1>
      <p>{hint}</p>
      <p class="pairing-code" role="status">
        {code.value ?? "····-····"}
      </p>
      <p class="quiet">
        {common.pairWaiting} {common.pairRenewed}
      </p>
      <div role="alert">{reason.value !== null && <p class="refusal">{reason.value}</p>}</div>
      <button
        type="button"
        class="button"
        onClick={() => {
          isSigningIn.value = true;
        }}
      >
        {common.signInInstead}
      </button>
    </main>
  );
}

function isGiven<Found extends Outcome>(found: Found | null): found is Given<Found> {
  return found !== null && found.token !== null && found.companyId !== null;
}

/** Returns the outcome of a pairing, the error if it could not be read, or null if the service has forgotten the pairing. */
async function outcomeOf<Found>(ask: () => Promise<Found>): Promise<Found | Error | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    return error instanceof Error ? error : new Error(String(error));
  }
}
