import { type Channel, sent } from "./channel.ts";
import { insertNotification } from "./queries.ts";

/** Notifications of users, which the board shows. Always on. Delivered exactly once: the notification has the id of the message. */
export const inApp: Channel = {
  missing: () => [],
  async send({ db }, userId, { id, text }) {
    await insertNotification(db, { id, userId: Number(userId), title: text.title, body: text.body });
    return sent;
  },
};
