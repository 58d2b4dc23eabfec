import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { Refused } from "../../../../form/form-end.tsx";
import { useTrial } from "../../../../form/use-mutation.ts";
import { messages } from "../../../../texts/messages.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { flagColumn, itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";

const t = messages.rooms;
type Room = ApiSchema<"ChatRoom">;

/** The rooms in Teams and Slack that alerts are written to. */
export function Rooms() {
  return <ResourcePage kind={kind} />;
}

const kind: ResourceKind<Room> = {
  path: "/v1/chat-rooms",
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    textColumn(t.name, ({ name }) => name),
    { name: t.service, cell: ({ service }) => t.services[service], sortBy: ({ service }) => service },
    flagColumn(t.active, ({ isActive }) => isActive),
  ],
  permission: "alerts:write",
  form: (room) =>
    itemFields({
      fields: {
        name: { kind: "text", label: t.name, maxLength: 200 },
        service: {
          kind: "choice",
          label: t.service,
          options: (["teams", "slack"] as const).map((value) => ({ value, label: t.services[value] })),
        },
        url: { kind: "text", label: room ? t.newUrl : t.url, maxLength: 2000 },
        language: {
          kind: "choice",
          label: t.language,
          options: [
            { value: "en", label: "English" },
            { value: "es", label: "Español" },
          ],
        },
        isActive: { kind: "flag", label: t.isActive },
      },
      initial: {
        ...{ name: room?.name ?? "", service: room?.service ?? "teams", url: "" },
        ...{ language: room?.language ?? "en", isActive: room?.isActive ?? true },
      },
      body: ({ name, service, url, language, isActive }, refuse) => {
        if (name.trim() === "") refuse("name", setUp.faults.required);
        if (!room && url.trim() === "") refuse("url", setUp.faults.required);
        return { name: name.trim(), service, language, isActive, ...(url.trim() !== "" && { url: url.trim() }) };
      },
    }),
  tools: (room, open) => <RowButton label={t.test} name={room.name} onPress={() => open(<Test key={room.id} room={room} />)} />,
};

function Test({ room: { id, name } }: { room: Room }) {
  const work = useTrial();
  const [said, say] = useState<string | null>(null);
  const test = () =>
    work.run(async () => {
      say(null);
      const { data } = await api("post", "/v1/chat-rooms/{id}/test", { path: { id }, withinMs: 30_000 });
      say(data.map(({ status, reason }) => messages.personas.result(status, reason)).join(" "));
    });
  return (
    <>
      <h3>{t.testOf(name)}</h3>
      <Refused reason={work.reason} />
      <p class="form-buttons">
        <button type="button" class="button primary" disabled={work.isWaiting} onClick={() => void test()}>
          {t.send}
        </button>
      </p>
      <p role="status">{said}</p>
    </>
  );
}
