import "./desk.css";
import "./print.css";
import "../../ui/large-screen.css";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { navigate, type Route } from "../../app/route.ts";
import { user } from "../../app/session.ts";
import { chooseTheme, chosenTheme } from "../../app/theme.ts";
import { formats, plant } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { addDays, dayOf, daysOf, type Span, spans, stepped } from "../../domain/days.ts";
import {
  type DeskState,
  hasDay,
  hasMachines,
  hasSpan,
  hrefOf,
  isInHeader,
  isTab,
  stateOf,
  type Tab,
  tabs,
} from "../../domain/desk-state.ts";
import { briefDayOf, todayOf } from "../../domain/shifts.ts";
import { DayField } from "../../form/day-field.tsx";
import { load as loadActionTexts } from "../../texts/actions.ts";
import { load as loadCompareTexts } from "../../texts/compare.ts";
import { load as loadDashboardTexts } from "../../texts/dashboards.ts";
import { desk as t } from "../../texts/desk.ts";
import { load as loadHandOverTexts } from "../../texts/hand-over.ts";
import { load as loadPeopleTexts } from "../../texts/people.ts";
import { load as loadSetUpTexts } from "../../texts/set-up.ts";
import { Bell } from "../../ui/bell.tsx";
import { Body, Empty } from "../../ui/body.tsx";
import { EmptyPlant } from "../../ui/empty-plant.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { SignInPage } from "../../ui/sign-in-page.tsx";
import { dayName } from "../../ui/words.ts";
import { actedOn } from "./acted-on.ts";
import { BriefView } from "./brief.tsx";
import { ChooseMachines } from "./choose-machines.tsx";
import { DayView } from "./day.tsx";
import { DeskContext } from "./desk-state.ts";
import { LossesView } from "./losses.tsx";
import { Menu } from "./menu.tsx";
import { Part } from "./part.tsx";
import { loadSetUp, type SetUp } from "./plant-data.ts";
import { ShiftView } from "./shift.tsx";

const ActionsView = later(async () => {
  await loadActionTexts();
  return (await import("./actions/actions.tsx")).ActionsView;
});
const NewAction = later(async () => {
  await loadActionTexts();
  return (await import("./actions/new-action.tsx")).NewAction;
});
const ChangesView = later(async () => {
  await loadSetUpTexts();
  return (await import("./changes.tsx")).ChangesView;
});
const CompareView = later(async () => {
  await loadCompareTexts();
  return (await import("./compare/compare.tsx")).CompareView;
});
const DashboardsView = later(async () => {
  await loadDashboardTexts();
  return (await import("./dashboards/dashboards.tsx")).DashboardsView;
});
const HandOverView = later(async () => {
  await loadHandOverTexts();
  return (await import("./hand-over.tsx")).HandOverView;
});
const HoursView = later(async () => (await import("./hours.tsx")).HoursView);
const IncidentsView = later(async () => (await import("./incidents.tsx")).IncidentsView);
const OrdersView = later(async () => (await import("./orders.tsx")).OrdersView);
const PeopleView = later(async () => {
  await loadPeopleTexts();
  return (await import("./people.tsx")).PeopleView;
});
const TrendView = later(async () => (await import("./trend.tsx")).TrendView);
const SetUpView = later(async () => {
  await loadSetUpTexts();
  return (await import("./set-up/set-up.tsx")).SetUpView;
});

const views: Record<Tab, ComponentType> = {
  brief: BriefView,
  day: DayView,
  shift: ShiftView,
  handover: HandOverView,
  losses: LossesView,
  actions: ActionsView,
  hours: HoursView,
  trend: TrendView,
  compare: CompareView,
  orders: OrdersView,
  people: PeopleView,
  incidents: IncidentsView,
  changes: ChangesView,
  dashboards: DashboardsView,
  setup: SetUpView,
};

