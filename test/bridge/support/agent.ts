import { createServer, type Server, type ServerResponse } from "node:http";

/** How the agent sends endless answers: each part with its length, or without, or not at all, so that it has to be asked again. */
type Style = "with lengths" | "without lengths" | "single answers";

interface Recorded {
  sequence: number;
  item: string;
  value: string;
  at: string;
}

const dataItems = [
  { id: "mode1", name: "controllermode", category: "EVENT", type: "CONTROLLER_MODE", element: "ControllerMode" },
  { id: "exec1", name: "execution", category: "EVENT", type: "EXECUTION", element: "Execution" },
  { id: "parts1", name: "partcount", category: "EVENT", type: "PART_COUNT", element: "PartCount" },
  { id: "load1", name: "load", category: "SAMPLE", type: "LOAD", element: "Load" },
];

/** An MTConnect agent that exists only in tests: a bounded buffer of observations, and documents written by hand. */
export async function startAgent({ style = "with lengths" as Style, buffer = 1000, port = 0, isVersion1 = false } = {}) {
  let instance = 1_480_000_000;
  let next = 1;
  let kept: Recorded[] = [];
  let current = new Map<string, Recorded>();
  /** Replaces the sequence that /sample says to go on at. */
  let absurdNext: string | null = null;
  const requests: string[] = [];
  const streams = new Set<ServerResponse>();
  let isFrozen = false;
  let isChased = false;

  const add = (item: string, value: string, at = new Date().toISOString()) => {
    const recorded = { sequence: next, item, value, at };
    next += 1;
    kept = [...kept, recorded].slice(-buffer);
    current.set(item, recorded);
  };
  for (const { id } of dataItems) add(id, "UNAVAILABLE");

  const first = () => kept[0]?.sequence ?? next;
  const header = (nextSequence: number | string) =>
    `<Header creationTime="${new Date().toISOString()}" instanceId="${instance}" version="${isVersion1 ? "1.3.0.9" : "2.2.0.1"}" bufferSize="${buffer}" firstSequence="${first()}" lastSequence="${next - 1}" nextSequence="${nextSequence}"/>`;
  const element = ({ item, value, at, sequence }: Recorded) => {
    const { element: tag, name } = dataItems.find(({ id }) => id === item) ?? { element: "Unknown", name: "" };
    return `<${tag} dataItemId="${item}" name="${name}" sequence="${sequence}" timestamp="${at}">${value.replaceAll("&", "&amp;")}</${tag}>`;
  };
  const document = (observations: readonly Recorded[], nextSequence: number | string) => {
    const inGroup = (isSample: boolean) =>
      observations.filter(({ item }) => (item === "load1") === isSample).map((recorded) => element(recorded));
    return `<?xml version="1.0" encoding="UTF-8"?>
<MTConnectStreams xmlns="urn:mtconnect.org:MTConnectStreams:${isVersion1 ? "1.3" : "2.2"}">${header(nextSequence)}<Streams><DeviceStream name="Mazak01" uuid="mazak-01"><ComponentStream component="Path" componentId="path1"><Samples>${inGroup(true).join("")}</Samples><Events>${inGroup(false).join("")}</Events><Condition><Fault dataItemId="exec1" name="execution" sequence="${next - 1}" timestamp="2016-12-28T00:00:00Z" type="SYSTEM">not a value</Fault></Condition></ComponentStream></DeviceStream></Streams></MTConnectStreams>`;
  };
  const failure = (code: string, text: string) =>
    `<?xml version="1.0"?><MTConnectError xmlns="urn:mtconnect.org:MTConnectError:1.3">${header(next)}<Errors>${
      isVersion1
        ? `<Error errorCode="${code}">${text}</Error>`
        : `<OutOfRange errorCode="${code}"><ErrorMessage>${text}</ErrorMessage></OutOfRange>`
    }</Errors></MTConnectError>`;
  const probe = () =>
    `<MTConnectDevices>${header(next)}<Devices><Device id="d1" name="Mazak01" uuid="mazak-01"><DataItems>${dataItems
      .map(({ id, name, category, type }) => `<DataItem id="${id}" name="${name}" category="${category}" type="${type}"/>`)
      .join("")}</DataItems></Device></Devices></MTConnectDevices>`;

  /** The next observations from a sequence on, and where it goes on after them. */
  const sample = (from: number, count: number) => {
    const found = kept.filter(({ sequence }) => sequence >= from).slice(0, count);
    const after = (found.at(-1)?.sequence ?? next - 1) + 1;
    return { text: document(found, absurdNext ?? after), after };
  };

  const answer = (response: ServerResponse, text: string, status = 200) => {
    response.writeHead(status, { "content-type": "text/xml" }).end(text);
  };

  function stream(response: ServerResponse, begin: number, count: number, interval: number, heartbeat: number): void {
    streams.add(response);
    response.writeHead(200, { "content-type": 'multipart/x-mixed-replace; boundary="mark"' }).flushHeaders();
    let from = begin;
    let sentAt = 0;
    const timer = setInterval(() => {
      if (isFrozen || (from >= next && Date.now() - sentAt < heartbeat)) return;
      const { text, after } = sample(from, count);
      from = after;
      sentAt = Date.now();
      const length = style === "with lengths" ? `Content-length: ${Buffer.byteLength(text)}\r\n` : "";
      const part = `--mark\r\nContent-type: text/xml\r\n${length}\r\n${text}\r\n`;
      // In two pieces, as networks do.
      response.write(part.slice(0, part.length / 3));
      setImmediate(() => response.write(part.slice(part.length / 3)));
    }, interval);
    response.on("close", () => {
      clearInterval(timer);
      streams.delete(response);
    });
  }

  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://agent");
    requests.push(request.url ?? "");
    if (pathname === "/probe") return answer(response, probe());
    if (pathname === "/current") {
      answer(response, document([...current.values()], next));
      // All that the answer says of the buffer is past before anything can be asked of it.
      for (let count = 0; isChased && count <= buffer; count += 1) add("parts1", String(next));
      return;
    }
    const from = Number(searchParams.get("from"));
    if (from < first() || from > next) {
      return answer(response, failure("OUT_OF_RANGE", `'from' must be between ${first()} and ${next}`), isVersion1 ? 200 : 404);
    }
    const count = Number(searchParams.get("count"));
    if (style === "single answers") return answer(response, sample(from, count).text);
    stream(response, from, count, Number(searchParams.get("interval")), Number(searchParams.get("heartbeat")));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : 0;
  const cut = () => {
    for (const response of streams) response.destroy();
  };

  return {
    url: `http://127.0.0.1:${listening}`,
    requests,
    add,
    /** Ends all answers. With true, it stops sending and keeps the connections open. */
    freeze: (isOn: boolean) => {
      isFrozen = isOn;
    },
    cut,
    /** Its buffer is full and moves on whenever it is asked. */
    chase: () => {
      isChased = true;
    },
    sayNext: (text: string | null) => {
      absurdNext = text;
    },
    /** The agent is started again: it has a new instanceId, and knows nothing from before. */
    restart: () => {
      instance += 1;
      next = 1;
      kept = [];
      current = new Map();
      for (const { id } of dataItems) add(id, "UNAVAILABLE");
      cut();
    },
    stop: () =>
      new Promise((resolve) => {
        cut();
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
