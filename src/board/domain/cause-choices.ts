// The causes that a stop can be given, and their order.

/** A cause of the company, as in `GET /v1/stop-causes`. */
export interface Cause {
  id: number;
  level: "general" | "specific" | "component";
  parentId: number | null;
  name: string;
  isProgrammed: boolean;
}

/** The causes that one button gives a stop: a general one, or a specific one with its general one. */
export interface CauseChoice {
  generalCauseId: number | null;
  specificCauseId: number | null;
  /** The name of the specific cause, otherwise of the general one. */
  name: string;
  isProgrammed: boolean;
}

/** A general cause with its specific ones; `general` is null for specific causes without one. */
export interface CauseGroup {
  general: CauseChoice | null;
  specifics: CauseChoice[];
}

/** How often stops were given a cause. */
export interface CauseUse {
  generalCauseId: number | null;
  specificCauseId: number | null;
  stops: number;
}

/** The key of a choice: choices with the same key are equal. */
export function choiceKey({ generalCauseId, specificCauseId }: Pick<CauseChoice, "generalCauseId" | "specificCauseId">): string {
  return `${generalCauseId ?? ""}/${specificCauseId ?? ""}`;
}

/** All choices as a tree, in the order of the causes. */
export function causeTree(causes: readonly Cause[]): CauseGroup[] {
  const specificsOf = (general: Cause | null): CauseChoice[] =>
    causes.flatMap(({ id, level, parentId, name, isProgrammed }) =>
      level === "specific" && parentId === (general?.id ?? null)
        ? [{ generalCauseId: general?.id ?? null, specificCauseId: id, name, isProgrammed }]
        : [],
    );
  const groups = causes.flatMap((cause): CauseGroup[] => {
    if (cause.level !== "general") return [];
    const { id, name, isProgrammed } = cause;
    return [{ general: { generalCauseId: id, specificCauseId: null, name, isProgrammed }, specifics: specificsOf(cause) }];
  });
  const orphans = specificsOf(null);
  return orphans.length > 0 ? [...groups, { general: null, specifics: orphans }] : groups;
}

/** All choices, in the order of the tree: the specific causes of a general one, then the general one itself. */
export function allChoices(tree: readonly CauseGroup[]): CauseChoice[] {
  return tree.flatMap(({ general, specifics }) => [...specifics, ...(general ? [general] : [])]);
}

/** The most used choices first, then others in the order of the tree, up to `count`. */
export function favouriteChoices(tree: readonly CauseGroup[], uses: readonly CauseUse[], count = 8): CauseChoice[] {
  const stopsOf = new Map<string, number>();
  for (const use of uses) stopsOf.set(choiceKey(use), (stopsOf.get(choiceKey(use)) ?? 0) + use.stops);
  // The sort is stable, so equally used choices keep the order of the tree.
  return allChoices(tree)
    .map((choice) => ({ choice, stops: stopsOf.get(choiceKey(choice)) ?? 0 }))
    .sort((a, b) => b.stops - a.stops)
    .slice(0, count)
    .map(({ choice }) => choice);
}