/** The engineer's desk: what happened, and why. */
export default function Desk({ route }: { route: Route }) {
  if (!user.value) return <SignInPage />;
  if (!isTab(route.path)) return <NotFound />;
  return <DeskPage state={stateOf(route.path, route.query)} />;
}

function DeskPage({ state }: { state: DeskState }) {
  const setUp = useRead(["plant"], loadSetUp);
  const today = setUp.data
    ? todayOf(setUp.data.productionDay, setUp.data.shifts, setUp.data.timezone, Date.now())
    : dayOf(Date.now(), "UTC");
  const usual =
    setUp.data && state.tab === "brief"
      ? briefDayOf(setUp.data.productionDay, setUp.data.shifts, setUp.data.timezone, Date.now())
      : today;
  const day = state.day ?? usual;
  useEffect(() => {
    document.title = `${t.tabs[state.tab]} · ${t.title} · Andon`;
  }, [state.tab]);
  return (
    <div class="desk">
      <Header state={state} day={day} today={today} usual={usual} setUp={setUp.data} />
      <main class="desk-main">
        <h1 class="unseen">{t.tabs[state.tab]}</h1>
        {setUp.data && <PrintHead state={state} day={day} setUp={setUp.data} />}
        <Body loaded={setUp}>{setUp.data && <Content state={state} day={day} today={today} setUp={setUp.data} />}</Body>
        {setUp.data && <PrintFoot />}
      </main>
    </div>
  );
}

/** On paper, what the header says on a screen: the plant, the view, the days, and which machines. */
function PrintHead({ state, day, setUp }: Omit<ContentProps, "today">) {
  const { first, after } = daysOf(hasSpan(state.tab) ? state.span : "day", day, setUp.weekStart);
  const last = addDays(after, -1);
  const days = first === last ? dayName(day) : t.trend.range(dayName(first), dayName(last));
  const chosen =
    setUp.machines.find(({ id }) => id === state.machineId)?.name ?? setUp.lines.find(({ id }) => id === state.lineId)?.name;
  return (
    <header class="print-head">
      <h2>{[plant.value?.name, t.tabs[state.tab]].filter(Boolean).join(" · ")}</h2>
      {hasDay(state.tab) && <p>{[days, chosen ?? t.allMachines, setUp.timezone].join(" · ")}</p>}
    </header>
  );
}

const paper = matchMedia("print");

/** On paper, which is light: when it was printed, and the address of the view. */
function PrintFoot() {
  const [at, setAt] = useState(Date.now());
  useEffect(() => {
    const change = () => {
      setAt(Date.now());
      if (paper.matches) document.documentElement.dataset.theme = "light";
      else chooseTheme(chosenTheme());
    };
    paper.addEventListener("change", change);
    return () => paper.removeEventListener("change", change);
  }, []);
  return (
    <p class="print-foot">
      {t.printed(formats().dateTime(at))} · {location.href}
    </p>
  );
}

interface ContentProps {
  state: DeskState;
  day: string;
  today: string;
  setUp: SetUp;
}

function Content({ state, day, today, setUp }: ContentProps) {
  const { machineId, lineId } = state;
  // The set-up is where the first machine is made.
  if (setUp.machines.length === 0 && state.tab !== "setup") return <EmptyPlant />;
  if (machineId !== null && !setUp.machines.some(({ id }) => id === machineId)) return <Unknown title={t.noMachine(machineId)} />;
  if (lineId !== null && !setUp.lines.some(({ id }) => id === lineId)) return <Unknown title={t.noLine(lineId)} />;
  const View = views[state.tab];
  return (
    <DeskContext.Provider value={{ state, day, today, setUp }}>
      <Part>
        <View />
      </Part>
      {actedOn.value && (
        <Part>
          <NewAction />
        </Part>
      )}
    </DeskContext.Provider>
  );
}

function Unknown({ title }: { title: string }) {
  return (
    <Empty title={title}>
      <p>{t.noSuchHint}</p>
      <p>
        <a class="button" href="/desk/day">
          {t.toDesk}
        </a>
      </p>
    </Empty>
  );
}

