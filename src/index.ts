import { configureMachines } from "./jobs/configure-machines.ts";
import { router } from "./router.ts";

export { MachineState } from "./machine/machine-state.ts";

export default {
  fetch: router.fetch,
  scheduled: (_controller, env) => configureMachines(env),
} satisfies ExportedHandler<Env>;
