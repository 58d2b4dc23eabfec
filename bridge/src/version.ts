import { readFileSync } from "node:fs";

/** The version of the package: of the bundle and of the source, package.json is in the folder above. */
export const version: string = JSON.parse(readFileSync(`${import.meta.dirname}/../package.json`, "utf8")).version;
