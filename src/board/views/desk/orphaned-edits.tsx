import "./orphaned-edits.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { allOf, firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { DAY_MS, iso } from "../../domain/time.ts";
import { FormEnd, Refused } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { stopName } from "../../texts/common.ts";
import { desk } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { More } from "../../ui/more.tsx";
import { loadCauses } from "./plant-data.ts";

const t = past.orphans;
type Orphan = ApiSchema<"OrphanedEdit">;
type NameOf = (causeId: number) => string;

/** How many entries are shown at first, and added with each press. */
const STEP = 10;

/** What people said of stops that are gone. It can be put on another stop, or dismissed. */
export function OrphanedEdits() {
  const loaded = usePaged(["/v1/orphaned-edits"], STEP, async (most) => {
    const [list, causes] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/orphaned-edits", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
      loadCauses(),
    ]);
    return { ...list, names: new Map(causes.map(({ id, name }) => [id, name])) };
  });
  const { rows, hasMore } = loaded;
  const nameOf = (id: number) => loaded.data?.names.get(id) ?? String(id);
  return (
    <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <Body loaded={loaded}>
        {rows.length === 0 && <p class="quiet">{t.none}</p>}
        <ul class="orphans">
          {rows.map((one) => (
            <li key={one.id}>
              <One orphan={one} nameOf={nameOf} />
            </li>
          ))}
        </ul>
        {hasMore && <More shown={rows.length} onMore={loaded.more} />}
      </Body>
    </section>
  );
}

function One({ orphan, nameOf }: { orphan: Orphan; nameOf: NameOf }) {
  const { id, machine, startTime, endTime, action, reason, user: who, time } = orphan;
  const [isAttaching, attach] = useState(false);
  const work = useMutation();
  const { dateTime } = formats();
  const isOnlyDropped = action === "split" || action === "merge";
  const drop = () =>
    work.run(async () => void (await api("delete", "/v1/orphaned-edits/{id}", { path: { id }, idempotencyKey: work.key })));
  return (
    <>
      <p>
        <strong>{saidText(orphan, nameOf)}</strong>
      </p>
      <p>
        {t.stop(machine.name, dateTime(startTime), formats().time(endTime))}. {t.reasons[reason] ?? reason}
      </p>
      <p class="quiet">{t.said(who?.name ?? t.someone, dateTime(time))}</p>
      <Refused reason={work.reason} />
      {isAttaching && <Attach orphan={orphan} onEnd={() => attach(false)} />}
      {!isAttaching && may("stops:write") && (
        <p>
          {!isOnlyDropped && (
            <button type="button" class="tool" disabled={work.isWaiting} onClick={() => attach(true)}>
              {t.attach}
            </button>
          )}
          <button type="button" class="tool" disabled={work.isWaiting} onClick={() => void drop()}>
            {t.drop}
          </button>
        </p>
      )}
    </>
  );
}

interface AttachProps {
  orphan: Orphan;
  onEnd(): void;
}

/** Chooses one of the stops of the machine within a day of the one that is gone. */
function Attach({ orphan: { id, machine, startTime, endTime }, onEnd }: AttachProps) {
  const [stopId, setStopId] = useState("");
  const work = useMutation();
  const query = {
    machineIds: [machine.id],
    from: iso(Date.parse(startTime) - DAY_MS),
    to: iso(Date.parse(endTime) + DAY_MS),
    limit: 500,
  };
  const loaded = useRead(["/v1/stops", query], () =>
    allOf((cursor) => api("get", "/v1/stops", { query: { ...query, ...cursor } })),
  );
  const put = () =>
    work.run(async () => {
      const body = { stopId: Number(stopId) };
      await api("post", "/v1/orphaned-edits/{id}/attach", { path: { id }, body, idempotencyKey: work.key });
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void put();
      }}
    >
      <label class="field">
        <span>{t.which}</span>
        <select required value={stopId} onChange={({ currentTarget }) => setStopId(currentTarget.value)}>
          <option value="">{loaded.data === null ? t.loading : t.choose}</option>
          {loaded.data?.map((stop) => (
            <option key={stop.id} value={String(stop.id)}>
              {stopText(stop)}
            </option>
          ))}
        </select>
      </label>
      {loaded.data?.length === 0 && <p class="quiet">{t.noStops}</p>}
      <FormEnd reason={work.reason} label={t.send} isDisabled={work.isWaiting} cancel={{ label: t.cancel, onCancel: onEnd }} />
    </form>
  );
}

function stopText({ startTime, endTime, name }: Pick<ApiSchema<"SlicedStop">, "startTime" | "endTime" | "name">): string {
  const { dateTime, time } = formats();
  return `${dateTime(startTime)} – ${endTime === null ? desk.dayView.going : time(endTime)}, ${stopName(name)}`;
}

/** What was said, in words. */
function saidText({ action, at, said }: Orphan, nameOf: NameOf): string {
  if ((action === "split" || action === "merge") && at !== null) return t.actions[action](formats().time(at));
  const { generalCauseId, specificCauseId, componentId, description, name } = said;
  const causes = [generalCauseId, specificCauseId, componentId].filter((id): id is number => typeof id === "number");
  const isCounted = [said.isProgrammed, said.isIncludedInStops, said.isIncludedInAvailability].some(
    (flag) => typeof flag === "boolean",
  );
  const parts = [
    action === "record" && t.recorded,
    action === "classify" && (causes.map(nameOf).join(" › ") || (!description && t.noCause)),
    description,
    name && t.named(name),
    isCounted && t.counted,
  ];
  return parts.filter(Boolean).join(", ") || t.changed;
}
