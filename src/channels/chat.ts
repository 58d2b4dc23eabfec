import { unseal } from "../core/cipher.ts";
import { callOut } from "./call-out.ts";
import { type Channel, type Outgoing, outcomeOf } from "./channel.ts";

const services = { teams: teamsCard, slack: slackMessage };

/** The address of a chat room, as in `to` of this channel. */
export interface RoomAddress {
  service: keyof typeof services;
  roomId: string;
  sealedUrl: string;
}

/** Rooms of Teams and Slack, by their incoming webhooks. Always on, because each room has its own address. */
export const chat: Channel = {
  missing: () => [],
  async send({ env }, to, message) {
    const { service, roomId, sealedUrl }: RoomAddress = JSON.parse(to);
    const answer = await callOut(env, {
      url: await unseal(env, ["chat_rooms.sealed_url", roomId], sealedUrl),
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(services[service](message)),
    });
    return outcomeOf(answer);
  },
};

/**
 * An adaptive card, as accepted by workflows of Teams. Its texts are runs, in which Markdown has no meaning: in a `TextBlock`, the name of a
 * machine could become a link, and clients disagree about how to escape it.
 */
function teamsCard({ text, url, openLink }: Outgoing) {
  const line = (own: string, style: object = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text: own, ...style }],
  });
  const content = {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
    body: [line(text.title, { weight: "Bolder", size: "Medium" }), ...text.body.split("\n").map((own) => line(own))],
    actions: url === null ? [] : [{ type: "Action.OpenUrl", title: openLink, url }],
  };
  return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
}

/** Text in Slack's own markup, in which `<`, `>` and `&` are special characters. */
function slackMessage({ text, url, openLink }: Outgoing) {
  const escaped = (line: string) => line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const link = url === null ? [] : [`<${url}|${openLink}>`];
  return { text: [`*${escaped(text.title)}*`, escaped(text.body), ...link].join("\n") };
}