interface HeaderProps {
  state: DeskState;
  day: string;
  today: string;
  /** The day without one in the address. */
  usual: string;
  setUp: SetUp | null;
}

/** The part of the state that is reset when the tab, the day or the machine changes. */
const fresh = {
  stopId: null,
  incidentId: null,
  actionId: null,
  recalculationId: null,
  itemId: null,
  window: null,
  shiftStart: null,
  handOverShift: null,
  bar: null,
  showsRevisions: false,
  cause: null,
  against: { day: null, place: null, skuId: null, operatorId: null },
};

function Header({ state, day, today, usual, setUp }: HeaderProps) {
  const go = (changes: Partial<DeskState>) => navigate(hrefOf({ ...state, ...fresh, ...changes }));
  const span: Span = hasSpan(state.tab) ? state.span : "day";
  const weekStart = setUp?.weekStart ?? "monday";
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs scroll sideways.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [state.tab]);
  return (
    <header class="desk-head">
      <a class="desk-brand" href="/">
        Andon
      </a>
      <nav ref={nav} class="desk-tabs" aria-label={t.views}>
        {tabs.filter(isInHeader).map((tab) => (
          <a key={tab} href={hrefOf({ ...state, ...fresh, tab })} aria-current={tab === state.tab ? "page" : undefined}>
            {t.tabs[tab]}
          </a>
        ))}
      </nav>
      <div class="desk-controls">
        <Plant name={plant.value?.name ?? ""} zone={setUp?.timezone.replace(/_/g, " ") ?? ""} />
        {hasMachines(state.tab) && setUp && (
          <ChooseMachines
            setUp={setUp}
            chosen={state}
            // A shift belongs to one machine; a hand-over is of a line, or of all.
            of={state.tab === "shift" ? "machine" : state.tab === "handover" ? "line" : "any"}
            label={t.machines}
            onChange={go}
          />
        )}
        {hasSpan(state.tab) && (
          <select
            class="control"
            aria-label={t.span}
            value={state.span}
            onChange={({ currentTarget }) => go({ span: currentTarget.value as Span })}
          >
            {spans.map((one) => (
              <option key={one} value={one}>
                {t.spans[one]}
              </option>
            ))}
          </select>
        )}
        {hasDay(state.tab) && (
          <span class="desk-days">
            <a
              class="control"
              href={hrefOf({ ...state, ...fresh, day: stepped(span, day, -1, weekStart) })}
              aria-label={t.before}
            >
              <Icon name="before" />
            </a>
            <DayField day={day} today={today} onChange={(chosen) => go({ day: chosen === usual ? null : chosen })} />
            <NextDay state={state} day={day} today={today} usual={usual} next={stepped(span, day, 1, weekStart)} />
          </span>
        )}
        <Bell />
        <Menu />
      </div>
    </header>
  );
}

/** The plant and its time zone. The title has the full text, in case there is no room beside the controls. */
function Plant({ name, zone }: { name: string; zone: string }) {
  const text = [name, zone].filter(Boolean).join(" · ");
  return (
    <span class="desk-plant" title={text}>
      {name}
      {zone && <span class="desk-zone">{` · ${zone}`}</span>}
    </span>
  );
}

/** Links to the next day and to today; empty while today is shown. */
function NextDay({ state, day, today, usual, next }: Omit<HeaderProps, "setUp"> & { next: string }) {
  return (
    <>
      {next > today ? (
        <span class="control disabled" aria-hidden="true">
          <Icon name="after" />
        </span>
      ) : (
        <a class="control" href={hrefOf({ ...state, ...fresh, day: next === usual ? null : next })} aria-label={t.after}>
          <Icon name="after" />
        </a>
      )}
      {day !== today && (
        <a class="control" href={hrefOf({ ...state, ...fresh, day: today === usual ? null : today })}>
          {t.today}
        </a>
      )}
    </>
  );
}
