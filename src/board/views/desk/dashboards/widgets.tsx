import { language, locale } from "../../../app/language.ts";
import type { ApiSchema } from "../../../data/api.ts";
import { mayChooseCompany } from "../../../data/may.ts";
import { numberFrom } from "../../../domain/formats.ts";
import { plantMaps } from "../../../domain/plant-map.ts";
import { figures, paretoMetrics, specOf, widgetKinds } from "../../../domain/widget-spec.ts";
import type { Field } from "../../../form/fields.tsx";
import { PictureField } from "../../../form/picture-field.tsx";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { desk } from "../../../texts/desk.ts";
import { useDesk } from "../desk-state.ts";
import type { Machine } from "../plant-data.ts";
import { itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../set-up/resource-page.tsx";
import { MOST_LETTERS, typedText } from "./texts-in-two.ts";

type Widget = ApiSchema<"Widget">;

const nameOf = ({ title }: Widget) => title[language] || t.untitled;
const ofText = ({ isSystem }: Widget) => (isSystem ? t.everyPlant : t.thisPlant);
/** Those of every plant are superusers'. */
const isFixed = ({ isSystem }: Widget) => isSystem && !mayChooseCompany();

/** What a widget draws, in words. */
function drawnText(widget: Widget): string {
  const spec = specOf(widget.spec);
  if (spec !== null) return t.kinds[spec.kind];
  return plantMaps([widget]).length > 0 ? t.plantMap : t.other;
}

/** The widgets of which dashboards are made: those of the plant, and those of every plant. */
export function Widgets() {
  return <ResourcePage kind={kindOf(useDesk().setUp.machines)} />;
}

const kindOf = (machines: readonly Machine[]): ResourceKind<Widget> => ({
  path: "/v1/widgets",
  texts: { title: t.widgets, hint: t.widgetsHint, none: t.noneOfThem, sure: t.sureWidget },
  nameOf,
  columns: [
    textColumn(t.name, nameOf),
    textColumn(t.kind, drawnText),
    textColumn(t.of, ofText),
    {
      name: t.picture,
      cell: ({ compressedThumbnailUrl }) =>
        compressedThumbnailUrl !== null && <img class="widget-picture" src={compressedThumbnailUrl} alt="" loading="lazy" />,
    },
  ],
  permission: "set-up:write",
  isFixed,
  form: (widget) => {
    const { title, description, spec } = widget ?? { spec: { kind: "number" } };
    const drawn = specOf(spec);
    const text = { kind: "text", maxLength: MOST_LETTERS } as const;
    // What another client draws has a spec that only that client knows.
    const specFields = drawn && drawingFields(machines);
    return itemFields({
      fields: { title: { ...text, label: t.name }, description: { ...text, label: t.description }, ...specFields },
      initial: {
        ...{ title: title?.[language] ?? "", description: description?.[language] ?? "" },
        ...(specFields && typedSpec(spec)),
      },
      body: (draft, refuse) => {
        if (draft.title.trim() === "") refuse("title", t.required);
        const texts = { title: typedText(draft.title, title), description: typedText(draft.description, description) };
        return specFields ? { ...texts, spec: specFrom(draft as Drawing, spec, refuse) } : texts;
      },
    });
  },
  tools: (widget, open, close) =>
    !isFixed(widget) && (
      <RowButton
        label={t.picture}
        name={nameOf(widget)}
        onPress={() => open(<Picture key={widget.id} widget={widget} onEnd={close} />)}
      />
    ),
});

/** What is typed of a spec. */
type Drawing = Record<"kind" | "metric" | "days", string> & { machineIds: readonly string[] };

/** The fields of what is drawn. */
function drawingFields(machines: readonly Machine[]) {
  const metrics = [
    ...figures.map((value) => ({ value, label: t.metrics[value] })),
    ...paretoMetrics.map((value) => ({ value, label: desk.losses.metrics[value] })),
  ];
  const fields = {
    kind: { kind: "choice", label: t.kind, options: widgetKinds.map((value) => ({ value, label: t.kinds[value] })) },
    metric: { kind: "choice", label: t.metric, options: [{ value: "", label: t.usual }, ...metrics] },
    days: { kind: "number", label: t.daysField },
    machineIds: {
      ...{ kind: "several", label: t.machines, all: t.allMachines },
      options: machines.map(({ id, name }) => ({ value: String(id), label: name })),
    },
  } as const satisfies Record<keyof Drawing, Field>;
  return fields;
}

type Spec = Readonly<Record<string, unknown>>;

/** A spec that the board draws, as it is typed. */
function typedSpec({ kind, metric = "", days = "", machineIds = [] }: Spec): Drawing {
  return { kind: String(kind), metric: String(metric), days: String(days), machineIds: (machineIds as number[]).map(String) };
}

/** The spec of what is typed. The lines that it had stay, unless machines are chosen. */
function specFrom(
  { kind, metric, days, machineIds }: Drawing,
  { lineIds }: Spec,
  refuse: (name: "days" | "metric", why: string) => void,
): Spec {
  const length = numberFrom(days, locale);
  const spec = {
    kind,
    ...(metric !== "" && { metric }),
    ...(days.trim() !== "" && { days: typeof length === "object" ? length.value : null }),
    ...(machineIds.length > 0 ? { machineIds: machineIds.map(Number) } : lineIds !== undefined && { lineIds }),
  };
  if (specOf({ ...spec, metric: undefined }) === null) refuse("days", kind === "timeline" ? t.noDays : t.wrongDays);
  else if (specOf(spec) === null) refuse("metric", t.wrongMetric);
  return spec;
}

/** Gives a widget the picture that lists show of it, and that only another client can draw. */
function Picture({ widget, onEnd }: { widget: Widget; onEnd(): void }) {
  return (
    <>
      <h3>{nameOf(widget)}</h3>
      <PictureField widgetId={widget.id} label={t.choosePicture} sending={t.uploading} onSent={onEnd} />
    </>
  );
}
