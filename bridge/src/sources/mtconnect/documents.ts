import { SaxesParser } from "saxes";

/** One value of a data item, as an agent recorded it. */
export interface Observation {
  dataItem: string;
  name: string | null;
  sequence: bigint;
  /** Epoch ms; null: the agent gave no time that can be read. */
  at: number | null;
  value: string;
}

/** What an agent says of itself in each document. */
export interface Header {
  /** Another one after each start of the agent, whose sequences begin anew. */
  instance: string;
  first: bigint;
  last: bigint;
  next: bigint;
  /** When it made the document, by its own clock. */
  createdAt: number | null;
}

export interface DataItem {
  id: string;
  name: string | null;
  category: string;
  type: string;
  device: string;
}

/** A document of an agent, of the versions 1.x and 2.x: streams, devices or an error. */
export interface AgentDocument {
  header: Header | null;
  observations: Observation[];
  dataItems: DataItem[];
  /** Its code, "OUT_OF_RANGE", and its text. */
  error: { code: string; text: string } | null;
}

type Attributes = Record<string, string>;
type Element = { name: string; attributes: Attributes; text: string; hasChildren: boolean };

/** @throws Error if the text is not XML, or no document of an agent */
export function readDocument(text: string): AgentDocument {
  const parser = new SaxesParser();
  const document: AgentDocument = { header: null, observations: [], dataItems: [], error: null };
  const path: Element[] = [];
  let root = "";
  parser.on("error", (error) => {
    throw new Error(`the answer is no XML: ${error.message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const above = path.at(-1);
    if (above) above.hasChildren = true;
    const plain = plainName(name);
    if (path.length === 0) root = plain;
    path.push({ name: plain, attributes, text: "", hasChildren: false });
  });
  parser.on("text", (part) => addText(path, part));
  parser.on("cdata", (part) => addText(path, part));
  parser.on("closetag", () => {
    const element = path.pop();
    if (element) take(document, root, path, element);
  });
  parser.write(text).close();
  if (!root.startsWith("MTConnect")) throw new Error(`the answer is no document of an MTConnect agent, but <${root}>`);
  return document;
}

/** Extensions have names such as `x:PartCount`. */
function plainName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function addText(path: readonly Element[], part: string): void {
  const element = path.at(-1);
  if (element) element.text += part;
}

function take(document: AgentDocument, root: string, path: readonly Element[], element: Element): void {
  const { name, attributes, text } = element;
  if (name === "Header" && path.length === 1) document.header = headerOf(attributes);
  else if (attributes.errorCode !== undefined) document.error ??= { code: attributes.errorCode, text: text.trim() };
  // Version 2.6 and later have the text in an element of its own.
  else if (name === "ErrorMessage" && document.error === null) {
    document.error = { code: path.at(-1)?.attributes.errorCode ?? "", text: text.trim() };
  } else if (root === "MTConnectStreams") takeObservation(document, path, element);
  else if (root === "MTConnectDevices" && name === "DataItem") document.dataItems.push(dataItemOf(path, attributes));
}

function headerOf({ instanceId = "", firstSequence, lastSequence, nextSequence, creationTime = "" }: Attributes): Header {
  return {
    instance: instanceId,
    first: sequenceOf(firstSequence),
    last: sequenceOf(lastSequence),
    next: sequenceOf(nextSequence),
    createdAt: instantOf(creationTime),
  };
}

/** Samples and events. A condition is no value, and a set of values (with an element for each) is not one. */
function takeObservation(document: AgentDocument, path: readonly Element[], { attributes, text, hasChildren }: Element): void {
  const { dataItemId, name, sequence, timestamp = "" } = attributes;
  const isValue = path.at(-1)?.name === "Samples" || path.at(-1)?.name === "Events";
  if (!isValue || dataItemId === undefined || hasChildren) return;
  document.observations.push({
    dataItem: dataItemId,
    name: name ?? null,
    sequence: sequenceOf(sequence),
    at: instantOf(timestamp),
    value: text.trim(),
  });
}

function dataItemOf(path: readonly Element[], { id = "", name, category = "", type = "" }: Attributes): DataItem {
  const device = path.find((element) => element.name === "Device")?.attributes.name ?? "";
  return { id, name: name ?? null, category, type, device };
}

function sequenceOf(text: string | undefined): bigint {
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
}

/** Times of agents are UTC; some leave out the Z. */
function instantOf(text: string): number | null {
  const at = Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? null : at;
}
