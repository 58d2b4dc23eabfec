import { consume } from "./jobs/consume.ts";
import { runScheduled } from "./jobs/schedule.ts";
import { router } from "./router.ts";

export { CompanyHub } from "./live/company-hub.ts";
export { MachineState } from "./machine/machine-object.ts";

export default {
  fetch: router.fetch,
  scheduled: runScheduled,
  queue: consume,
} satisfies ExportedHandler<Env>;
