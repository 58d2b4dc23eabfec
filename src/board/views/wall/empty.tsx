import "./empty.css";
import { wall } from "../../texts/wall.ts";

/** Shown on a wall without machines. `isChoice`: its address selects machines or lines. */
export function Empty({ isChoice }: { isChoice: boolean }) {
  return isChoice ? <NoMachineChosen /> : <NoMachine />;
}

/** For a plant without machines: how to get the first one. */
function NoMachine() {
  const commands = `API=${location.origin}
JSON='content-type: application/json'
ID=$(curl -s $API/v1/machines -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"name":"Press 1","ref":"PRESS-1","nodeId":1,"standardCycleSeconds":10,"commissionedAt":"'$(date -u +%Y-%m-%dT00:00:00Z)'"}' |
  sed 's/^{"id":\\([0-9]*\\).*/\\1/')
curl -s -X PUT $API/v1/machines/$ID/count-sensor -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"isCountEnabled":true,"configs":[{"type":"total","channel":1,"nodeId":1,"countingFactor":1}]}'
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

/** For an address that selects machines or lines that do not exist. */
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
