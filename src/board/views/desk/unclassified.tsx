import "./unclassified.css";
import { useState } from "preact/hooks";
import { formats } from "../../data/plant.ts";
import type { Loaded } from "../../data/query.ts";
import { type MachineDay, stopsOf } from "../../domain/timeline.ts";
import { desk as t } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { minutesText } from "../../ui/numbers.ts";
import { BulkClassify, type Choice, ChooseAll, ChooseStop } from "./bulk-classify.tsx";
import { useDesk } from "./desk-state.ts";

const MOST = 12;

/** The stops of the day without a cause, longest first, to be worked through. */
export function Unclassified({ days, loaded }: { days: readonly MachineDay[]; loaded: Loaded<unknown> }) {
  const { hrefWith } = useDesk();
  const [choice, choose] = useState<Choice>([]);
  const stops = stopsOf(days).filter(({ kind }) => kind === "unknown");
  stops.sort((a, b) => b.end - b.start - (a.end - a.start));
  const sum = stops.reduce((ms, { start, end }) => ms + end - start, 0);
  return (
    <section class="card" aria-label={t.dayView.unknownTitle}>
      <header class="card-head">
        <h2>{t.dayView.unknownTitle}</h2>
        {stops.length > 0 && <p class="card-sub">{t.dayView.unknownSum(stops.length, minutesText(sum))}</p>}
      </header>
      <Body loaded={loaded}>
        {stops.length === 0 && <p class="quiet">{t.dayView.allKnown}</p>}
        {stops.length > 1 && (
          <ChooseAll choice={choice} label={past.bulk.all(formats().number(stops.length))} onChange={choose} />
        )}
        <ul class="stop-links">
          {stops.slice(0, MOST).map(({ stop, machine, start, end }) => (
            <li key={stop.id}>
              <ChooseStop choice={choice} id={stop.id} machine={machine.name} start={start} onChange={choose} />
              <a href={hrefWith({ stopId: stop.id })}>
                <span>{machine.name}</span>
                <span>
                  {formats().time(start)} – {stop.isOpen ? t.dayView.going : formats().time(end)}
                </span>
                <strong>
                  {minutesText(end - start)} {t.min}
                </strong>
              </a>
            </li>
          ))}
        </ul>
        {stops.length > MOST && <p class="quiet">{t.dayView.more(stops.length - MOST)}</p>}
        <BulkClassify choice={choice} all={async () => [...new Set(stops.map(({ stop }) => stop.id))]} onChoose={choose} />
      </Body>
    </section>
  );
}
