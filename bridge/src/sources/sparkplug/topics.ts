import type { SparkplugConfig } from "./config.ts";

export const NAMESPACE = "spBv1.0";

/** The nodes of the configuration, each once. */
export function nodeNames({ signal }: SparkplugConfig): string[] {
  return [...new Set(signal.map(({ group, node }) => `${group}/${node}`))];
}

/** All that a node and its devices publish. */
export function filterOf(name: string): string {
  return name.replace("/", "/+/").replace(/^/, `${NAMESPACE}/`).concat("/#");
}

export function commandTopic(name: string): string {
  return `${NAMESPACE}/${name.replace("/", "/NCMD/")}`;
}

/** The node that published on a topic. */
export function nameOf(topic: string): string {
  const [, group, , node] = topic.split("/");
  return `${group}/${node}`;
}
