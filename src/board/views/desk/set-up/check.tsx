import { companyQuery } from "../../../app/session.ts";
import { type AnswerOf, api } from "../../../data/api.ts";
import { useRead } from "../../../data/query.ts";
import { placeOf } from "../../../domain/set-up-check.ts";
import { check as t } from "../../../texts/check.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Body, Empty } from "../../../ui/body.tsx";
import { Table } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";

type Finding = AnswerOf<"get", "/v1/setup/check">["data"][number];

/** What the set-up lacks, what that does to the numbers, and where it is put right. */
export function Check() {
  const loaded = useRead(["/v1/setup/check"], () => api("get", "/v1/setup/check", { query: companyQuery() }));
  const { data: findings = [], more = 0, uncheckedMachines = 0 } = loaded.data ?? {};
  const rest = more + uncheckedMachines;
  return (
    <section class="card" aria-label={setUp.kinds.check}>
      <header class="card-head">
        <h2>{setUp.kinds.check}</h2>
        <p class="card-sub">{t.hint}</p>
        <p class="card-tools">
          <a class="button" href="/start">
            {t.left}
          </a>
        </p>
      </header>
      <Body loaded={loaded} empty={findings.length === 0 ? <Empty title={t.none} /> : undefined}>
        <Table
          caption={setUp.kinds.check}
          data={{
            rows: findings.map((finding, i) => ({ ...finding, i })),
            keyOf: ({ i }) => i,
            isStacked: true,
            columns: [
              { name: t.columns.what, cell: ({ object }) => object?.name ?? t.plant },
              { name: t.columns.severity, cell: ({ severity }) => t.severities[severity] },
              { name: t.columns.finding, cell: ({ code }) => t.findings[code] },
              { name: "", cell: (finding) => <ToPlace finding={finding} /> },
            ],
          }}
        />
        {rest > 0 && <p class="quiet">{t.more(rest)}</p>}
      </Body>
    </section>
  );
}

function ToPlace({ finding }: { finding: Finding }) {
  const { hrefWith } = useDesk();
  const place = placeOf(finding);
  if (place === null) return null;
  const href =
    place === "start"
      ? "/start"
      : hrefWith(
          typeof place === "string" ? { tab: place } : { tab: "setup", kind: place.part, itemId: place.itemId, machineId: null },
        );
  return (
    <a class="button" href={href} aria-label={t.openOf(finding.object?.name ?? t.plant)}>
      {t.open}
    </a>
  );
}
