import "./set-up.css";
import { isAdmin, may, type Permission } from "../../../data/may.ts";
import { type SetUpGroup, type SetUpPart, setUpGroups } from "../../../domain/set-up.ts";
import { setUp as t } from "../../../texts/set-up.ts";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { DeletedItems } from "./deleted-items.tsx";
import { isRestorable } from "./kinds.ts";
import { pages } from "./pages.tsx";

/** The set-up: a menu of its pages, and the one that is open. */
export function SetUpView() {
  const { kind } = useDesk().state;
  const Page = pages[kind];
  return (
    <div class="set-up">
      <Menu />
      <div class="desk-column">
        <Part key={kind}>
          <Page />
        </Part>
        {isRestorable(kind) && (
          <Part key={`deleted ${kind}`}>
            <DeletedItems part={kind} />
          </Part>
        )}
      </div>
    </div>
  );
}

/** What a part takes to be read; the others are read by everybody who sees the desk. */
const readPermissions: Partial<Record<SetUpPart, Permission>> = {
  users: "users:read",
  tokens: "api-tokens:read",
  personas: "personas:write",
  webhooks: "webhooks:read",
};

function mayRead(part: SetUpPart): boolean {
  if (part === "history") return isAdmin();
  const permission = readPermissions[part];
  return permission === undefined || may(permission);
}

function Menu() {
  const { state, hrefWith, go } = useDesk();
  const groups = (Object.keys(setUpGroups) as SetUpGroup[]).map((group) => ({
    group,
    parts: setUpGroups[group].filter(mayRead),
  }));
  return (
    <>
      {/* On a phone the pages take too much room above what is looked for. */}
      <p class="field set-up-choose">
        <select
          aria-label={t.kindsLabel}
          value={state.kind}
          onChange={({ currentTarget }) => go({ kind: currentTarget.value as SetUpPart, itemId: null })}
        >
          {groups.map(({ group, parts }) => (
            <optgroup key={group} label={t.groups[group]}>
              {parts.map((part) => (
                <option key={part} value={part}>
                  {t.kinds[part]}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </p>
      <nav class="set-up-menu" aria-label={t.kindsLabel}>
        {groups.map(({ group, parts }) => (
          <div key={group}>
            <h2>{t.groups[group]}</h2>
            {parts.map((part) => (
              <a key={part} href={hrefWith({ kind: part, itemId: null })} aria-current={part === state.kind ? "true" : undefined}>
                {t.kinds[part]}
              </a>
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}
