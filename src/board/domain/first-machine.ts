/**
 * The commands that create a machine and send its first count, with a token of an admin in TOKEN. They are run by a test.
 * @param origin the address of the service
 */
export const firstMachine = (origin: string): string => `API=${origin}
JSON='content-type: application/json'
ID=$(curl -s $API/v1/machines -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"name":"Press 1","ref":"PRESS-1","nodeId":1,"standardCycleSeconds":10,"commissionedAt":"'$(date -u +%Y-%m-%dT00:00:00Z)'"}' |
  sed 's/^{"id":\\([0-9]*\\).*/\\1/')
curl -s -X PUT $API/v1/machines/$ID/count-sensor -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"isCountEnabled":true,"configs":[{"type":"total","channel":1,"nodeId":1,"countingFactor":1}]}'
curl -s $API/v1/ingest -H "authorization: Bearer $TOKEN" -H "$JSON" \\
  -d '{"events":[{"type":"count","at":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","nodeId":1,"channel":1,"value":1}]}'`;
