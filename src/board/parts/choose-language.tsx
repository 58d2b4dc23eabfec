import { changeLanguage, type Language, language, languages } from "../language.ts";
import { common } from "../texts/common.ts";

/** A field that shows the page in another language: from now on in this browser, unless `choose` does something else. */
export function ChooseLanguage({ choose = changeLanguage }: { choose?: (language: Language) => void }) {
  return (
    <label class="field">
      <span>{common.language}</span>
      <select value={language} onChange={({ currentTarget }) => choose(currentTarget.value as Language)}>
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
