// The service worker. It shows push messages, even while no page of the board is open. Its address (/notify/worker.js) never changes, because
// browsers look for a newer version there. No page is within its scope, so it handles no requests of the board.

/** The message that src/channels/push.ts sends. */
interface PushMessage {
  title: string;
  body: string;
  /** The board's page for it; null: the service does not know its own address. */
  url: string | null;
  /** The same for repeats of a message, so that it is shown once. */
  tag: string;
}

/** The used members of a service worker. The board is compiled with the types of pages. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: "push", act: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", act: (event: ClickEvent) => void): void;
}
interface PushEvent {
  data: { json(): PushMessage } | null;
  waitUntil(work: Promise<unknown>): void;
}
interface ClickEvent {
  notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(scope.registration.showNotification(title, { body, tag, data: url ?? "/desk/incidents" }));
});

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, location.href).href));
});

/** Shows a page, in its window if it is open already, otherwise in a new one. */
async function show(address: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => url === address);
  await (open ? open.focus() : scope.clients.openWindow(address));
}
