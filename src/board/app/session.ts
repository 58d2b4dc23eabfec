import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { roles } from "../domain/roles.ts";
import { onChange, recall, remember } from "./store.ts";

export type Role = (typeof roles)[number];

/** A signed-in user, until the token ends. */
export interface UserSession {
  kind: "user";
  token: string;
  userId: number;
  email: string;
  role: Role;
  /** The user's company. */
  companyId: number;
  /** The company that a superuser looks at instead of their own. */
  shownCompanyId?: number;
}

/** A paired wall: a read-only API token, until it is revoked. */
interface WallSession {
  kind: "wall";
  token: string;
  companyId: number;
}

/** A paired terminal: an API token that is bound to its machines, until it is revoked. */
interface TerminalSession {
  kind: "terminal";
  token: string;
  companyId: number;
  machineIds: readonly number[];
}

export type Session = UserSession | WallSession | TerminalSession;

const kinds: readonly string[] = ["user", "wall", "terminal"] satisfies Session["kind"][];

const kept = signal(read(recall("session")));
/** The session of the board in this browser; null: none yet. */
export const session: ReadonlySignal<Session | null> = kept;
/** The signed-in user; null without one. */
export const user: ReadonlySignal<UserSession | null> = computed(() => (kept.value?.kind === "user" ? kept.value : null));

/** Whose role decides what may be done here: the signed-in user's, or that of a paired terminal; null without one. */
export const acting: ReadonlySignal<{ role: Role; token: string } | null> = computed(() => {
  const now = kept.value;
  if (now?.kind === "terminal") return { role: "user", token: now.token };
  return now?.kind === "user" ? now : null;
});

onChange("session", (value) => take(read(value)));

const expiredToken = signal<string | null>(null);
/** Whether the session has ended while the page was in use. It then asks to sign in again, and all requests wait. */
export const isExpired: ReadonlySignal<boolean> = computed(
  () => expiredToken.value !== null && expiredToken.value === kept.value?.token,
);
let waiting: (() => void)[] = [];

/** Stores a session, for all tabs of this browser. */
export function keepSession(next: Session): void {
  remember("session", JSON.stringify(next));
  take(next);
}

/** Forgets the session on this device, and goes to the sign-in page. */
export function forgetSession(): void {
  remember("session", null);
  location.assign("/");
}

/** Forgets the session of a wall or terminal whose token the service no longer accepts. The page then shows how to pair it again. */
export function forgetDisplay(token: string): void {
  if (kept.peek()?.token !== token) return;
  remember("session", null);
  take(null);
}

/** Shows another company from now on; for superusers only. */
export function showCompany(companyId: number): void {
  const now = user.peek();
  if (now) keepSession({ ...now, shownCompanyId: companyId });
}

/** `companyId` for requests of a superuser who looks at another company; empty for all others, whose company is their own. */
export function companyQuery(): { companyId?: number } {
  const shown = user.value?.shownCompanyId;
  return shown === undefined ? {} : { companyId: shown };
}

/**
 * Waits until the user has signed in again, for a request that was refused with 401.
 * @param token the refused one
 */
export function signedInAgain(token: string): Promise<void> {
  if (kept.peek()?.token !== token) return Promise.resolve();
  expiredToken.value = token;
  return new Promise((resolve) => waiting.push(resolve));
}

function take(next: Session | null): void {
  const before = kept.peek();
  // The shown data and the waiting requests belong to the previous session.
  if (isExpired.peek() && next && identityOf(before) !== identityOf(next)) {
    location.reload();
    return;
  }
  kept.value = next;
  if (next && next.token !== expiredToken.peek()) {
    expiredToken.value = null;
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  }
}

function identityOf(one: Session | null): number | null {
  return one?.kind === "user" ? one.userId : null;
}

function read(text: string | null): Session | null {
  if (!text) return null;
  try {
    const value = JSON.parse(text) as Session | null;
    return typeof value?.token === "string" && kinds.includes(value.kind) ? value : null;
  } catch {
    return null;
  }
}
