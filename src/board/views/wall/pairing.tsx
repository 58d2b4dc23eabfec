import "./pairing.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { setQuery } from "../../app/route.ts";
import { keepSession } from "../../app/session.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { reasonOf } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { SignInPage } from "../../ui/sign-in-page.tsx";

const ASK_EVERY_MS = 3000;

/** Shown on a wall without a token: a code for an admin to confirm on another device, and a way to sign in right here. */
export function Pairing() {
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
      later(waitAfter(failures, Math.random(), error instanceof Refusal ? error.retryAfter : null), begin);
    };
    async function begin(): Promise<void> {
      const begun = await api("post", "/v1/wall-pairings");
      failures = 0;
      code.value = begun.code;
      reason.value = null;
      later(ASK_EVERY_MS, () => ask(begun));
    }
    async function ask(begun: ApiSchema<"NewWallPairing">): Promise<void> {
      const found = await outcomeOf(begun);
      if (isGone) return;
      reason.value = found instanceof Error ? reasonOf(found) : null;
      // After any failure the code remains valid, so that a confirmation in the meantime is not lost.
      if (found instanceof Error || found.status === "pending") return later(ASK_EVERY_MS, () => ask(begun));
      const { token, companyId, lineIds, distance } = found;
      if (token === null || companyId === null) return begin();
      setQuery({ lines: lineIds?.join(",") ?? null, distance: distance === null ? null : String(distance) });
      keepSession({ kind: "wall", token, companyId });
    }
    void begin().catch(failed);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);

  if (isSigningIn.value) return <SignInPage />;
  return (
    <main class="pairing">
      <h1>{wall.pairTitle}</h1>
      <p>{wall.pairHint(`${location.host}/pair`)}</p>
      <p class="pairing-code" role="status">
        {code.value ?? "····-····"}
      </p>
      <p class="quiet">
        {wall.pairWaiting} {wall.pairRenewed}
      </p>
      <div role="alert">{reason.value !== null && <p class="refusal">{reason.value}</p>}</div>
      <button
        type="button"
        class="button"
        onClick={() => {
          isSigningIn.value = true;
        }}
      >
        {wall.signInInstead}
      </button>
    </main>
  );
}

/** Returns the outcome of a pairing, or the error if it could not be read. */
async function outcomeOf({ id, secret, expiresAt }: ApiSchema<"NewWallPairing">): Promise<ApiSchema<"WallPairing"> | Error> {
  try {
    return await api("get", "/v1/wall-pairings/{id}", { path: { id }, headers: { "x-pairing-secret": secret } });
  } catch (error) {
    const isForgotten = error instanceof Refusal && error.status === 404;
    if (isForgotten)
      return { id, expiresAt, status: "expired", token: null, companyId: null, name: null, lineIds: null, distance: null };
    return error instanceof Error ? error : new Error(String(error));
  }
}
