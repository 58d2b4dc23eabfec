import { changeLanguage, type Language, language, languages } from "../language.ts";
import { common } from "../texts/common.ts";

/** A field that shows the page in another language, from now on in this browser. */
export function ChooseLanguage() {
  return (
    <label class="field">
      <span>{common.language}</span>
      <select value={language} onChange={({ currentTarget }) => changeLanguage(currentTarget.value as Language)}>
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
