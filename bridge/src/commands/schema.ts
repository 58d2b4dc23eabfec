import { z } from "zod";
import { configSchema } from "../config/config.ts";
import type { Command } from "./command.ts";

export const schema: Command = {
  usage: "",
  summary: "prints the JSON schema of the configuration, by which editors check and complete it",
  run: async () => {
    console.log(JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }), null, 2));
    return 0;
  },
};
