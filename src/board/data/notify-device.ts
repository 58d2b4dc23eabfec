import { language } from "../app/language.ts";
import { trustedScript } from "../app/trusted-script.ts";
import { type ApiSchema, api } from "./api.ts";

// Push messages to this browser. The browser subscribes with the service's key, and the service adds the subscription to the push contacts of
// the user's personas.

/**
 * Whether push messages come to this browser. "unsupported": the browser has no push; "no key": the service has none; "denied": the user has
 * blocked notifications; "idle": on, but no alert rule or report notifies the user.
 */
export type DeviceState = "unsupported" | "no key" | "denied" | "off" | "on" | "idle";

const WORKER = "/notify/worker.js";
const SCOPE = "/notify/";

/** @throws Refusal, NoAnswer */
export async function deviceState(): Promise<DeviceState> {
  // Without https, none of these exists.
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  const state = await api("get", "/v1/push-key");
  if (state.key === null) return "no key";
  if (Notification.permission === "denied") return "denied";
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && state.endpoints.includes(subscription.endpoint) ? shownAs(state) : "off";
}

/** Asks the user for permission, subscribes, and turns push messages on. @throws Refusal, NoAnswer, or an error of the browser */
export async function notifyHere(): Promise<DeviceState> {
  // Before anything else is awaited, because browsers only ask right after a click.
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "denied" : "off";
  const { key } = await api("get", "/v1/push-key");
  if (key === null) return "no key";
  return shownAs(await tell(await subscribed(bytesOf(key)), true));
}

/** Turns push messages off. The browser keeps its subscription, because its other users may share it. @throws Refusal, NoAnswer */
export async function notifyHereNoMore(): Promise<DeviceState> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) await tell(subscription, false);
  return "off";
}

function shownAs({ isNotified }: ApiSchema<"PushState">): DeviceState {
  return isNotified ? "on" : "idle";
}

function tell(subscription: PushSubscription, isOn: boolean): Promise<ApiSchema<"PushState">> {
  const persona = ({ en: "english", es: "spanish" } as const)[language];
  const body = { subscription: JSON.stringify(subscription), isOn, name: deviceName(), language: persona };
  return api("put", "/v1/push-devices", { body });
}

/** Returns this browser's subscription with a key, and creates it if there is none. */
async function subscribed(key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const { pushManager } = await worker();
  const known = await pushManager.getSubscription();
  const knownKey = known?.options.applicationServerKey;
  if (known && knownKey && String(new Uint8Array(knownKey)) === String(key)) return known;
  // A subscription with another key is useless, and prevents one with this key.
  await known?.unsubscribe();
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Returns the registration of the service worker once it is active: browsers do not subscribe before. */
async function worker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(trustedScript(WORKER), { scope: SCOPE });
  const next = registration.installing ?? registration.waiting;
  if (!registration.active && next) {
    await new Promise<void>((done, failed) => {
      next.addEventListener("statechange", () => {
        if (next.state === "activated") done();
        if (next.state === "redundant") failed(new Error(`${WORKER} does not start`));
      });
    });
  }
  return registration;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A name by which people recognise the device, such as "Chrome, Android". */
function deviceName(): string {
  const { userAgent } = navigator;
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent)?.[0].replace("Edg", "Edge").replace("OPR", "Opera");
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(userAgent)?.[0];
  return [browser, system].filter(Boolean).join(", ");
}
