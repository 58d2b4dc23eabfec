import { useState } from "preact/hooks";
import { may } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { formats } from "../../../data/plant.ts";
import { useRead } from "../../../data/query.ts";
import { fieldsOf, type SetUpKind, timesOf } from "../../../domain/set-up.ts";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Body } from "../../../ui/body.tsx";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";
import { loadUserNames, type SetUp } from "../plant-data.ts";
import { type DryRun, readVersions, type Version, withdrawVersion } from "./kinds.ts";
import { Preview } from "./preview.tsx";
import { nameOfField, standardText, valueText } from "./value-text.ts";

const t = setUp.versions;
/** How many rows are shown at first, and added with each press. */
const STEP = 10;

interface VersionsProps {
  kind: Exclude<SetUpKind, "sensors">;
  id: string;
}

/** What held, holds and will hold of an item, with who recorded it and why. What somebody dated can be withdrawn. */
export function Versions({ kind, id }: VersionsProps) {
  const desk = useDesk();
  const [withdrawing, withdraw] = useState<Version | null>(null);
  const list = usePaged(["versions", kind, id, may("users:read")], STEP, async (most) => {
    const [found, users] = await Promise.all([readVersions(kind, id, most, STEP), loadUserNames()]);
    return { ...found, users };
  });
  const users = list.data?.users ?? new Map<number, string>();
  const mayChange = may("set-up:write");
  const names = t.columns;
  const columns: Column<Version>[] = [
    { name: names.holds, cell: timeText, sortBy: ({ effectiveFrom }) => effectiveFrom },
    { name: names.state, cell: ({ state }) => t.states[state], sortBy: ({ state }) => t.states[state] },
    { name: names.what, cell: (one) => valuesText(kind, one, desk.setUp) },
    { name: names.why, cell: ({ reason }) => (reason === BEFORE ? t.before : (reason ?? "")) },
    { name: names.recorded, cell: (one) => recordedText(one, users), sortBy: ({ recordedAt }) => recordedAt },
    {
      name: names.actions,
      cell: (one) =>
        mayChange &&
        one.isDated &&
        one.state !== "withdrawn" &&
        one.id !== null && (
          <button type="button" class="tool" onClick={() => withdraw(one)}>
            {t.withdraw}
          </button>
        ),
    },
  ];
  return (
    <>
      <ListCard
        title={t.title}
        hint={t.hint}
        list={list}
        columns={columns}
        keyOf={(one) => `${one.id} ${one.kind} ${one.machineId}`}
        none={t.none}
      />
      {withdrawing && (
        <Withdraw
          key={withdrawing.id}
          {...{ kind, id }}
          version={withdrawing}
          text={`${timeText(withdrawing)}: ${valuesText(kind, withdrawing, desk.setUp)}`}
          onEnd={() => withdraw(null)}
        />
      )}
    </>
  );
}

/** The reason of what an item was before its first version. */
const BEFORE = "before versions";

interface WithdrawProps extends Pick<VersionsProps, "kind" | "id"> {
  version: Version;
  text: string;
  onEnd(): void;
}

/** Says what withdrawing a version would do, and does it. */
function Withdraw({ kind, id, version, text, onEnd }: WithdrawProps) {
  const [isKnown, setKnown] = useState(false);
  const path = { id, versionId: version.id ?? 0 };
  const isTryable = timesOf(kind).hasPast;
  const tried = useRead<DryRun | null>(
    isTryable ? ["withdraw", kind, path] : null,
    async () => {
      const found = await withdrawVersion(kind, path, { isTried: true });
      setKnown(found?.recalculationId == null);
      return found;
    },
    { isOnce: true },
  );
  const work = useMutation(onEnd);
  const confirm = () => work.run(async () => void (await withdrawVersion(kind, path, { isTried: false, key: work.key })));
  return (
    <section class="card" aria-label={t.withdrawTitle}>
      <header class="card-head">
        <h2>{t.withdrawTitle}</h2>
        <p class="card-sub">{t.withdrawHint}</p>
      </header>
      <p class="long-text">{text}</p>
      {isTryable && (
        <Body loaded={tried}>
          {tried.data && <Preview tried={tried.data} isAhead={version.state === "future"} onEnd={() => setKnown(true)} />}
        </Body>
      )}
      <FormEnd
        reason={work.reason}
        label={work.isWaiting ? t.withdrawing : t.confirm}
        isDisabled={work.isWaiting || (isTryable && !isKnown)}
        cancel={{ label: t.cancel, onCancel: onEnd }}
        onConfirm={() => void confirm()}
      />
    </section>
  );
}

/** When a version holds, or was meant to hold. */
function timeText({ inForce, effectiveFrom, effectiveUntil }: Version): string {
  const { dateTime } = formats();
  const pieces = inForce.length > 0 ? inForce : [{ from: effectiveFrom, until: effectiveUntil }];
  return pieces
    .map(({ from, until }) => {
      if (from === null) return until === null ? t.always : t.until(dateTime(until));
      return until === null ? t.from(dateTime(from)) : t.fromTo(dateTime(from), dateTime(until));
    })
    .join("; ");
}

function recordedText({ userId, apiTokenId, recordedAt, withdrawnAt, withdrawnBy }: Version, names: ReadonlyMap<number, string>) {
  const { dateTime } = formats();
  const nameOf = (id: number | null) => (id === null ? t.service : (names.get(id) ?? t.user(id)));
  const who = userId === null && apiTokenId !== null ? t.program : nameOf(userId);
  const made = t.by(who, dateTime(recordedAt));
  return withdrawnAt === null ? made : `${made}; ${t.withdrawnBy(nameOf(withdrawnBy), dateTime(withdrawnAt))}`;
}

/** What a version says, in words. */
function valuesText(kind: SetUpKind, { kind: of, machineId, values }: Version, plant: SetUp): string {
  if (of === "standard") return standardText({ machineId, standardCycleSeconds: values?.standardCycleSeconds }, plant);
  if (values === null) return t.gone;
  const order = fieldsOf(kind, { level: "specific" }).map(({ name }) => name);
  const names = Object.keys(values).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return names.map((name) => `${nameOfField(name)}: ${valueText(name, values[name], plant)}`).join("; ");
}
