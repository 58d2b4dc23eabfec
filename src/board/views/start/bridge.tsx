import { may } from "../../data/may.ts";
import { PairGateway } from "../../form/pair-gateway.tsx";
import { gateways as t } from "../../texts/gateways.ts";

/** How a bridge is connected, which reads machines that send nothing by themselves. */
export function Bridge() {
  if (!may("gateways:write")) return null;
  return (
    <section aria-labelledby="bridge">
      <h3 id="bridge">{t.pair.title}</h3>
      <p class="quiet">{t.pair.hint}</p>
      <PairGateway hasSignals />
    </section>
  );
}
