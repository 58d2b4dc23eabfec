import { companyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { forbidden, notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { isoOf } from "../../../oee/time.ts";
import {
  type DashboardRow,
  deleteFavorite,
  insertFavorite,
  isFavoriteAsRead,
  isSameDashboard,
  selectDashboard,
  selectInstances,
  selectShownWidgets,
  updateDashboard,
  type Viewed,
} from "../queries.ts";
import { type Dashboard, dashboardOf, instanceOf, widgetOf } from "../shapes.ts";

/** Archives a dashboard unless it is archived already. Returns the dashboard. */
export async function archiveDashboard(caller: Caller, id: string): Promise<Dashboard> {
  const { actor, origin } = caller;
  const companyId = companyOf(actor);
  const { answer } = await write(
    caller,
    (db) => [selectDashboard(db, id, companyId, actor.userId), selectInstances(db, id), selectShownWidgets(db, id, actor.userId)],
    ([dashboard], instances, widgets) => {
      if (!dashboard) throw notFound("There is no such dashboard.");
      if (dashboard.companyId === null && companyId !== undefined) {
        throw forbidden("Only superusers can archive a system dashboard.");
      }
      const shown = instances.flatMap((instance) => {
        const widget = widgets.find((one) => one.id === instance.widgetId);
        return widget ? [instanceOf(instance, widgetOf(widget, origin))] : [];
      });
      const answerOf = (row: Viewed<DashboardRow>) => dashboardOf(row, shown, origin);
      if (dashboard.archivedAt !== null) return { answer: answerOf(dashboard) };

      const updatedAt = nextUpdatedAt(dashboard);
      const { title } = dashboard;
      return {
        expect: [isSameDashboard(dashboard)],
        rows: [updateDashboard(caller.db, id, { archivedAt: updatedAt, updatedAt })],
        audit: {
          action: "dashboard.archive",
          companyId: dashboard.companyId,
          objectId: id,
          before: { title, archivedAt: null },
          after: { title, archivedAt: isoOf(updatedAt) },
        },
        answer: answerOf({ ...dashboard, archivedAt: updatedAt, updatedAt }),
      };
    },
  );
  return answer;
}

/** Makes a dashboard a favorite of the caller, or no longer. */
export async function saveFavorite(caller: Caller, id: string, isFavorited: boolean): Promise<void> {
  const { db, actor } = caller;
  const { userId, companyId } = actor;
  await write(
    caller,
    (read) => [selectDashboard(read, id, companyOf(actor), userId)],
    ([dashboard]) => {
      if (!dashboard) throw notFound("There is no such dashboard.");
      if (dashboard.isFavorited === isFavorited) return { answer: undefined };
      return {
        expect: [isSameDashboard(dashboard), isFavoriteAsRead(userId, dashboard)],
        rows: [isFavorited ? insertFavorite(db, userId, id) : deleteFavorite(db, userId, id)],
        audit: {
          action: "config.save",
          companyId,
          objectId: userId,
          before: { dashboardId: id, isFavorited: !isFavorited },
          after: { dashboardId: id, isFavorited },
        },
        answer: undefined,
      };
    },
  );
}
