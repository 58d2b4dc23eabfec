import "./choice.css";
import { navigate } from "../../../app/route.ts";
import { earlierDays, type Side } from "../../../domain/compare.ts";
import { type Against, type DeskState, hrefOf } from "../../../domain/desk-state.ts";
import { DayField } from "../../../form/day-field.tsx";
import { compare as t } from "../../../texts/compare.ts";
import { ChooseMachines } from "../choose-machines.tsx";
import { useDesk } from "../desk-state.ts";
import { useSummary } from "../summary.ts";
import type { SideQuery } from "./side.ts";

/** The periods to choose from. */
const periods = ["before", "fourWeeks", "year", "same"] as const;

/** An SKU or an operator that can be chosen. */
interface Choice {
  id: string;
  name: string;
}

/** The fields that choose what is compared; the time and the machines of the first side are chosen in the header. */
export function CompareChoice({ now, before, query }: { now: Side; before: Side; query: SideQuery }) {
  const { state, setUp, today } = useDesk();
  const { span, against } = state;
  // Those of the first side's time and machines: a plant has thousands.
  const { skuIds: _, operatorIds: __, ...all } = query;
  const skus = useSummary({ ...all, groupBy: ["sku"] }).data?.data ?? [];
  const operators = useSummary({ ...all, groupBy: ["operator"] }).data?.data ?? [];
  const skuChoices = skus.flatMap(({ sku }) => (sku ? [{ id: sku.id, name: sku.name ?? sku.id }] : []));
  const operatorChoices = operators.flatMap(({ operator: one }) =>
    one ? [{ id: String(one.id), name: one.name ?? String(one.id) }] : [],
  );
  const days = { ...earlierDays(span, now.day, setUp.weekStart), same: now.day };
  const period = periods.find((one) => days[one] === before.day) ?? "other";
  const go = (changes: Partial<DeskState>) => navigate(hrefOf({ ...state, ...changes }));
  const set = (changes: Partial<Against>) => go({ against: { ...against, ...changes } });
  return (
    <fieldset class="compare-choice">
      <legend class="unseen">{t.choose}</legend>
      <Choose label={t.sku} none={t.allSkus} choices={skuChoices} chosen={now.skuId} onChoose={(skuId) => go({ skuId })} />
      <Choose
        label={t.operator}
        none={t.allOperators}
        choices={operatorChoices}
        chosen={now.operatorId?.toString() ?? null}
        onChoose={(id) => go({ operatorId: id === null ? null : Number(id) })}
      />
      <span class="quiet">{t.against}</span>
      <select
        class="control"
        aria-label={t.period}
        value={period}
        onChange={({ currentTarget }) => set({ day: days[currentTarget.value as (typeof periods)[number]] })}
      >
        {periods.map((one) => (
          <option key={one} value={one}>
            {t.periods[one]}
          </option>
        ))}
        {/* Chosen by the day beside it. */}
        {period === "other" && <option value="other">{t.periods.other}</option>}
      </select>
      <span class="desk-days">
        <DayField day={before.day} today={today} label={t.day} onChange={(day) => set({ day })} />
      </span>
      <ChooseMachines
        setUp={setUp}
        chosen={before}
        label={t.place}
        onChange={({ machineId, lineId }) =>
          set({ place: machineId !== null ? `machine-${machineId}` : lineId !== null ? `line-${lineId}` : "all" })
        }
      />
      <Choose
        label={t.otherSku}
        none={t.sameSku}
        choices={skuChoices}
        chosen={against.skuId}
        onChoose={(skuId) => set({ skuId })}
      />
      <Choose
        label={t.otherOperator}
        none={t.sameOperator}
        choices={operatorChoices}
        chosen={against.operatorId?.toString() ?? null}
        onChoose={(id) => set({ operatorId: id === null ? null : Number(id) })}
      />
    </fieldset>
  );
}

interface ChooseProps {
  label: string;
  /** The name of the choice of none. */
  none: string;
  choices: readonly Choice[];
  chosen: string | null;
  onChoose(id: string | null): void;
}

function Choose({ label, none, choices, chosen, onChoose }: ChooseProps) {
  // What the address names is there even if nothing was made of it in this time.
  const all = chosen === null || choices.some(({ id }) => id === chosen) ? choices : [...choices, { id: chosen, name: chosen }];
  return (
    <select
      class="control"
      aria-label={label}
      value={chosen ?? ""}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || null)}
    >
      <option value="">{none}</option>
      {all.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
