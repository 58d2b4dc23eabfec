import { useState } from "preact/hooks";
import { language } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { useRead } from "../../../data/query.ts";
import { Form, useForm } from "../../../form/form.tsx";
import { dashboards as t } from "../../../texts/dashboards.ts";
import { Body } from "../../../ui/body.tsx";
import { MOST_LETTERS, typedText } from "./texts-in-two.ts";

/** Makes a dashboard of the widgets that there are. */
export function NewDashboard() {
  const [isOpen, open] = useState(false);
  const widgets = useRead(isOpen ? ["/v1/widgets"] : null, () => everyOf("/v1/widgets"));
  if (!isOpen) {
    return (
      <p class="form-buttons">
        <button type="button" class="button" onClick={() => open(true)}>
          {t.newDashboard}
        </button>
      </p>
    );
  }
  const options = (widgets.data ?? []).map(({ id, title }) => ({ value: id, label: title[language] || t.untitled }));
  return <Body loaded={widgets}>{widgets.data && <DashboardForm options={options} onEnd={() => open(false)} />}</Body>;
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
      return { ...companyQuery(), title: typedText(title), description: typedText(""), spec: {}, instances: shown };
    },
    send: (body, idempotencyKey) => api("post", "/v1/dashboards", { body, idempotencyKey }),
    onSent: onEnd,
  });
  const cancel = { label: t.cancel, onCancel: onEnd };
  return <Form form={form} label={t.newDashboard} send={t.make} sending={t.making} cancel={cancel} />;
}
