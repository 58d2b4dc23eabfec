import { expect, it } from "vitest";
import { networkOf } from "../../src/http/network.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:DB8:0:a::1", "2001:db8:0:a::/64"],
  ["2001:db8:0:a:ffff:1:2:3", "2001:db8:0:a::/64"],
  ["2001:db8::a:0:0:0:1", "2001:db8:0:a::/64"],
  ["2001:0db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["local", "local"],
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
