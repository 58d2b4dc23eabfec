import { configOf } from "../core/config.ts";
import type { Outgoing } from "./channel.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import type { FormatTime, Listed, MessageContent, Text, Texts } from "./texts/kinds.ts";
import { fillTemplate } from "./texts/template.ts";

const textsOf = { en, es } satisfies Record<string, Texts>;
const locales = { en: "en-GB", es: "es-ES" };

export type Language = keyof typeof textsOf;

/** Renders a message in a language, with times in the plant's time zone. */
export function render(
  env: Env,
  {
    id,
    companyId,
    content,
    language,
    timezone,
  }: { id: string; companyId: number; content: MessageContent; language: Language; timezone: string },
): Outgoing {
  const texts = textsOf[language];
  const { PUBLIC_URL } = configOf(env);
  return {
    ...{ id, companyId, language },
    text: textOf(content, language, timeIn(timezone, language)),
    url: PUBLIC_URL === "" ? null : PUBLIC_URL + pathOf(content),
    openLink: texts.openLink,
  };
}

function textOf(content: MessageContent, language: Language, time: FormatTime): Text {
  const texts = textsOf[language];
  switch (content.kind) {
    case "report":
      return { title: content.params.title, body: content.params.summary };
    case "digest": {
      const { count, items } = content.params;
      return texts.digest({ count, lines: items.map((item) => lineOf(textOf(item, language, time))) });
    }
    case "alert_opened":
    case "alert_escalated":
    case "alert_resolved": {
      const text = texts[content.kind](content.params, time);
      const own = content.kind === "alert_opened" ? content.params.custom?.[language] : undefined;
      const { machineName } = content.params;
      const named = { ...content.params, machineName: texts.machines(content.params) ?? machineName };
      return own ? { ...text, body: fillTemplate(own, named, time) } : text;
    }
    case "webhook_paused":
      return texts.webhook_paused(content.params, time);
    case "test":
      return texts.test();
  }
}

const lineOf = ({ title, body }: Text) => `${title} – ${body.replaceAll("\n", " ")}`;

/** The page of the board with the details. */
function pathOf(content: MessageContent | Listed): string {
  if (content.kind === "report") return content.params.path;
  return "incidentId" in content.params ? `/desk/incidents/${content.params.incidentId}` : "/desk";
}

function timeIn(timezone: string, language: Language): FormatTime {
  const format = new Intl.DateTimeFormat(locales[language], {
    timeZone: timezone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at) => format.format(at);
}
