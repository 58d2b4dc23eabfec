import type { Fault } from "../../../core/problem.ts";
import { areOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { type ViewedWidget, widgetTable } from "../queries.ts";
import { type FullDashboard, type Instance, replaceInstances, selectWidgets } from "./queries.ts";

interface SentInstance extends Pick<Instance, "widgetId" | "specOverride" | "visualConfig"> {
  /** Undefined for a new one. */
  id?: string;
}

interface SentDashboard {
  instances?: SentInstance[];
}

export const storeDashboard = rule(
  (db, { sent, owner, viewer }: RuleContext<SentDashboard>) => [
    selectWidgets(db, viewer, owner, sent.instances?.map(({ widgetId }) => widgetId) ?? []),
  ],
  ({ db, sent, before, next }: RuleInput<FullDashboard, SentDashboard>, found) => {
    const known = before?.instances ?? [];
    const unseen = { isFavorited: false, thumbnailKey: null, compressedThumbnailKey: null, archivedAt: null };
    if (!sent.instances) return {};
    refuse(idFaults(sent.instances, known));
    // Widgets that the dashboard shows already may stay even if they have been deleted.
    const shown = new Map(known.map(({ widget }) => [widget.id, widget]));
    const added = (found as unknown as ViewedWidget[]).filter(({ id }) => !shown.has(id));
    const widgets = new Map([...shown, ...added.map((widget) => [widget.id, widget] as const)]);
    const ids = sent.instances.map(({ widgetId }) => widgetId);
    const message = "is not a widget of this company or of the system";
    refuse(unknownIds(ids, [...widgets.values()], (i) => `/instances/${i}/widgetId`, message));
    const createdAt = new Map(known.map((one) => [one.id, one.createdAt]));
    const instances = sent.instances.flatMap(({ id = crypto.randomUUID(), widgetId, specOverride, visualConfig }) => {
      const widget = widgets.get(widgetId);
      const own = { id, widgetId, dashboardId: next.id, specOverride, visualConfig };
      const stamps = { createdAt: createdAt.get(id) ?? next.updatedAt, updatedAt: next.updatedAt, deletedAt: null };
      return widget ? [{ ...own, ...stamps, widget }] : [];
    });
    // Existing ones keep their positions; new ones follow in the order of the request.
    const places = new Map(known.map(({ id }, i) => [id, i]));
    const placeOf = ({ id }: Instance) => places.get(id) ?? known.length;
    instances.sort((a, b) => placeOf(a) - placeOf(b));
    return {
      values: { ...(before ? {} : unseen), instances },
      expect: [
        areOwned(
          widgetTable,
          next.companyId,
          added.map(({ id }) => id),
        ),
      ],
      rows: replaceInstances(db, next, instances),
    };
  },
);

/** Faults of ids that are not on the dashboard, or occur twice. */
function idFaults(sent: readonly SentInstance[], known: readonly Instance[]): Fault[] {
  const left = new Set(known.map(({ id }) => id));
  const message = "is not an instance of this dashboard, or is in the list twice";
  return sent.flatMap(({ id }, i) =>
    id === undefined || left.delete(id) ? [] : { pointer: `/instances/${i}/id`, code: "not_found", message },
  );
}
