// The service worker. It shows push messages, even while no page of the board is open. Its address (/notify/worker.js) never changes, because
// browsers look for a newer version there. No page is within its scope, so it handles no requests of the board.

/** As src/channels/push.ts sends it. */
interface PushMessage {
  title: string;
  body: string;
  /** The page of the board about it; null: the service does not know its own address. */
  url: string | null;
  /** The same for the same message: it is shown once. */
  tag: string;
}

/** What is used of a service worker: the board's types are those of pages. */
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

/** Shows a page: where it is open already, or in a new window. */
async function show(address: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => url === address);
  await (open ? open.focus() : scope.clients.openWindow(address));
}
