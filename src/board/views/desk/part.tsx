import type { ComponentChildren } from "preact";
import { readAgain } from "../../data/query.ts";
import { hrefOf } from "../../domain/desk-state.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { useDesk } from "./desk-state.ts";

/** A part of a view, such as a card. If it fails to render, the other parts stay. */
export function Part({ children }: { children: ComponentChildren }) {
  const { state } = useDesk();
  return (
    <Boundary again={hrefOf(state)} onAgain={readAgain}>
      {children}
    </Boundary>
  );
}
