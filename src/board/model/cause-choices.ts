// Which causes a stop can be given, and which of them come first.

/** A cause of the company's, as `GET /v1/stop-causes` gives it. */
export interface Cause {
  id: number;
  level: "general" | "specific" | "component";
  parentId: number | null;
  name: string;
  isProgrammed: boolean;
}

/** What one button gives a stop: a general cause, or a specific one with the general one above it. */
export interface CauseChoice {
  generalCauseId: number | null;
  specificCauseId: number | null;
  /** Of the specific cause, otherwise of the general one. */
  name: string;
  isProgrammed: boolean;
}

/** A general cause with all that is below it; `general` is null for specific causes without one. */
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

/** Names a choice: choices with the same key are the same. */
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

/** All choices, in the order of the tree: what is below a general cause, then the general cause itself. */
export function allChoices(tree: readonly CauseGroup[]): CauseChoice[] {
  return tree.flatMap(({ general, specifics }) => [...specifics, ...(general ? [general] : [])]);
}

/** The most used choices, most used first; then, as long as there are fewer than `count`, the others in the order of the tree. */
export function favouriteChoices(tree: readonly CauseGroup[], uses: readonly CauseUse[], count = 8): CauseChoice[] {
  const stopsOf = new Map<string, number>();
  for (const use of uses) stopsOf.set(choiceKey(use), (stopsOf.get(choiceKey(use)) ?? 0) + use.stops);
  // A sort keeps the order of equals, which is the tree's.
  return allChoices(tree)
    .map((choice) => ({ choice, stops: stopsOf.get(choiceKey(choice)) ?? 0 }))
    .sort((a, b) => b.stops - a.stops)
    .slice(0, count)
    .map(({ choice }) => choice);
}
