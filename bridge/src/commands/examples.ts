import type { SourceConfig } from "../sources/types.ts";

/** A source of each type, as `init` writes it: MACHINE is replaced. */
export const examples: Partial<Record<SourceConfig["type"], string>> = {
  simulator: `# A machine that does not exist, for trying Andon: one piece at every interval.
[[source]]
id = "simulator"
type = "simulator"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
every = "5s"
`,
  mqtt: `# A machine that publishes a running total to a broker: docs/mqtt.md.
[[source]]
id = "broker"
type = "mqtt"
host = "127.0.0.1"                 # the broker's address
# username = "andon"
# password_file = "broker.password"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
topic = "press-1/total"
# path = "$.total"                 # if the messages are JSON: where the value is
`,
  sparkplug: `# An edge node that speaks Sparkplug B: docs/mqtt.md. andon-bridge discover lists its metrics.
[[source]]
id = "sparkplug"
type = "sparkplug"
host = "127.0.0.1"                 # the broker's address
# username = "andon"
# password_file = "broker.password"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
group = "Plant"
node = "Edge1"
# device = "Press"                 # left out: the metric is the node's own
metric = "Counts/Total"
`,
  modbus: `# A counter of a controller: docs/modbus.md.
[[source]]
id = "modbus"
type = "modbus"
host = "10.0.0.17"                 # the controller's address
unit = 1
every = "1s"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
address = { holding = 100, words = 2, order = "ABCD" }
width = 32                         # the counter starts again at 0 after 32 bits
max_per_minute = 600               # more than that cannot have been made
`,
  mtconnect: `# A machine tool with an MTConnect agent: docs/mtconnect.md. andon-bridge discover lists its data items.
[[source]]
id = "mtconnect"
type = "mtconnect"
url = "http://10.0.0.20:5000"      # the agent's address

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon, whose signal is its states
kind = "state"
data_item = "execution"
states = "execution"
`,
  http: `# A device that sends what it counts: docs/http.md.
[[source]]
id = "http"
type = "http"
port = 8650
profile = "query"                  # a device sends GET /press-1?in1=123

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
path = "/press-1"
field = "in1"
`,
  files: `# CSV files that a machine or a program writes into a folder: docs/files.md.
[[source]]
id = "files"
type = "files"
folder = "csv"
time = "time"                      # the column with the time
zone = "UTC"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
column = "total"
`,
  opcua: `# Variables of an OPC UA server: docs/opcua.md. andon-bridge discover lists them.
[[source]]
id = "opcua"
type = "opcua"
endpoint = "opc.tcp://10.0.0.20:4840"

[[source.signal]]
machine = "MACHINE"                # the machine's reference in Andon
kind = "total"                     # the type of its count sensor: cycle, total, good, defect or rework
node = "ns=2;s=Line1.Total"
`,
};
