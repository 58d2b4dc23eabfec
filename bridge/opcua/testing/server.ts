import { OPCUACertificateManager } from "node-opcua-certificate-manager";
import {
  DataType,
  LogLevel,
  MessageSecurityMode,
  SecurityPolicy,
  type StatusCode,
  StatusCodes,
  setLogLevel,
  Variant,
  VariantArrayType,
} from "node-opcua-client";
import { OPCUAServer } from "node-opcua-server";

// A server with the variables of one line, in a process of its own, so that tests can kill and freeze it. It does what its parent sends it.
// `node server.ts PORT FOLDER`, started by fork().

setLogLevel(LogLevel.Emergency);
const [port = "0", folder = "."] = process.argv.slice(2);

const certificates = new OPCUACertificateManager({
  rootFolder: folder,
  automaticallyAcceptUnknownCertificate: process.env.TRUST_ALL !== undefined,
  disableFileWatchers: true,
});
await certificates.initialize();
const server = new OPCUAServer({
  hostname: "127.0.0.1",
  port: Number(port),
  serverCertificateManager: certificates,
  allowAnonymous: process.env.LOGIN === undefined,
  userManager: { isValidUser: (username: string, password: string) => username === "bridge" && password === "secret" },
  securityModes: [MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt],
  securityPolicies: [SecurityPolicy.None, SecurityPolicy.Basic256Sha256],
});
await server.initialize();

const { addressSpace } = server.engine;
if (!addressSpace) throw new Error("The server has no address space");
const space = addressSpace.getOwnNamespace();
const line = space.addObject({ organizedBy: addressSpace.rootFolder.objects, browseName: "Line1", nodeId: "s=Line1" });
const initial: [name: string, dataType: DataType, value: unknown][] = [
  ["Total", DataType.UInt32, 100],
  ["Big", DataType.UInt64, [1, 2]],
  ["Contact", DataType.Boolean, false],
  ["Delta", DataType.Int32, 0],
  ["State", DataType.String, "EXECUTE"],
  ["Broken", DataType.Null, null],
];
const scalar = (dataType: DataType, value: unknown) => new Variant({ dataType, arrayType: VariantArrayType.Scalar, value });
const variables = new Map(
  initial.map(([name, dataType, value]) => {
    const variable = space.addVariable({
      componentOf: line,
      browseName: name,
      nodeId: `s=Line1.${name}`,
      dataType: dataType === DataType.Null ? "Double" : DataType[dataType],
    });
    if (dataType !== DataType.Null) variable.setValueFromSource(scalar(dataType, value));
    return [name, variable] as const;
  }),
);
function write(name: string, value: unknown, status: StatusCode): void {
  const [, dataType = DataType.Null] = initial.find(([known]) => known === name) ?? [];
  variables.get(name)?.setValueFromSource(scalar(dataType, value), status);
}
const subscriptions = () => server.engine.getSessions().flatMap(({ publishEngine }) => publishEngine.subscriptions);

/** What the parent can ask for. */
const commands: Record<string, (name: string, value: unknown) => unknown> = {
  set: (name, value) => write(name, value, StatusCodes.Good),
  // With a value, as servers give the last one that they had.
  fail: (name, value) => write(name, value, StatusCodes.BadDeviceFailure),
  loseSubscriptions: () => {
    for (const subscription of subscriptions()) subscription.terminate();
  },
  loseItems: () => {
    for (const subscription of subscriptions())
      for (let id = 1; id < 1_000_000 && subscription.monitoredItemCount > 0; id += 1)
        if (subscription.getMonitoredItem(id)) subscription.removeMonitoredItem(id);
  },
  sessions: () => server.engine.cumulatedSessionCount,
  unacknowledged: () => subscriptions().reduce((sum, { unacknowledgedMessageCount }) => sum + unacknowledgedMessageCount, 0),
};

process.on("message", ({ command, name, value }: { command: string; name: string; value: unknown }) => {
  process.send?.({ result: commands[command]?.(name, value) ?? null });
});
process.on("disconnect", () => process.exit(0));
await server.start();
process.send?.({ result: "started" });
