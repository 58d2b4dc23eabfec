// The causes of a plant as one list of choices: general causes, each followed by its specific ones.

export interface Cause {
  id: number;
  level: "general" | "specific" | "component";
  parentId: number | null;
  name: string;
}

interface Named {
  id: number;
  name: string;
}

/** The causes that a stop was given. */
export interface Given {
  generalCause: Named | null;
  specificCause: Named | null;
  component: Named | null;
}

/** The value of a choice: "3/12" for a general and a specific cause, "3/" for the general one alone, "" for none. */
export function choiceOf(given: Given | null): string {
  if (!given || (!given.generalCause && !given.specificCause)) return "";
  return `${given.generalCause?.id ?? ""}/${given.specificCause?.id ?? ""}`;
}

/** The members of a classification for a choice. */
export function chosenCauses(value: string, causes: readonly Cause[]) {
  const [general = "", specific = ""] = value.split("/");
  const parent = causes.find(({ id }) => String(id) === specific)?.parentId;
  const isChild = parent !== null && parent !== undefined;
  return { generalCauseId: general || (isChild ? String(parent) : null), specificCauseId: specific || null };
}

/** The choices, by name. They include the present causes of the stop, even if they were deleted since. */
export function causeChoices(causes: readonly Cause[], given: Given | null) {
  const { compare } = new Intl.Collator();
  const byName = (a: Cause, b: Cause) => compare(a.name, b.name);
  const generals = causes.filter(({ level }) => level === "general").sort(byName);
  const specifics = causes.filter(({ level }) => level === "specific").sort(byName);
  const groups = generals.map(({ id, name }) => ({
    general: name,
    options: [
      { value: `${id}/`, label: name },
      ...specifics
        .filter(({ parentId }) => parentId === id)
        .map((one) => ({ value: `${id}/${one.id}`, label: `${name} › ${one.name}` })),
    ],
  }));
  const loose = specifics.filter(({ parentId }) => parentId === null);
  if (loose.length > 0) groups.push({ general: "–", options: loose.map((one) => ({ value: `/${one.id}`, label: one.name })) });
  const now = choiceOf(given);
  if (now !== "" && !groups.some(({ options }) => options.some(({ value }) => value === now))) {
    const names = [given?.generalCause?.name, given?.specificCause?.name].filter((name) => name !== undefined);
    groups.unshift({ general: "–", options: [{ value: now, label: names.join(" › ") }] });
  }
  const all = causes.filter(({ level }) => level === "component").sort(byName);
  /** The components for a choice: those of its causes, and those without a cause. */
  const components = (value: string): Named[] => {
    const chosen = value.split("/");
    const fitting: Named[] = all.filter(({ parentId }) => parentId === null || chosen.includes(String(parentId)));
    const current = given?.component;
    return current && value === now && !fitting.some(({ id }) => id === current.id) ? [current, ...fitting] : fitting;
  };
  return { groups, components };
}
