import type { ApiSchema } from "../../../../data/api.ts";
import { formats } from "../../../../data/plant.ts";
import { access } from "../../../../texts/access.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { itemFields, type ResourceKind, ResourcePage, textColumn } from "../resource-page.tsx";
import { ShownOnce } from "./shown-once.tsx";

const t = access.gateways;

/** The tokens with which gateways send events. */
export function Gateways() {
  return <ResourcePage kind={kind} />;
}

const kind: ResourceKind<ApiSchema<"GatewayToken">> = {
  path: "/v1/gateway-tokens",
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    textColumn(t.name, ({ name }) => name),
    { name: t.made, cell: ({ createdAt }) => formats().dateTime(createdAt), sortBy: ({ createdAt }) => createdAt },
  ],
  permission: "gateways:write",
  form: (token) =>
    itemFields({
      fields: { name: { kind: "text", label: t.name, maxLength: 200 } },
      initial: { name: token?.name ?? "" },
      body: ({ name }, refuse) => {
        if (name.trim() === "") refuse("name", setUp.faults.required);
        return { name: name.trim() };
      },
    }),
  made: ({ token }) => <ShownOnce label={t.shownOnce} secret={token} />,
};
