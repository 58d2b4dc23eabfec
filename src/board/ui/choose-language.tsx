import { changeLanguage, type Language, language, languages } from "../app/language.ts";
import { common } from "../texts/common.ts";

/** A field to choose the language. By default the choice applies to this browser from now on. */
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
