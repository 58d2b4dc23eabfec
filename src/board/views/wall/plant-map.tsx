import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { Row } from "../../data/live.ts";
import { readPlantMaps } from "../../data/plant-maps.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import type { PlantMap as PlantMapRead } from "../../domain/plant-map.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { Size } from "../../domain/wall-layout.ts";
import { load as loadTexts, wallParts as t } from "../../texts/wall-parts.ts";
import { later } from "../../ui/later.tsx";
import { useReading } from "./reading.ts";
import { ShortMachine } from "./short-machine.tsx";

const READ_EVERY_MS = 5 * MINUTE_MS;
/** The width and height of a machine with its name, and the line of the others, in font sizes. */
const MACHINE_AREA = 8 * 1.3;
const REST = 1.8;
/** The widest a machine is, and a machine of which there is the shape alone. */
const MOST_EMS = 11;
const SHAPE_EMS = 2.2;
/** The share of the picture that names may cover. */
const MOST_COVERED = 0.3;
/** The shape of a picture that is not there. */
const NO_PICTURE = 16 / 9;

// The styles are those of the elements: every wall loads the sheets at first, and most have no map. Chromium 79 has no gaps in flex boxes.
const mapStyle = { flex: "1", minWidth: "0", fontSize: "var(--u)" };
const machineStyle = { maxWidth: `${MOST_EMS}em`, marginRight: "0.2em" };
const placedStyle = { ...machineStyle, position: "absolute", transform: "translate(-50%, -50%)" };
const restStyle = { display: "flex", alignItems: "center", height: `${REST}em`, paddingTop: "0.2em", overflow: "hidden" };

interface PlantMapProps {
  /** The map that was chosen; null: the first one. */
  mapId: string | null;
  /** Who needs someone first is first. */
  rows: readonly Row[];
  /** The shown instant, epoch ms. */
  now: ReadonlySignal<number>;
  /** The font size, and the room for all, in px. */
  text: number;
  space: Size;
}

/** The machines where they stand, on a picture of the plant; in a line below, those that are not on it and need someone. */
function Shown({ mapId, rows, now: at, text, space }: PlantMapProps) {
  const maps = useSignal<PlantMapRead[] | null>(null);
  const ratio = useSignal(NO_PICTURE);
  useReading("maps", READ_EVERY_MS, readPlantMaps, (found) => {
    maps.value = found;
  });
  if (maps.value === null) return null;
  const map = maps.value.find(({ id }) => id === mapId) ?? maps.value[0];
  if (!map) return <p class="wall-empty">{t.noMap}</p>;

  const now = at.value;
  const places = new Map(map.places.map((place) => [place.machineId, place]));
  const placed = rows.flatMap((row) => {
    const place = places.get(row.machine.id);
    return place ? [{ row, place }] : [];
  });
  const others = rows.filter((row) => !places.has(row.machine.id) && isNeeding(row));
  const height = space.height - (others.length > 0 ? REST * text : 0);
  const box = { width: Math.min(space.width, height * ratio.value), height: Math.min(height, space.width / ratio.value) };
  const areNamed = placed.length * MACHINE_AREA * text * text <= MOST_COVERED * box.width * box.height;
  const across = Math.max(1, Math.floor(space.width / text / MOST_EMS));
  return (
    <div class="map" style={mapStyle}>
      <div style={{ position: "relative", width: `${box.width}px`, margin: "0 auto", height: `${box.height}px` }}>
        {map.picture && (
          <img
            src={map.picture}
            alt={map.name}
            width={box.width}
            height={box.height}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              ratio.value = naturalWidth / naturalHeight || NO_PICTURE;
            }}
          />
        )}
        <ul>
          {/* Who needs someone covers others, and is last. */}
          {placed.reverse().map(({ row, place }) => {
            const form = isNeeding(row) ? "lines" : areNamed ? "name" : "shape";
            const left = within(box.width * place.x, box.width, (form === "shape" ? SHAPE_EMS : MOST_EMS) * text);
            const style = { ...placedStyle, left: `${left}px`, top: `${100 * place.y}%` };
            return <ShortMachine key={row.machine.id} {...{ row, now, form, style }} />;
          })}
        </ul>
      </div>
      {others.length > 0 && (
        <ul style={restStyle}>
          {others.slice(0, across).map((row) => (
            <ShortMachine key={row.machine.id} row={row} now={now} style={machineStyle} />
          ))}
          {others.length > across && <li class="quiet">{t.more(others.length - across)}</li>}
        </ul>
      )}
    </div>
  );
}

/** The same, once its texts are there. */
export const PlantMap = later(async () => {
  await loadTexts();
  return Shown;
});

/** Whether somebody should see it from afar. */
function isNeeding(row: Row): boolean {
  return row.helpCall !== null || ["stopped", "noData", "slow"].includes(kindOf(row));
}

/** The middle of a machine, in px, so that it is not beyond the picture's edges. */
function within(middle: number, width: number, most: number): number {
  const half = Math.min(most, width) / 2;
  return Math.max(half, Math.min(width - half, middle));
}
