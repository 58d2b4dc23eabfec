import { locale } from "../../../../app/language.ts";
import { companyQuery, user as signedIn } from "../../../../app/session.ts";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { isAdmin } from "../../../../data/may.ts";
import { signedFrom } from "../../../../domain/formats.ts";
import { resource } from "../../../../texts/resource.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { itemFields, type ResourceKind, ResourcePage, textColumn } from "../resource-page.tsx";

const t = resource.tags;
type Tag = ApiSchema<"TagKey">;
const subjects = Object.keys(t.subjects) as (keyof typeof t.subjects)[];

/** The keys of tags, by what they are about. The contract has one operation that saves them, and none that deletes. */
export function Tags() {
  return <ResourcePage kind={kind} />;
}

/** Saves a tag: with its id, or as a new one. */
function save(body: object, idempotencyKey: string) {
  const companyId = companyQuery().companyId ?? signedIn.value?.companyId ?? 0;
  return api("post", "/tags/key", { body: { ...body, companyId } as never, idempotencyKey });
}

const kind: ResourceKind<Tag> = {
  path: "/v1/tags",
  texts: t,
  nameOf: ({ tagKey }) => tagKey,
  columns: [
    textColumn(t.key, ({ tagKey }) => tagKey),
    { name: t.subject, cell: ({ subject }) => t.subjects[subject], sortBy: ({ subject }) => subject },
    { name: t.description, cell: ({ description }) => description },
    { name: t.value, cell: ({ tagValue }) => tagValue },
    { name: t.color, cell: ({ color }) => color },
  ],
  permission: "set-up:write",
  create: { send: save, isAllowed: isAdmin() },
  change: (row, body, idempotencyKey) => save({ ...shownOf(row), ...body, id: row.id }, idempotencyKey),
  form: (tag) =>
    itemFields({
      fields: {
        tagKey: { kind: "text", label: t.key, maxLength: 200 },
        subject: { kind: "choice", label: t.subject, options: subjects.map((value) => ({ value, label: t.subjects[value] })) },
        description: { kind: "text", label: t.description, maxLength: 2000 },
        color: { kind: "text", label: t.color, maxLength: 50 },
        sort: { kind: "number", label: t.sort },
        isDefault: { kind: "flag", label: t.isDefault },
      },
      initial: {
        ...{ tagKey: tag?.tagKey ?? "", subject: tag?.subject ?? "Machines", description: tag?.description ?? "" },
        ...{ color: tag?.color ?? "", sort: String(tag?.sort ?? 0), isDefault: tag?.isDefault ?? false },
      },
      body: ({ tagKey, subject, description, color, sort, isDefault }, refuse) => {
        if (tagKey.trim() === "") refuse("tagKey", setUp.faults.required);
        const place = signedFrom(sort, locale);
        if (typeof place !== "object") refuse("sort", setUp.faults.number);
        return {
          ...{ tagKey: tagKey.trim(), subject, description: description.trim(), color: color.trim(), isDefault },
          sort: typeof place === "object" ? place.value : 0,
        };
      },
    }),
};

/** The members that saving needs. */
function shownOf({ tagKey, subject, description, color, sort, isDefault }: Tag) {
  return { tagKey, subject, description, color, sort, isDefault };
}
