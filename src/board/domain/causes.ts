// The causes of a company, as one tree for all views, and the causes of a stop.

/** A cause of the company, as in `GET /v1/stop-causes`. */
export interface Cause {
  id: number;
  level: "general" | "specific" | "component";
  parentId: number | null;
  name: string;
  isProgrammed: boolean;
}

/** A cause or a component as a stop has it. */
export interface Named {
  id: number;
  name: string | null;
}

/** The causes that a stop was given. */
export interface GivenCauses {
  generalCause: Named | null;
  specificCause: Named | null;
}

/** One entry of the tree, which classifies a stop: a general cause, or a specific cause together with its general one. */
export interface CauseChoice {
  /** "3/12", or "3/" for a general cause alone. Choices with the same key are equal. */
  key: string;
  generalCauseId: number | null;
  specificCauseId: number | null;
  /** The name of the specific cause, otherwise of the general one. */
  name: string;
  /** All of its names, to be read and searched where its group is not beside it: "Jam › Belt". */
  path: string;
  isProgrammed: boolean;
}

/** A general cause with its specific ones; `general` is null for specific causes without one. */
export interface CauseGroup {
  general: CauseChoice | null;
  specifics: CauseChoice[];
}

/** How often stops were given causes, as in the rows of `GET /v1/summary?groupBy=cause`. */
export interface CauseUse extends GivenCauses {
  stopCount: number | null;
}

/** The key of causes that were given: that of the choice of them. "/" if there are none. */
export function causeKey({ generalCause, specificCause }: GivenCauses): string {
  return `${generalCause?.id ?? ""}/${specificCause?.id ?? ""}`;
}

/** The names of causes that were given: "Jam › Belt". Empty if there are none. */
export function causePath({ generalCause, specificCause }: GivenCauses): string {
  return [generalCause?.name, specificCause?.name].filter(Boolean).join(" › ");
}

/** All choices as a tree, in the order of the causes. */
export function causeTree(causes: readonly Cause[]): CauseGroup[] {
  const specificsOf = (general: Cause | null) =>
    causes
      .filter(({ level, parentId }) => level === "specific" && parentId === (general?.id ?? null))
      .map((cause) => choiceFrom({ generalCause: general, specificCause: cause }, cause.isProgrammed));
  const groups = causes
    .filter(({ level }) => level === "general")
    .map((cause): CauseGroup => {
      const general = choiceFrom({ generalCause: cause, specificCause: null }, cause.isProgrammed);
      return { general, specifics: specificsOf(cause) };
    });
  const orphans = specificsOf(null);
  return orphans.length > 0 ? [...groups, { general: null, specifics: orphans }] : groups;
}

function choiceFrom(given: GivenCauses, isProgrammed: boolean): CauseChoice {
  const { generalCause, specificCause } = given;
  return {
    ...{ key: causeKey(given), generalCauseId: generalCause?.id ?? null, specificCauseId: specificCause?.id ?? null },
    ...{ name: (specificCause ?? generalCause)?.name ?? "", path: causePath(given), isProgrammed },
  };
}

/** Sorts causes by name. */
export function byName<T extends Cause>(causes: readonly T[]): T[] {
  const { compare } = new Intl.Collator();
  return [...causes].sort((a, b) => compare(a.name, b.name));
}

/** A tree that also has what a stop was given, even if that was deleted since. */
export function treeWith(given: GivenCauses | null, tree: readonly CauseGroup[]): readonly CauseGroup[] {
  if (!given || (!given.generalCause && !given.specificCause) || choiceOf(given, allChoices(tree))) return tree;
  return [{ general: null, specifics: [choiceFrom(given, false)] }, ...tree];
}

/** All choices, in the order of the tree: the specific causes of a general one, then the general one itself. */
export function allChoices(tree: readonly CauseGroup[]): CauseChoice[] {
  return tree.flatMap(({ general, specifics }) => [...specifics, ...(general ? [general] : [])]);
}

/** The choice with a key; null: there is none. */
export function choiceWith(key: string, tree: readonly CauseGroup[]): CauseChoice | null {
  return allChoices(tree).find((choice) => choice.key === key) ?? null;
}

/** The choice that a stop was given; null: none, or none of these. */
export function choiceOf(given: GivenCauses | null, choices: readonly CauseChoice[]): CauseChoice | null {
  if (!given) return null;
  const { generalCause, specificCause } = given;
  const key = causeKey(given);
  const known = choices.find((choice) => choice.key === key);
  // Programs may give a specific cause without its general one.
  const isAlone = generalCause === null && specificCause !== null;
  const found = known ?? (isAlone ? choices.find(({ specificCauseId }) => specificCauseId === specificCause.id) : undefined);
  return found ?? null;
}

/** The members of a request body that set the causes of a stop; null removes them. */
export function causeIdsOf(choice: CauseChoice | null): Pick<CauseChoice, "generalCauseId" | "specificCauseId"> {
  return { generalCauseId: choice?.generalCauseId ?? null, specificCauseId: choice?.specificCauseId ?? null };
}

/**
 * The components to choose from after a cause was chosen: those that belong to it or to its general cause, and those that belong to no cause.
 * @param own the component that the stop has with this choice, which may have been deleted since; null: none
 */
export function componentsFor(choice: CauseChoice | null, causes: readonly Cause[], own: Named | null): Named[] {
  const parents = [null, choice?.generalCauseId, choice?.specificCauseId];
  const fitting = causes.filter(({ level, parentId }) => level === "component" && parents.includes(parentId));
  return own && !fitting.some(({ id }) => id === own.id) ? [own, ...fitting] : fitting;
}

/** The most used choices first, then others in the order of the tree, up to `count`. */
export function favouriteChoices(tree: readonly CauseGroup[], uses: readonly CauseUse[], count = 8): CauseChoice[] {
  const choices = allChoices(tree);
  const stopsOf = new Map<string, number>();
  for (const use of uses) {
    const key = choiceOf(use, choices)?.key ?? causeKey(use);
    stopsOf.set(key, (stopsOf.get(key) ?? 0) + (use.stopCount ?? 0));
  }
  // The sort is stable, so equally used choices keep the order of the tree.
  return choices.sort((a, b) => (stopsOf.get(b.key) ?? 0) - (stopsOf.get(a.key) ?? 0)).slice(0, count);
}
