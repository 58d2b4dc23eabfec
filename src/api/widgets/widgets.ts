import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { forbidden, notFound, type Problem, refusal, unavailable } from "../../core/problem.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { isoOf } from "../../oee/time.ts";
import { compress, readPicture } from "./pictures.ts";
import {
  insertWidget,
  isSameCopy,
  isSameWidget,
  noneIsForgotten,
  selectCopy,
  selectForgotten,
  selectOwnWidget,
  selectWidget,
  updateWidget,
  type WidgetRow,
} from "./queries.ts";
import { type Widget, widgetOf } from "./shapes.ts";
import { forgettingMs, storePictures, thumbnailUrl } from "./thumbnails.ts";

/** Copies a company's widget into the system set, or updates the copy if there is one. Returns the copy. */
export async function promoteWidget(caller: Caller, companyId: number, widgetId: string): Promise<Widget> {
  const { actor, origin } = caller;
  const own = companyOf(actor);
  if (own !== undefined && own !== companyId) throw unknownWidget();
  const { answer } = await write(
    caller,
    (db) => [selectOwnWidget(db, widgetId, companyId), selectCopy(db, widgetId, actor.userId)],
    ([source], [copy]) => {
      if (!source) throw unknownWidget();
      const now = Date.now();
      const ofCopy = copy
        ? { id: copy.id, createdAt: copy.createdAt, updatedAt: nextUpdatedAt(copy, now) }
        : { id: crypto.randomUUID(), createdAt: now, updatedAt: now };
      const next = { ...source, ...ofCopy, companyId: null, sourceWidgetId: widgetId };
      return {
        expect: [isSameWidget(source), isSameCopy(widgetId, copy)],
        rows: [copy ? updateWidget(caller.db, next.id, next) : insertWidget(caller.db, next)],
        audit: {
          action: "widget.promote",
          companyId,
          objectId: widgetId,
          before: copy ? promoted(copy) : null,
          after: promoted(next),
        },
        answer: widgetOf({ ...next, isFavorited: copy?.isFavorited ?? false }, origin),
      };
    },
  );
  return answer;
}

/** Sets the picture of a widget. Returns the URL of the picture. */
export async function setThumbnail(caller: Caller, id: string, file: File): Promise<string> {
  const { env, actor, origin } = caller;
  const companyId = companyOf(actor);
  const picture = await readPicture(file);
  // Checked before anything is stored.
  const [visible] = await selectWidget(caller.db, id, companyId);
  changeable(visible, companyId);
  const compressed = await compress(env, file);
  await storePictures(env, [picture, compressed]);

  // The row is written last, so that it never refers to a picture that is not stored.
  const keys = { thumbnailKey: picture.key, compressedThumbnailKey: compressed.key };
  const pictureBytes = picture.bytes.byteLength + compressed.bytes.byteLength;
  const urlOf = (key: string | null) => key && thumbnailUrl("", key);
  const now = Date.now();
  await write(
    caller,
    (db) => [selectWidget(db, id, companyId), selectForgotten(db, keys, now)],
    ([found], forgotten) => {
      const widget = changeable(found, companyId);
      if (forgotten.length > 0) {
        throw unavailable("This picture is being deleted, because nothing showed it. Try again later.", forgettingMs / 1000);
      }
      const { thumbnailKey, compressedThumbnailKey } = widget;
      if (thumbnailKey === keys.thumbnailKey && compressedThumbnailKey === keys.compressedThumbnailKey) {
        return { answer: undefined };
      }
      return {
        expect: [isSameWidget(widget), noneIsForgotten(keys, now)],
        rows: [updateWidget(caller.db, id, { ...keys, pictureBytes, updatedAt: nextUpdatedAt(widget) })],
        audit: {
          action: "widget.set-thumbnail",
          companyId: widget.companyId,
          objectId: id,
          before: { thumbnailUrl: urlOf(thumbnailKey) },
          after: { thumbnailUrl: urlOf(keys.thumbnailKey) },
        },
        answer: undefined,
      };
    },
  );
  return thumbnailUrl(origin, picture.key);
}

/** Returns the widget if the users of a company may change it (undefined: superusers); otherwise throws 404 or 403. */
function changeable(widget: WidgetRow | undefined, companyId: number | undefined): WidgetRow {
  if (!widget) throw notFound("There is no such widget.");
  if (widget.companyId === null && companyId !== undefined) throw forbidden("Only superusers can change a system widget.");
  return widget;
}

/** A copy as the audit records it. */
function promoted({ id, title, spec, deletedAt }: WidgetRow) {
  return { id, title, spec, deletedAt: isoOf(deletedAt) };
}

function unknownWidget(): Problem {
  return refusal(404, [{ pointer: "/widgetId", code: "not_found", message: "is not a widget of that company" }]);
}
