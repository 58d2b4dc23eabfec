import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { Source } from "../../src/sources/source.ts";
import { check } from "./check.ts";
import { discover } from "./discover.ts";
import { run } from "./follow.ts";

/** The OPC UA source of andon-bridge, which loads this package where it is installed. */
export function opcuaSource(config: OpcuaConfig): Source {
  return {
    run: (context) => run(config, context),
    check: (abort) => check(config, abort),
    discover: (abort, forMs) => discover(config, abort, forMs),
  };
}
