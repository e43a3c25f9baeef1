import { describe, expect, test } from "bun:test";
import {
  createClientAddress,
  warnOfUnnamedProxies,
} from "../../../src/interfaces/http/client-address.ts";
import { openTestAppliance } from "../../appliance.ts";

const request = (forwarded?: string) =>
  new Request("http://127.0.0.1/", {
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  });

describe("37 the client's address", () => {
  test("is the socket's, whatever the header says, while no proxy is named", () => {
    const address = createClientAddress([], () => undefined);
    expect(address(request("1.2.3.4"), "192.0.2.1")).toBe("192.0.2.1");
    expect(address(request("1.2.3.4"), "127.0.0.1")).toBe("127.0.0.1");
    expect(address(request("1.2.3.4"), undefined)).toBeUndefined();
    expect(address(request(), "::ffff:192.0.2.1")).toBe("192.0.2.1");
  });

  const behind = createClientAddress(["10.0.0.0/8", "::1", "fd00::/8"], () => undefined);

  test.each([
    ["10.0.0.7", "203.0.113.9", "203.0.113.9"],
    ["::ffff:10.0.0.7", "203.0.113.9", "203.0.113.9"],
    ["::1", "2001:db8::9", "2001:db8::9"],
    ["fd00::5", "203.0.113.9", "203.0.113.9"],
    // The client's own tale stands left of what the proxy appended.
    ["10.0.0.7", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["10.0.0.7", "1.1.1.1, 203.0.113.9, 10.0.0.8", "203.0.113.9"],
    ["10.0.0.7", "10.0.0.9, 10.0.0.8", "10.0.0.9"],
    ["10.0.0.7", "203.0.113.9:51234", "203.0.113.9"],
    ["10.0.0.7", "[2001:db8::9]:51234", "2001:db8::9"],
    ["10.0.0.7", "unknown", "10.0.0.7"],
    ["10.0.0.7", "203.0.113.9, unknown", "10.0.0.7"],
    ["10.0.0.7", "", "10.0.0.7"],
    ["10.0.0.7", undefined, "10.0.0.7"],
    ["192.0.2.1", "203.0.113.9", "192.0.2.1"],
  ])("through the proxy %p with %p is %p", (peer, forwarded, client) => {
    expect(behind(request(forwarded), peer)).toBe(client);
  });
});

describe("a proxy that nobody named", () => {
  test("is told of with its address and the setting, once an hour; a named one and a plain client are not", () => {
    const lines: [object, string][] = [];
    let at = 0;
    const hear = warnOfUnnamedProxies(
      { warn: (...line: [object, string]) => lines.push(line) },
      () => at,
    );
    const address = createClientAddress(["10.0.0.0/8"], hear);
    address(request("203.0.113.9"), "10.0.0.7");
    address(request(), "192.0.2.1");
    expect(lines).toEqual([]);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip"]) {
      const headers = { [name]: "203.0.113.9" };
      address(new Request("http://127.0.0.1/", { headers }), "::ffff:192.0.2.1");
      expect(lines).toEqual([
        [
          { peer: "192.0.2.1", setting: "trustedProxies" },
          expect.stringContaining("trustedProxies does not name"),
        ],
      ]);
    }
    at = 3_600_000;
    address(request("203.0.113.9"), "192.0.2.2");
    expect(lines[1]?.[0]).toMatchObject({ peer: "192.0.2.2" });
  });

  test("is told of by a server that listens", async () => {
    const roster = await openTestAppliance({ people: [] });
    const origin = roster.listen();
    const headers = { "x-forwarded-for": "203.0.113.9" };
    for (const path of ["/sign-in", "/"]) await fetch(`${origin}${path}`, { headers });
    expect(roster.log().split("trustedProxies does not name").length - 1).toBe(1);
    expect(roster.log()).toContain('"peer":"127.0.0.1"');
    await roster.close();
  });
});
