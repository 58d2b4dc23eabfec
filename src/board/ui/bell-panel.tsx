import { useEffect, useRef } from "preact/hooks";
import type { Alerts, Notification } from "../data/alerts.ts";
import { api } from "../data/api.ts";
import { formats } from "../data/plant.ts";
import type { Loaded } from "../data/query.ts";
import { byNeed } from "../domain/alerts.ts";
import { alerts as t } from "../texts/alerts.ts";
import { common, reasonOf } from "../texts/common.ts";
import { IncidentItem } from "./incident-item.tsx";
import { NotifyHere } from "./notify-here.tsx";

/** The panel behind the bell: open incidents, the user's notifications, and whether they also come to this device. */
export function BellPanel({ loaded: { data, error, reload } }: { loaded: Loaded<Alerts> }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const fresh = useMarkedRead(data?.notifications ?? [], reload);
  return (
    <>
      <div role="alert">
        {error !== null && (
          <>
            <p class="refusal">{reasonOf(error)}</p>
            <button type="button" class="button" onClick={() => void reload()}>
              {common.tryAgain}
            </button>
          </>
        )}
      </div>
      {data && (
        <>
          <h2 ref={heading} tabIndex={-1}>
            {t.open}
          </h2>
          {data.incidents.length === 0 && <p class="bell-none">{t.none}</p>}
          <ul>
            {byNeed(data.incidents).map((incident) => (
              <li key={incident.id}>
                {/* The button is removed then, and the focus must not be lost with it. */}
                <IncidentItem incident={incident} isLink onAcknowledged={() => heading.current?.focus()} />
              </li>
            ))}
          </ul>
          <p class="bell-foot">
            <a href="/desk/incidents">{t.all}</a>
          </p>
          <h2 class="bell-later">{t.notifications}</h2>
          {data.notifications.length === 0 && <p class="bell-none">{t.noNotifications}</p>}
          <ul>
            {data.notifications.map((one) => (
              <Note key={one.id} note={one} isNew={fresh.has(one.id)} />
            ))}
          </ul>
          <NotifyHere />
        </>
      )}
    </>
  );
}

function Note({ note: { title, body, createdAt }, isNew }: { note: Notification; isNew: boolean }) {
  return (
    <li class="bell-note">
      {isNew && (
        <span class="bell-unread">
          <span class="bell-dot" /> {t.isNew}
        </span>
      )}
      <strong>{title}</strong>
      <p>{body}</p>
      <time dateTime={createdAt}>{formats().dateTime(createdAt)}</time>
    </li>
  );
}

/** Marks the shown notifications as read. Returns those that were unread when first shown: they look new until the panel is closed. */
function useMarkedRead(notifications: readonly Notification[], reload: () => Promise<void>): ReadonlySet<string> {
  const fresh = useRef(new Set<string>());
  const unread = notifications.filter(({ readAt }) => readAt === null).map(({ id }) => id);
  for (const id of unread) fresh.current.add(id);
  const key = unread.join();
  useEffect(() => {
    if (key === "") return;
    // If this fails, they stay unread, and are marked the next time they are shown.
    api("patch", "/notifications/markRead", { body: { notificationIds: unread } }).then(reload, () => undefined);
  }, [key]);
  return fresh.current;
}
