import "./settings.css";
import { route, setQuery } from "../../app/route.ts";
import { forgetSession, session } from "../../app/session.ts";
import { distances } from "../../domain/wall-layout.ts";
import { optionsOf } from "../../domain/wall-options.ts";
import { wall } from "../../texts/wall.ts";
import { load as loadTexts, wallParts as t } from "../../texts/wall-parts.ts";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { later } from "../../ui/later.tsx";

/** Seconds per page. */
const pageTimes = [8, 12, 20, 30, 60];

interface SettingsProps {
  /** All available lines. */
  lines: readonly { id: number; name: string }[];
  onClose: () => void;
}

/** The settings of the wall. All of them are in the address, so that it can be bookmarked. */
function SettingsDialog({ lines, onClose }: SettingsProps) {
  const { lineIds, distance, secondsPerPage, theme, order, show } = optionsOf(route.value.query);

  function chooseLine(id: number, isChosen: boolean): void {
    const chosen = isChosen ? [...lineIds, id] : lineIds.filter((one) => one !== id);
    setQuery({ lines: chosen.length > 0 ? chosen.join(",") : null });
  }

  return (
    <Dialog title={wall.settings} class="wall-settings" onClose={onClose}>
      <fieldset>
        <legend>{t.distance}</legend>
        {distances.map((metres) => (
          <label key={metres}>
            <input
              type="radio"
              name="distance"
              checked={metres === distance}
              onChange={() => setQuery({ distance: String(metres) })}
            />
            {t.metres(metres)}
          </label>
        ))}
      </fieldset>
      {lines.length > 0 && (
        <fieldset>
          <legend>{t.lines}</legend>
          <label>
            <input type="checkbox" checked={lineIds.length === 0} onChange={() => setQuery({ lines: null })} />
            {t.allLines}
          </label>
          {lines.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={lineIds.includes(id)}
                onChange={({ currentTarget }) => chooseLine(id, currentTarget.checked)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <label class="field">
        <span>{t.seconds}</span>
        <select value={secondsPerPage} onChange={({ currentTarget }) => setQuery({ page: currentTarget.value })}>
          {[...new Set([...pageTimes, secondsPerPage])].map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t.show}</span>
        <select
          value={show}
          onChange={({ currentTarget }) => setQuery({ show: currentTarget.value === "tiles" ? null : currentTarget.value })}
        >
          <option value="tiles">{t.tiles}</option>
          <option value="hours">{t.hourByHour}</option>
          <option value="map">{t.map}</option>
        </select>
      </label>
      <label class="field">
        <span>{t.order}</span>
        <select
          value={order}
          onChange={({ currentTarget }) => setQuery({ order: currentTarget.value === "fixed" ? "fixed" : null })}
        >
          <option value="urgency">{t.byUrgency}</option>
          <option value="fixed">{t.fixed}</option>
        </select>
      </label>
      <label class="field">
        <span>{t.theme}</span>
        <select
          value={theme}
          onChange={({ currentTarget }) => setQuery({ theme: currentTarget.value === "light" ? "light" : null })}
        >
          <option value="dark">{t.dark}</option>
          <option value="light">{t.light}</option>
        </select>
      </label>
      <ChooseLanguage
        choose={(lang) => {
          setQuery({ lang });
          location.reload();
        }}
      />
      <p class="wall-settings-actions">
        <button type="button" class="button primary" onClick={onClose}>
          {t.close}
        </button>
        {document.fullscreenEnabled && (
          <button
            type="button"
            class="button"
            onClick={() => {
              onClose();
              document.documentElement.requestFullscreen().catch(() => undefined);
            }}
          >
            {t.fullScreen}
          </button>
        )}
        {session.value?.kind === "wall" ? (
          <button type="button" class="button" onClick={forgetSession}>
            {t.unpair}
          </button>
        ) : (
          <a class="button" href="/">
            {t.start}
          </a>
        )}
      </p>
    </Dialog>
  );
}

/** The dialog, once its texts are there. */
export const Settings = later(async () => {
  await loadTexts();
  return SettingsDialog;
});
