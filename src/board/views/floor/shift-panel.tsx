import "./shift-panel.css";
import { second } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import { endsOf, forecastShareAt, trendOf } from "../../domain/extrapolate.ts";
import { paceNow } from "../../domain/pace.ts";
import { targetNow } from "../../domain/shift-hours.ts";
import { floor } from "../../texts/floor.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { FloorIcon } from "./floor-icon.tsx";
import { HoursCard } from "./hours-card.tsx";
import type { MachineStore } from "./machine-store.ts";
import { OrderCard } from "./order-card.tsx";
import { standardOf } from "./standard.ts";

interface PanelProps {
  store: MachineStore;
  /** Changes when parts that failed are worth another try. */
  again: unknown;
  onAgain(): Promise<unknown>;
  onOrder(): void;
}

/** The running shift in numbers, the same in every state of the machine. */
export function ShiftPanel({ store, again, onAgain, onOrder }: PanelProps) {
  return (
    <>
      <Boundary again={again} onAgain={onAgain}>
        <Difference store={store} />
      </Boundary>
      <Boundary again={again} onAgain={onAgain}>
        <Figures store={store} />
      </Boundary>
      <Boundary again={again} onAgain={onAgain}>
        <HoursCard store={store} />
      </Boundary>
      <Boundary again={again} onAgain={onAgain}>
        <OrderCard store={store} onOpen={onOrder} />
      </Boundary>
    </>
  );
}

const look = { ahead: "kind-running", behind: "kind-stopped", even: "" };
const icon = { ahead: "winning", behind: "losing", even: "even" } as const;

/** What was made against the target of this moment, and how the shift will end. */
function Difference({ store }: { store: MachineStore }) {
  const { row } = store;
  const { number, signed, percent } = formats();
  if (!row?.shift) {
    return (
      <section class="floor-card">
        <p class="floor-label">{floor.nextShift}</p>
      </section>
    );
  }
  const now = second.value;
  const made = row.total ?? 0;
  const target = targetNow(row, now);
  if (!target) {
    return (
      <section class="floor-card">
        <p class="floor-label">{floor.made}</p>
        <p class="floor-difference">{number(made)}</p>
      </section>
    );
  }
  const share = forecastShareAt(row, now);
  const trend = trendOf(share, made - target);
  const atEnd = Math.max(made, target, endsOf(row, now)?.targetAtEnd ?? 0);
  return (
    <section class="floor-card">
      <div class="floor-between floor-label">
        <span>{floor.againstTarget}</span>
        {share !== null && (
          <span>
            {floor.endsAt} <strong class={look[trend]}>{percent(100 * share)}</strong>
          </span>
        )}
      </div>
      <p class={`floor-difference ${look[trend]}`}>
        <FloorIcon name={icon[trend]} />
        {signed(Math.round(made) - Math.round(target))}
      </p>
      <svg class="floor-measure" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="fill-ground" width="1000" height="10" />
        <rect class="fill-made" width={(1000 * made) / atEnd} height="10" />
        <path class="floor-mark" d={`M${Math.min(997, (1000 * target) / atEnd)} -4V14`} />
      </svg>
      <div class="floor-between floor-label">
        <span>
          <strong class="floor-strong">{number(made)}</strong> {floor.madeUnits}
        </span>
        <span>{floor.targetOf(number(target))}</span>
      </div>
    </section>
  );
}

/** Rate, OEE and scrap of the running shift. */
function Figures({ store }: { store: MachineStore }) {
  const { row } = store;
  const { number, percent } = formats();
  const standard = standardOf(store);
  const rate = row?.status === "A" ? paceNow(store.paces.value) : row?.status ? 0 : null;
  const total = row?.total ?? 0;
  const defects = row?.defects ?? null;
  return (
    <section class="floor-card">
      <dl class="floor-figures">
        <div>
          <dt>{floor.rate}</dt>
          <dd>
            <strong>{rate === null ? "–" : floor.anHour(number(rate))}</strong>
            {standard === null ? floor.noStandard : floor.targetOf(number(standard))}
          </dd>
        </div>
        <div>
          <dt>{floor.oee}</dt>
          <dd>
            <strong>{row?.oee == null ? "–" : percent(row.oee)}</strong>
            {row?.availability == null ? "" : floor.availability(percent(row.availability))}
          </dd>
        </div>
        <div>
          <dt>{floor.scrap}</dt>
          <dd>
            <strong>{defects === null ? "–" : number(defects)}</strong>
            {defects === null || total === 0 ? "" : percent((100 * defects) / total, 1)}
          </dd>
        </div>
      </dl>
    </section>
  );
}
