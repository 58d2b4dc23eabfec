import "./empty-plant.css";
import { load as loadTexts, emptyPlant as t } from "../texts/empty-plant.ts";
import { later } from "./later.tsx";

/** What each view shows of a plant without machines: how to get the first one. Texts and commands are loaded later, because most plants have some. */
export const EmptyPlant = later(async () => {
  const [{ firstMachine }] = await Promise.all([import("../domain/first-machine.ts"), loadTexts()]);
  return () => (
    <section class="empty-plant">
      <h2>{t.title}</h2>
      <p>
        <a href="/start">{t.start}</a>
      </p>
      <p>{t.hint}</p>
      <pre>{firstMachine(location.origin)}</pre>
    </section>
  );
});
