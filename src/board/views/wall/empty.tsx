import "./empty.css";
import { wall } from "../../texts/wall.ts";

/** What a wall without machines shows. `isChoice`: its address asks for some machines or lines. */
export function Empty({ isChoice }: { isChoice: boolean }) {
  return isChoice ? <NoMachineChosen /> : <NoMachine />;
}

/** For a plant without machines: how to get the first one. */
function NoMachine() {
  const commands = `API=${location.origin}
JSON='content-type: application/json'
curl -s $API/v1/machines -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"name":"Press 1","ref":"PRESS-1","nodeId":1,"standardCycleSeconds":10}'
curl -s -X PATCH $API/backoffice/machines/count-sensors -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"added":[{"machineRef":"PRESS-1","isCountEnabled":true,
       "configs":[{"type":"total","channel":1,"nodeId":1,"countingFactor":1}]}],"updated":[],"deleted":[]}'
curl -s $API/v1/ingest -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"events":[{"type":"count","at":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","nodeId":1,"channel":1,"value":1}]}'`;
  return (
    <div class="wall-empty">
      <h2>{wall.noMachine}</h2>
      <p>{wall.noMachineHint}</p>
      <pre>{commands}</pre>
    </div>
  );
}

/** For an address that asks for machines or lines of which there are none. */
function NoMachineChosen() {
  return (
    <div class="wall-empty">
      <h2>{wall.noMachineChosen}</h2>
      <a class="button" href="/wall">
        {wall.showAll}
      </a>
    </div>
  );
}
