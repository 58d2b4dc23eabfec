import type { ChannelName } from "../db/values.ts";
import type { Channel } from "./channel.ts";
import { chat } from "./chat.ts";
import { email } from "./email.ts";
import { inApp } from "./in-app.ts";
import { push } from "./push.ts";
import { sms } from "./sms.ts";
import { whatsapp } from "./whatsapp.ts";

/** All channels for notifying people. */
export const channelsByName: Readonly<Record<ChannelName, Channel>> = { in_app: inApp, email, sms, whatsapp, push, chat };
