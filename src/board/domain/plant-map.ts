// A plant map is a widget of the API: its picture is the widget's picture, and its `spec` says where the machines are on it.

/** Where a machine is on the picture: shares of its width and height, from the left and from the top. */
export interface Place {
  machineId: number;
  x: number;
  y: number;
}

export interface PlantMap {
  id: string;
  name: string;
  /** The path of its picture; null: it has none yet. */
  picture: string | null;
  places: readonly Place[];
}

/** What the board needs of a widget. */
interface Widget {
  id: string;
  title: { en: string };
  spec: Record<string, unknown>;
  thumbnailUrl: string | null;
}

const TYPE = "plant-map";
/** So many places fit into a widget's `spec`. */
export const MOST_PLACES = 1000;
/** Places are kept to a thousandth: a pixel of a large screen is about a quarter of that. */
const STEPS = 1000;

/** The plant maps among widgets, by name. Other clients may write a `spec`, too: what is no place in it is left out. */
export function plantMaps(widgets: readonly Widget[]): PlantMap[] {
  return widgets
    .filter(({ spec }) => spec.type === TYPE)
    .map(({ id, title, spec, thumbnailUrl }) => ({
      id,
      name: title.en,
      picture: thumbnailUrl && new URL(thumbnailUrl).pathname,
      places: Array.isArray(spec.places) ? placesIn(spec.places) : [],
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The `spec` of a plant map. */
export function specOf(places: readonly Place[]): Record<string, unknown> {
  return { type: TYPE, places: places.map(({ machineId, x, y }) => ({ machineId, x, y })) };
}

/** The place at a share of the picture, within its edges. */
export function placeAt(machineId: number, x: number, y: number): Place {
  const within = (share: number) => Math.round(STEPS * Math.min(1, Math.max(0, share))) / STEPS;
  return { machineId, x: within(x), y: within(y) };
}

/** The places after a machine was put at another one; null: it was taken off the map. */
export function withPlace(places: readonly Place[], machineId: number, place: Place | null): Place[] {
  return [...places.filter((one) => one.machineId !== machineId), ...(place ? [place] : [])];
}

function placesIn(list: readonly unknown[]): Place[] {
  const places = new Map<number, Place>();
  for (const one of list.slice(0, MOST_PLACES)) {
    const { machineId, x, y } = Object(one) as Partial<Place>;
    if (isNumber(machineId) && isNumber(x) && isNumber(y)) places.set(machineId, placeAt(machineId, x, y));
  }
  return [...places.values()];
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
