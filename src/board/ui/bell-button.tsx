import "./bell.css";
import { useState } from "preact/hooks";
import { MOST_INCIDENTS, MOST_NOTIFICATIONS, useAlerts } from "../data/alerts.ts";
import { countText } from "../domain/alerts.ts";
import { alerts as t } from "../texts/alerts.ts";
import { BellIcon } from "./bell-icon.tsx";
import { Dropdown } from "./dropdown.tsx";
import { later } from "./later.tsx";
import { StateIcon } from "./state-icon.tsx";

// Loaded later, because the panel is rarely opened.
const BellPanel = later(async () => (await import("./bell-panel.tsx")).BellPanel);

/** The numbers of open incidents and unread notifications, with a panel that lists them. */
export function BellButton() {
  const loaded = useAlerts();
  const [isOpen, setOpen] = useState(false);
  const { incidents = [], notifications = [] } = loaded.data ?? {};
  const open = countText(incidents.length, MOST_INCIDENTS);
  const unread = countText(notifications.filter(({ readAt }) => readAt === null).length, MOST_NOTIFICATIONS);
  const label = loaded.data ? t.bell(open, unread) : t.name;
  return (
    <>
      <span class="unseen" role="status">
        {loaded.data && label}
      </span>
      <Dropdown
        class="bell"
        label={label}
        onToggle={setOpen}
        button={
          <>
            <BellIcon />
            {open !== "0" && (
              <span class="bell-open" aria-hidden="true">
                <StateIcon kind="stopped" /> {open}
              </span>
            )}
            {unread !== "0" && (
              <span class="bell-unread" aria-hidden="true">
                <span class="bell-dot" /> {unread}
              </span>
            )}
          </>
        }
      >
        {isOpen && <BellPanel loaded={loaded} />}
      </Dropdown>
    </>
  );
}
