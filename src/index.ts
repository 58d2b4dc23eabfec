import { runScheduled } from "./jobs/schedule.ts";
import { router } from "./router.ts";

export { MachineState } from "./machine/machine-state.ts";

export default {
  fetch: router.fetch,
  scheduled: runScheduled,
} satisfies ExportedHandler<Env>;
