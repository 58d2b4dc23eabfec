import type { ApiSchema } from "../../../../data/api.ts";
import { rolesToGive } from "../../../../data/may.ts";
import { formats } from "../../../../data/plant.ts";
import { DAY_MS, iso } from "../../../../domain/time.ts";
import { access } from "../../../../texts/access.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { itemFields, type ResourceKind, ResourcePage, textColumn } from "../resource-page.tsx";
import { ShownOnce } from "./shown-once.tsx";

const t = access.tokens;
type ApiToken = ApiSchema<"ApiToken">;
const lifetimes = ["never", "30", "90", "365"] as const;

/** The tokens of programs, walls and terminals. Walls and terminals are paired on a page of their own. */
export function Tokens() {
  return <ResourcePage kind={kind} />;
}

const kind: ResourceKind<ApiToken> = {
  path: "/v1/api-tokens",
  texts: t,
  nameOf: ({ name }) => name,
  children: (
    <p>
      <a href="/pair">{t.pair}</a>
    </p>
  ),
  columns: [
    textColumn(t.name, ({ name }) => name),
    { name: t.what, cell: whatText, sortBy: whatText },
    {
      name: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.notYet : formats().dateTime(lastUsedAt)),
      sortBy: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      name: t.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? t.lifetimes.never : formats().dateTime(expiresAt)),
      sortBy: ({ expiresAt }) => expiresAt,
    },
  ],
  permission: "api-tokens:write",
  form: (token) =>
    itemFields({
      fields: {
        name: { kind: "text", label: t.name, maxLength: 200 },
        ...(!token && {
          role: {
            kind: "choice",
            label: t.roleLabel,
            options: rolesToGive().map((value) => ({ value, label: access.roles[value] })),
          } as const,
          isReadOnly: { kind: "flag", label: t.readOnly } as const,
          lifetime: {
            kind: "choice",
            label: t.expires,
            options: lifetimes.map((value) => ({ value, label: t.lifetimes[value] })),
          } as const,
        }),
      },
      initial: { name: token?.name ?? "", role: "readonly", isReadOnly: true, lifetime: "365" },
      body: ({ name, role, isReadOnly, lifetime }, refuse) => {
        if (name.trim() === "") refuse("name", setUp.faults.required);
        if (token) return { name: name.trim() };
        const expiresAt = lifetime === "never" ? null : iso(Date.now() + Number(lifetime) * DAY_MS);
        return { name: name.trim(), role, isReadOnly, expiresAt };
      },
    }),
  made: ({ token }) => <ShownOnce label={t.shownOnce} secret={token} />,
};

/** What a token is: that of a wall or a terminal, or the role of a program. */
function whatText({ role, isReadOnly, isOfCompany, machineIds }: ApiToken): string {
  if (machineIds !== null) return t.terminal(machineIds.length);
  if (isOfCompany) return t.wall;
  return isReadOnly ? t.reads(access.roles[role]) : access.roles[role];
}
