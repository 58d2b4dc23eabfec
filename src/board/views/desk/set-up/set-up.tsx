import "./set-up.css";
import { type SetUpGroup, setUpGroups } from "../../../domain/set-up.ts";
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

function Menu() {
  const { state, hrefWith } = useDesk();
  return (
    <nav class="set-up-menu" aria-label={t.kindsLabel}>
      {(Object.keys(setUpGroups) as SetUpGroup[]).map((group) => (
        <section key={group} aria-label={t.groups[group]}>
          <h2>{t.groups[group]}</h2>
          {setUpGroups[group].map((part) => (
            <a key={part} href={hrefWith({ kind: part, itemId: null })} aria-current={part === state.kind ? "true" : undefined}>
              {t.kinds[part]}
            </a>
          ))}
        </section>
      ))}
    </nav>
  );
}
