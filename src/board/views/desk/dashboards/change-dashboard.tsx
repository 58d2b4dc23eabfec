import { language } from "../../../app/language.ts";
import type { ApiSchema } from "../../../data/api.ts";
import { columnsOf, MOST_COLUMNS } from "../../../domain/widget-spec.ts";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { ItemEditor, itemFields } from "../set-up/resource-page.tsx";
import { MOST_LETTERS, typedText } from "./texts-in-two.ts";

type Dashboard = ApiSchema<"WidgetDashboard">;

const columnOptions = Array.from({ length: MOST_COLUMNS }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }));

/** The form of a dashboard's title, description and columns. */
export function ChangeDashboard({ dashboard, onEnd }: { dashboard: Dashboard; onEnd(): void }) {
  const form = (row: Dashboard | null) => {
    const { title, description, spec } = row ?? dashboard;
    return itemFields({
      fields: {
        title: { kind: "text", label: t.name, maxLength: MOST_LETTERS },
        description: { kind: "text", label: t.description, maxLength: MOST_LETTERS },
        columns: { kind: "choice", label: t.columnsField, options: columnOptions },
      },
      initial: { title: title[language], description: description[language], columns: String(columnsOf(spec)) },
      body: (draft, refuse) => {
        if (draft.title.trim() === "") refuse("title", t.required);
        return {
          title: typedText(draft.title, title),
          description: typedText(draft.description, description),
          spec: { ...spec, columns: Number(draft.columns) },
        };
      },
    });
  };
  const name = dashboard.title[language] || t.untitled;
  return <ItemEditor path="/v1/dashboards" row={dashboard} title={name} form={form} onEnd={onEnd} onDone={onEnd} />;
}
