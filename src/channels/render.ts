import { configOf } from "../core/config.ts";
import type { Outgoing } from "./channel.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import type { Listed, TellTime, Text, Texts, Told } from "./texts/kinds.ts";
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
    told,
    language,
    timezone,
  }: { id: string; companyId: number; told: Told; language: Language; timezone: string },
): Outgoing {
  const texts = textsOf[language];
  const { PUBLIC_URL } = configOf(env);
  return {
    ...{ id, companyId, language },
    text: textOf(told, language, timeIn(timezone, language)),
    url: PUBLIC_URL === "" ? null : PUBLIC_URL + pathOf(told),
    openLink: texts.openLink,
  };
}

function textOf(told: Told, language: Language, time: TellTime): Text {
  const texts = textsOf[language];
  switch (told.kind) {
    case "report":
      return { title: told.params.title, body: told.params.summary };
    case "digest": {
      const { count, items } = told.params;
      return texts.digest({ count, lines: items.map((item) => lineOf(textOf(item, language, time))) });
    }
    case "alert_opened":
    case "alert_escalated":
    case "alert_resolved": {
      const text = texts[told.kind](told.params, time);
      const own = told.kind === "alert_opened" ? told.params.custom?.[language] : undefined;
      const { machineName } = told.params;
      const named = { ...told.params, machineName: texts.machines(told.params) ?? machineName };
      return own ? { ...text, body: fillTemplate(own, named, time) } : text;
    }
    case "webhook_paused":
      return texts.webhook_paused(told.params, time);
    case "test":
      return texts.test();
  }
}

const lineOf = ({ title, body }: Text) => `${title} – ${body.replaceAll("\n", " ")}`;

/** The page of the board with the details. */
function pathOf(told: Told | Listed): string {
  if (told.kind === "report") return told.params.path;
  return "incidentId" in told.params ? `/desk/incidents/${told.params.incidentId}` : "/desk";
}

function timeIn(timezone: string, language: Language): TellTime {
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
