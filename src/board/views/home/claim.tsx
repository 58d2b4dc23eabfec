import { locale } from "../../app/language.ts";
import { navigate } from "../../app/route.ts";
import { api } from "../../data/api.ts";
import { signIn } from "../../data/sign-in.ts";
import { formatsOf } from "../../domain/formats.ts";
import { Form, useForm } from "../../form/form.tsx";
import { claim as t } from "../../texts/claim.ts";

// All browsers of this page have it, but the types of the board are those of the oldest televisions.
const { supportedValuesOf } = Intl as unknown as { supportedValuesOf(key: "timeZone"): string[] };
const zones = supportedValuesOf("timeZone");

interface ClaimProps {
  /** The code with which an empty plant is started beside the demo plant; null: there is no user yet, and the form asks for the code. */
  startCode: string | null;
}

/** The form of a service without users: its first account, and the plant. Also that of an empty plant beside the demo plant. Signs that account in. */
export function Claim({ startCode }: ClaimProps) {
  const form = useForm({
    fields: {
      ...(startCode === null && { code: { kind: "text" as const, label: t.code, maxLength: 20 } }),
      name: { kind: "text", label: t.name, maxLength: 200, as: "personName" },
      email: { kind: "text", label: t.email, maxLength: 254, as: "email" },
      password: { kind: "text", label: t.password, maxLength: 128, as: "newPassword" },
      companyName: { kind: "text", label: t.company, maxLength: 200 },
      timezone: {
        ...{ kind: "text", label: t.timezone, maxLength: 100 },
        suggestions: zones.map((value) => ({ value, label: "" })),
      },
    },
    initial: {
      ...{
        code: startCode ?? new URLSearchParams(location.search).get("code") ?? "",
        name: "",
        email: "",
        password: "",
        companyName: "",
      },
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    body: ({ password, ...draft }, refuse) => {
      const { name, email, companyName, timezone } = draft;
      const code = startCode ?? String(draft.code).trim();
      const trimmed = { code, name: name.trim(), email: email.trim(), companyName: companyName.trim() };
      for (const [member, text] of Object.entries({ ...trimmed, password })) {
        if (text === "") refuse(member as keyof typeof trimmed, t.required);
      }
      if (timeIn(timezone.trim()) === null) refuse("timezone", t.unknownZone);
      return { ...trimmed, password, timezone: timezone.trim() };
    },
    send: async (body) => {
      await api("post", "/v1/claim", { body });
      await signIn(body.email, body.password);
      navigate("/start");
    },
  });
  const zone = form.draft.timezone.trim();
  const time = timeIn(zone);
  const title = startCode === null ? t.title : t.start;
  return (
    <>
      <h2>{title}</h2>
      <p>{startCode === null ? t.intro : t.startIntro}</p>
      <Form form={form} label={title} send={t.send} sending={t.sending} isPrimary isFocused={false}>
        {time !== null && <p class="quiet">{t.now(zone, time)}</p>}
      </Form>
    </>
  );
}

/** The time in a zone now; null: there is no such zone. */
function timeIn(timeZone: string): string | null {
  try {
    return formatsOf(locale, timeZone).time(Date.now());
  } catch {
    return null;
  }
}
