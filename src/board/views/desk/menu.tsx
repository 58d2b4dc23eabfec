import "./menu.css";
import { useEffect, useRef } from "preact/hooks";
import { ChooseLanguage } from "../../parts/choose-language.tsx";
import { desk as t } from "../../texts/desk.ts";
import { chooseTheme, chosenTheme, type Theme, themes } from "../../theme.ts";
import { Icon } from "./icon.tsx";

/** What is chosen once: colours and language, behind a button. It closes by Escape, and when something else is clicked or has the focus. */
export function Menu() {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    for (const name of ["pointerdown", "focusin"]) addEventListener(name, close);
    return () => {
      for (const name of ["pointerdown", "focusin"]) removeEventListener(name, close);
    };
  }, []);
  return (
    <details
      class="desk-menu"
      ref={menu}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape") return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="control" aria-label={t.menu} title={t.menu}>
        <Icon name="menu" />
      </summary>
      <div class="desk-menu-sheet">
        <label class="field">
          <span>{t.theme}</span>
          <select
            onChange={({ currentTarget }) => {
              chooseTheme(currentTarget.value as Theme);
            }}
          >
            {themes.map((one) => (
              <option key={one} value={one} selected={one === chosenTheme()}>
                {t.themes[one]}
              </option>
            ))}
          </select>
        </label>
        <ChooseLanguage />
        <a class="button" href="/">
          {t.start}
        </a>
      </div>
    </details>
  );
}
