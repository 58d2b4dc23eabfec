import type { ComponentChildren } from "preact";
import type { Route } from "../app/route.ts";
import { mayNot } from "../data/may.ts";
import { common } from "../texts/common.ts";
import { NotFound } from "./not-found.tsx";

/** A view, or a sentence for users whose role may not see it, instead of a page on which everything is refused. */
export function Allowed({ permission, children }: Pick<Route, "permission"> & { children: ComponentChildren }) {
  if (permission === null || !mayNot(permission)) return children;
  return <NotFound title={common.notAllowed} hint={common.notAllowedHint} />;
}
