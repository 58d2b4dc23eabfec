import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Outgoing } from "../../src/channels/channel.ts";
import { chat } from "../../src/channels/chat.ts";
import { seal } from "../../src/core/cipher.ts";
import { companyDb } from "../../src/db/client.ts";

afterEach(() => vi.restoreAllMocks());

/** What a room of a service is sent. */
async function sentTo(service: "teams" | "slack", text: Outgoing["text"]) {
  const bodies: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    bodies.push(await new Request(input as string | URL, init as RequestInit).text());
    return new Response("1");
  });
  const message: Outgoing = { id: "m", companyId: 1, text, language: "en", url: null, openLink: "Open in Andon" };
  // A loopback address is not looked up.
  const room = JSON.stringify({
    ...{ service, roomId: "r", sealedUrl: await seal(env, ["chat_rooms.sealed_url", "r"], "http://127.0.0.1:1/room") },
  });
  expect(await chat.send({ env: { ...env, ALLOW_LOOPBACK: "on" } as Env, db: companyDb(env) }, room, message)).toEqual({
    isSent: true,
  });
  return JSON.parse(bodies[0] ?? "null");
}

const text = {
  title: "[Press](https://evil.example) **1** _a_: Long stop",
  body: "Stopped: [click](https://evil.example).\n- `1`, # 2, \\* and ~3~",
};

describe("a card for Teams", () => {
  it("has its texts as they are, in runs, where Markdown has no meaning", async () => {
    const { attachments } = await sentTo("teams", text);
    const { body, actions } = attachments[0].content;
    // A `TextBlock`, `FactSet` or the card's own `summary` would read Markdown.
    expect(body.map(({ type }: { type: string }) => type)).toEqual(["RichTextBlock", "RichTextBlock", "RichTextBlock"]);
    expect(body.flatMap(({ inlines }: { inlines: object[] }) => inlines)).toEqual([
      { type: "TextRun", text: text.title, weight: "Bolder", size: "Medium" },
      ...text.body.split("\n").map((line) => ({ type: "TextRun", text: line })),
    ]);
    expect(actions).toEqual([]);
  });
});

describe("a message for Slack", () => {
  it("makes no link and no mention of what a text contains", async () => {
    const sent = await sentTo("slack", { title: "<!channel> & <https://evil.example|Press>", body: "<@U1>" });
    expect(sent).toEqual({ text: "*&lt;!channel&gt; &amp; &lt;https://evil.example|Press&gt;*\n&lt;@U1&gt;" });
  });
});
