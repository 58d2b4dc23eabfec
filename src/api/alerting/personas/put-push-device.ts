import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { multilineText, text } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { putPushDevice } from "./push-devices.ts";
import { pushState } from "./shapes.ts";

export const contract = createRoute({
  method: "put",
  path: "/v1/push-devices",
  operationId: "putPushDevice",
  tags: ["messages"],
  summary: "Turn push messages to a browser on or off",
  description: `Adds the browser to the push contacts of your personas, or removes it. Your personas are those of your company with your e-mail
address; if there is none, one is created. A persona keeps its newest 20 browsers.`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isForPeople: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({
            subscription: multilineText(2000).openapi({ description: "The browser's PushSubscription as JSON text" }),
            isOn: z.boolean(),
            name: text(200).default(""),
            language: z.enum(["english", "spanish"]).default("english"),
          }),
        },
      },
    },
  },
  responses: {
    200: { description: "The key and your browsers", content: { "application/json": { schema: pushState } } },
    ...problemResponses(400, 401, 403, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await putPushDevice(callerOf(c), c.req.valid("json")), 200);
