import { useState } from "preact/hooks";
import { language, locale } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { useRead } from "../../../data/query.ts";
import { numberFrom } from "../../../domain/formats.ts";
import { figures, paretoMetrics, specOf, widgetKinds } from "../../../domain/widget-spec.ts";
import { Form, useForm } from "../../../form/form.tsx";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { desk } from "../../../texts/desk.ts";
import { Body } from "../../../ui/body.tsx";
import { useDesk } from "../desk-state.ts";

/** The longest title. */
const MOST_LETTERS = 200;

/** What admins make: a dashboard of the widgets that there are, or another widget. */
export function NewOnes() {
  const [open, setOpen] = useState<"dashboard" | "widget" | null>(null);
  const close = () => setOpen(null);
  if (open === "dashboard") return <NewDashboard onEnd={close} />;
  if (open === "widget") return <NewWidget onEnd={close} />;
  return (
    <p class="form-buttons">
      <button type="button" class="button" onClick={() => setOpen("dashboard")}>
        {t.newDashboard}
      </button>
      <button type="button" class="button" onClick={() => setOpen("widget")}>
        {t.newWidget}
      </button>
    </p>
  );
}

/** A title in both languages is the one that was typed: whoever needs another one uses the API. */
const inBoth = (text: string) => ({ en: text, es: text });

function NewDashboard({ onEnd }: { onEnd(): void }) {
  const widgets = useRead(["/v1/widgets"], () => everyOf("/v1/widgets"));
  const options = (widgets.data ?? []).map(({ id, title }) => ({ value: id, label: title[language] || t.untitled }));
  return <Body loaded={widgets}>{widgets.data && <DashboardForm options={options} onEnd={onEnd} />}</Body>;
}

function DashboardForm({ options, onEnd }: { options: readonly { value: string; label: string }[]; onEnd(): void }) {
  const form = useForm({
    fields: {
      title: { kind: "text", label: t.name, maxLength: MOST_LETTERS },
      instances: { kind: "several", label: t.widgets, options, all: t.allWidgets },
    },
    initial: { title: "", instances: [] },
    body: ({ title, instances }, refuse) => {
      if (title.trim() === "") refuse("title", t.required);
      const shown = instances.map((widgetId) => ({ widgetId, specOverride: {}, visualConfig: {} }));
      return { ...companyQuery(), title: inBoth(title.trim()), description: inBoth(""), spec: {}, instances: shown };
    },
    send: (body, idempotencyKey) => api("post", "/v1/dashboards", { body, idempotencyKey }),
    onSent: onEnd,
  });
  const cancel = { label: t.cancel, onCancel: onEnd };
  return <Form form={form} label={t.newDashboard} send={t.make} sending={t.making} cancel={cancel} />;
}

function NewWidget({ onEnd }: { onEnd(): void }) {
  const { machines } = useDesk().setUp;
  const metrics = [
    ...figures.map((value) => ({ value, label: t.metrics[value] })),
    ...paretoMetrics.map((value) => ({ value, label: desk.losses.metrics[value] })),
  ];
  const form = useForm({
    fields: {
      title: { kind: "text", label: t.name, maxLength: MOST_LETTERS },
      kind: { kind: "choice", label: t.kind, options: widgetKinds.map((value) => ({ value, label: t.kinds[value] })) },
      metric: { kind: "choice", label: t.metric, options: [{ value: "", label: t.usual }, ...metrics] },
      days: { kind: "number", label: t.daysField },
      machineIds: {
        ...{ kind: "several", label: t.machines, all: t.allMachines },
        options: machines.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    },
    initial: { title: "", kind: "number", metric: "", days: "", machineIds: [] },
    body: ({ title, kind, metric, days, machineIds }, refuse) => {
      if (title.trim() === "") refuse("title", t.required);
      const length = numberFrom(days, locale);
      const spec = {
        kind,
        ...(metric !== "" && { metric }),
        ...(days.trim() !== "" && { days: typeof length === "object" ? length.value : null }),
        ...(machineIds.length > 0 && { machineIds: machineIds.map(Number) }),
      };
      if (specOf({ ...spec, metric: undefined }) === null) refuse("days", kind === "timeline" ? t.noDays : t.wrongDays);
      else if (specOf(spec) === null) refuse("metric", t.wrongMetric);
      return { ...companyQuery(), title: inBoth(title.trim()), description: inBoth(""), spec };
    },
    send: (body, idempotencyKey) => api("post", "/v1/widgets", { body, idempotencyKey }),
    onSent: onEnd,
  });
  const cancel = { label: t.cancel, onCancel: onEnd };
  return <Form form={form} label={t.newWidget} send={t.make} sending={t.making} cancel={cancel} />;
}
