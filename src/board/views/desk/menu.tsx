import "./menu.css";
import { chooseTheme, chosenTheme, type Theme, themes } from "../../app/theme.ts";
import { desk as t } from "../../texts/desk.ts";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { Icon } from "../../ui/icon.tsx";

/** A menu with what is rarely needed: colours, language, and printing. */
export function Menu() {
  return (
    <Dropdown class="desk-menu" label={t.menu} button={<Icon name="menu" />}>
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
      <a class="button" href="/desk/dashboards">
        {t.tabs.dashboards}
      </a>
      <button type="button" class="button" onClick={() => print()}>
        {t.print}
      </button>
      <a class="button" href="/">
        {t.start}
      </a>
    </Dropdown>
  );
}
