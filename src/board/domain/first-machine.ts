/** The command that sends a pulse of a channel now. The address and the token may be variables of the shell. */
export function countCommand(api: string, token: string, { nodeId, channel }: { nodeId: number; channel: number }): string {
  return `curl -s ${api}/v1/ingest -H "authorization: Bearer ${token}" -H "content-type: application/json" \\
  -d '{"events":[{"type":"count","at":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","nodeId":${nodeId},"channel":${channel},"value":1}]}'`;
}

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
${countCommand("$API", "$TOKEN", { nodeId: 1, channel: 1 })}`;
