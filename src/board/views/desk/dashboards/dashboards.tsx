import "./dashboards.css";
import { language } from "../../../app/language.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { may, mayChooseCompany } from "../../../data/may.ts";
import { useRead } from "../../../data/query.ts";
import { columnsOf, placesOf } from "../../../domain/widget-spec.ts";
import { Refused } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { Body, Empty } from "../../../ui/body.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { NewOnes } from "./new-ones.tsx";
import { Widget } from "./widget.tsx";

type Dashboard = ApiSchema<"WidgetDashboard">;

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
  if (open) return <OpenDashboard dashboard={open} />;
  return (
    <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      {may("set-up:write") && <NewOnes />}
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

/** Takes a dashboard out of use, or back into it, for those who may: all admins, of those of every plant superusers. */
function Archive({ dashboard: { id, archivedAt, isSystem } }: { dashboard: Dashboard }) {
  const work = useMutation();
  if (!may("set-up:write") || (isSystem && !mayChooseCompany())) return null;
  const path = { id };
  const change = async () => {
    if (archivedAt === null) await api("patch", "/widgets/dashboards/{id}/archive", { path });
    else await api("post", "/v1/dashboards/{id}/unarchive", { path, idempotencyKey: work.key });
  };
  return (
    <>
      <Refused reason={work.reason} />
      <button type="button" class="button" disabled={work.isWaiting} onClick={() => void work.run(change)}>
        {archivedAt === null ? t.archive : t.unarchive}
      </button>
    </>
  );
}

function OpenDashboard({ dashboard }: { dashboard: Dashboard }) {
  const { hrefWith } = useDesk();
  const { title, description, spec, instances } = dashboard;
  const columns = columnsOf(spec);
  return (
    <div class="desk-column">
      <section class="card" aria-label={title[language] || t.untitled}>
        <header class="card-head">
          <h2>{title[language] || t.untitled}</h2>
          <p class="card-sub">{[description[language], ...marksOf(dashboard)].filter(Boolean).join(" · ")}</p>
          <p class="card-tools">
            <Archive dashboard={dashboard} />
            <a class="button" href={hrefWith({ itemId: null })}>
              {t.back}
            </a>
          </p>
        </header>
        {instances.length === 0 && <Empty title={t.noWidgets} />}
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
