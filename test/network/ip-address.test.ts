/** The oracle is the platform's own `node:net`. */
import { describe, expect, test } from "bun:test";
import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { isWithin, parseIp, parseNetwork } from "../../src/network/ip-address.ts";
import { rounds } from "../long.ts";

describe("readIp", () => {
  const piece = fc.constantFrom(
    ...["0", "1", "255", "256", "01", "ffff", "::", ":", ".", "db8", "g", "%", "/", " "],
  );
  const anyText = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string(),
    fc.array(piece).map((parts) => parts.join("")),
  );

  test("takes every address, and nothing that is none", () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => parseIp(text) !== undefined));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseIp(text) !== undefined && isIP(text) === 0).toBe(false);
      }),
      { numRuns: rounds(3000) },
    );
  });

  // The platform's own function lets some of these through.
  test.each([
    ...["", "::.", ":: ", "::%", "::0:", ":1::", "1::2::3", "1:2:3:4:5:6:7:8::", "1:2:3:4:5:6:7"],
    ...["::g", "01.2.3.4", "1.2.3", "1.2.3.256", "::1.2.3.4:5"],
  ])("%p is no address", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  test.each([
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:DB8::1", "2001:0db8:0:0:0:0:0:1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("%p is %p", (one, other) => {
    expect(parseIp(one)).toEqual(parseIp(other) as NonNullable<ReturnType<typeof parseIp>>);
  });
});

describe("isWithin", () => {
  const within = (address: string, network: string) => {
    const [ip, of] = [parseIp(address), parseNetwork(network)];
    return ip !== undefined && of !== undefined && isWithin(ip, of);
  };

  test("says what the platform says", () => {
    const four = fc.tuple(
      fc.ipV4(),
      fc.ipV4(),
      fc.integer({ min: 0, max: 32 }),
      fc.constant("ipv4" as const),
    );
    const six = fc.tuple(
      fc.ipV6(),
      fc.ipV6(),
      fc.integer({ min: 0, max: 128 }),
      fc.constant("ipv6" as const),
    );
    fc.assert(
      fc.property(fc.oneof(four, six), ([address, network, bits, family]) => {
        // Mapped addresses are ours to read as IPv4.
        fc.pre(
          family === "ipv4" || (parseIp(address)?.family === 6 && parseIp(network)?.family === 6),
        );
        const list = new BlockList();
        list.addSubnet(network, bits, family);
        expect(within(address, `${network}/${bits}`)).toBe(list.check(address, family));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test.each([
    ...["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "proxy", "", "/8", "10.0.0.0/-1"],
  ])("%p is no network", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
