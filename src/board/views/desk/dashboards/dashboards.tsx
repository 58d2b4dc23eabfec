import "./dashboards.css";
import { useState } from "preact/hooks";
import { language } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { may, mayChooseCompany } from "../../../data/may.ts";
import { useRead } from "../../../data/query.ts";
import { columnsOf, placesOf } from "../../../domain/widget-spec.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { Refused } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { load as loadResourceTexts } from "../../../texts/resource.ts";
import { load as loadSetUpTexts } from "../../../texts/set-up.ts";
import { Body, Empty } from "../../../ui/body.tsx";
import { later } from "../../../ui/later.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { Arrange } from "./arrange.tsx";
import { NewDashboard } from "./new-dashboard.tsx";
import { Widget } from "./widget.tsx";

type Dashboard = ApiSchema<"WidgetDashboard">;

/** The texts of the kit of the set-up's pages. */
const loadKitTexts = () => Promise.all([loadResourceTexts(), loadSetUpTexts()]);
const Widgets = later(async () => {
  await loadKitTexts();
  return (await import("./widgets.tsx")).Widgets;
});
const ChangeDashboard = later(async () => {
  await loadKitTexts();
  return (await import("./change-dashboard.tsx")).ChangeDashboard;
});

/** How a list says what is not usual of a dashboard. */
const marksOf = ({ isFavorited, isSystem, archivedAt }: Dashboard) => [
  ...(isFavorited ? [t.favorite] : []),
  ...(isSystem ? [t.system] : []),
  ...(archivedAt === null ? [] : [t.archived]),
];

/** Favourites first, archived ones last. */
const placeOf = ({ isFavorited, archivedAt }: Dashboard) => (archivedAt === null ? (isFavorited ? 0 : 1) : 2);

/** The dashboards, or the one that is open. */
export function DashboardsView() {
  const { itemId } = useDesk().state;
  const loaded = useRead(["/v1/dashboards"], () => everyOf("/v1/dashboards"));
  const all = [...(loaded.data ?? [])].sort((a, b) => placeOf(a) - placeOf(b));
  const open = all.find(({ id }) => id === itemId);
  if (open) return <OpenDashboard key={open.id} dashboard={open} />;
  const mayChange = may("set-up:write");
  const list = (
    <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      {mayChange && <NewDashboard />}
      <Body
        loaded={loaded}
        empty={
          all.length === 0 ? (
            <Empty title={t.none}>
              <p>{t.noneHint}</p>
            </Empty>
          ) : undefined
        }
      >
        {itemId !== null && <p role="alert">{t.unknown}</p>}
        <ul class="dashboard-list">
          {all.map((dashboard) => (
            <Listed key={dashboard.id} dashboard={dashboard} />
          ))}
        </ul>
      </Body>
    </section>
  );
  return (
    <div class="desk-column">
      {list}
      {mayChange && (
        <Part>
          <Widgets />
        </Part>
      )}
    </div>
  );
}

function Listed({ dashboard }: { dashboard: Dashboard }) {
  const { hrefWith } = useDesk();
  const { id, title, description, compressedThumbnailUrl } = dashboard;
  return (
    <li>
      <strong>
        <a href={hrefWith({ itemId: id })}>{title[language] || t.untitled}</a>
      </strong>
      <p class="quiet">{[description[language], ...marksOf(dashboard)].filter(Boolean).join(" · ")}</p>
      {compressedThumbnailUrl !== null && <img class="dashboard-picture" src={compressedThumbnailUrl} alt="" loading="lazy" />}
    </li>
  );
}

/** Whether the user may change a dashboard: all admins may, those of every plant superusers alone. */
const mayChangeIt = ({ isSystem }: Dashboard) => may("set-up:write") && (!isSystem || mayChooseCompany());

/** What is being changed of a dashboard. */
type Doing = "change" | "arrange" | "remove";
const doings: readonly Doing[] = ["change", "arrange", "remove"];

/** The form of what is being changed of a dashboard. */
function Change({ dashboard, doing, onEnd }: { dashboard: Dashboard; doing: Doing; onEnd(): void }) {
  const { go } = useDesk();
  const { id, title, updatedAt } = dashboard;
  if (doing === "change") return <ChangeDashboard dashboard={dashboard} onEnd={onEnd} />;
  if (doing === "arrange") return <Arrange dashboard={dashboard} onEnd={onEnd} />;
  return (
    <ConfirmForm
      question={t.sure(title[language] || t.untitled)}
      label={t.remove}
      cancel={t.cancel}
      act={async (idempotencyKey) => {
        const place = { path: { id }, query: companyQuery() };
        await api("delete", "/v1/dashboards/{id}", { ...place, idempotencyKey, ifMatch: `"${updatedAt}"` });
        // To the list, before that is read again without it.
        go({ itemId: null });
      }}
      onEnd={onEnd}
    />
  );
}

function OpenDashboard({ dashboard }: { dashboard: Dashboard }) {
  const { hrefWith } = useDesk();
  const { id, title, description, spec, instances, isFavorited, archivedAt } = dashboard;
  const columns = columnsOf(spec);
  const [doing, does] = useState<Doing | null>(null);
  const mayChange = mayChangeIt(dashboard);
  const work = useMutation();
  const favor = () =>
    work.run(async () => {
      await api("put", "/v1/dashboards/{id}/favorite", { path: { id }, body: { isFavorited: !isFavorited } });
    });
  /** Takes it out of use, or back into it. */
  const archive = () =>
    work.run(async () => {
      if (archivedAt === null) await api("patch", "/widgets/dashboards/{id}/archive", { path: { id } });
      else await api("post", "/v1/dashboards/{id}/unarchive", { path: { id }, idempotencyKey: work.key });
    });
  return (
    <div class="desk-column">
      <section class="card" aria-label={title[language] || t.untitled}>
        <header class="card-head">
          <h2>{title[language] || t.untitled}</h2>
          <p class="card-sub">{[description[language], ...marksOf(dashboard)].filter(Boolean).join(" · ")}</p>
          <p class="card-tools">
            {may("configs:write") && (
              <button
                type="button"
                class="tool"
                aria-pressed={isFavorited}
                disabled={work.isWaiting}
                onClick={() => void favor()}
              >
                {t.myFavorite}
              </button>
            )}
            <a class="tool" href={hrefWith({ itemId: null })}>
              {t.back}
            </a>
          </p>
        </header>
        <Refused reason={work.reason} />
        {mayChange && doing === null && (
          <p class="form-buttons">
            {doings.map((one) => (
              <button key={one} type="button" class="button" onClick={() => does(one)}>
                {t[one]}
              </button>
            ))}
            <button type="button" class="button" disabled={work.isWaiting} onClick={() => void archive()}>
              {archivedAt === null ? t.archive : t.unarchive}
            </button>
          </p>
        )}
        {mayChange && doing !== null && <Change {...{ dashboard, doing }} onEnd={() => does(null)} />}
        {instances.length === 0 && doing === null && <Empty title={t.noWidgets} />}
      </section>
      <div class={`dashboard dashboard-${columns}`}>
        {placesOf(instances, columns).map(({ instance, width }) => (
          <div key={instance.id} class={`dashboard-w${width}`}>
            <Part>
              <Widget widget={instance.widget} override={instance.specOverride} />
            </Part>
          </div>
        ))}
      </div>
    </div>
  );
}
