import { channelsByName } from "../../../channels/channels.ts";
import type { Caller } from "../../../core/caller.ts";
import { type ChannelName, channels } from "../../../db/values.ts";

/** A channel, whether it is on, and the variables and secrets that it still needs. */
export interface ChannelState {
  channel: ChannelName;
  isOn: boolean;
  missing: string[];
}

/** The state of every channel. */
export function listChannels({ env }: Pick<Caller, "env">): ChannelState[] {
  return channels.map((channel) => {
    const missing = channelsByName[channel].missing(env);
    return { channel, isOn: missing.length === 0, missing };
  });
}
