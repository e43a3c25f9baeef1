import { describe, expect, spyOn, test } from "bun:test";
import { createThrottle } from "../../../src/accounts/sign-in/throttle.ts";
import { toNetworkKey } from "../../../src/network/ip-address.ts";
import { TestClock } from "../../appliance.ts";
import { goodPassword, openBrowser, openSignInAppliance, signedIn, visitorOf } from "./browser.ts";

describe("20 guessing is throttled without locking the owner out", () => {
  test("of 1,000 guesses of one address ten are looked at, and the owner signs in from another", async () => {
    const roster = await openSignInAppliance();
    await signedIn(roster, "ada@example.com");
    const guesser = openBrowser(roster, "198.51.100.7");
    const guess = (password: string) =>
      roster.signIn.signIn({ email: "ada@example.com", password }, guesser.from);
    // All at once, so that none waits until the others are counted.
    const outcomes = await Promise.all(Array.from({ length: 999 }, (_, n) => guess(`guess ${n}`)));
    const throttled = outcomes.filter((outcome) => !outcome.ok && outcome.retryAfterSeconds);
    expect(outcomes.some(({ ok }) => ok)).toBe(false);
    expect(throttled).toHaveLength(989);
    expect(throttled[0]).toMatchObject({
      message: expect.stringContaining("Try again in 15 minutes"),
    });
    // Even the right password is refused now.
    expect(await guess(goodPassword)).toMatchObject({ ok: false, retryAfterSeconds: 900 });
    const owner = openBrowser(roster, "203.0.113.9");
    const given = { email: "ada@example.com", password: goodPassword };
    expect(await roster.signIn.signIn(given, owner.from)).toMatchObject({ ok: true });
    roster.clock.advance(901);
    expect(await guess(goodPassword)).toMatchObject({ ok: true });
    await roster.close();
  });

  test("a browser that signed in before is let in behind a proxy that somebody else guesses from", async () => {
    const roster = await openSignInAppliance();
    const ada = await signedIn(roster, "ada@example.com");
    await signedIn(roster, "eve@example.com");
    const given = { email: "ada@example.com", password: goodPassword };
    const shutOut = async (from = ada.from) =>
      Array.fromAsync({ length: 11 }, () =>
        roster.signIn.signIn({ ...given, password: "x" }, from),
      );
    expect((await shutOut()).at(-1)).toMatchObject({ message: expect.stringContaining("network") });
    expect(await roster.signIn.signIn(given, ada.from)).toMatchObject({ ok: false });
    const known = { ...ada.from, request: ada.request() };
    expect(await roster.signIn.signIn(given, known)).toMatchObject({ ok: true });
    // The browser is known for this account only, its mark cannot be forged, and its guesses are limited too.
    const toEve = await roster.signIn.signIn({ ...given, email: "eve@example.com" }, known);
    expect(toEve).toMatchObject({ ok: false, retryAfterSeconds: 900 });
    const mark = ada.jar.get("roster-known") ?? "";
    for (const wrong of [
      mark.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      "x",
      `${mark}0`,
    ]) {
      const request = new Request(roster.config.publicUrl, {
        headers: { cookie: `roster-known=${wrong}` },
      });
      expect(await roster.signIn.signIn(given, { ...ada.from, request })).toMatchObject({
        ok: false,
        retryAfterSeconds: 900,
      });
    }
    expect((await shutOut(known)).at(-1)).toMatchObject({
      message: expect.stringContaining("in this browser"),
      retryAfterSeconds: 900,
    });
    await roster.close();
  });

  test("an unknown e-mail, a wrong password and an account without one cost the same work", async () => {
    const roster = await openSignInAppliance();
    await signedIn(roster, "ada@example.com");
    await roster.modules.accounts.createWithoutKey({ email: "new@example.com", plan: "free" });
    const { from } = openBrowser(roster);
    const verify = spyOn(Bun.password, "verify");
    for (const email of ["ada@example.com", "nobody@example.com", "new@example.com", "no e-mail"]) {
      verify.mockClear();
      const outcome = await roster.signIn.signIn({ email, password: "wrong otter" }, from);
      expect([email, outcome.ok, verify.mock.calls.length]).toEqual([email, false, 1]);
    }
    verify.mockRestore();
    await roster.close();
  });

  test("asking for the password again is throttled like signing in", async () => {
    const roster = await openSignInAppliance();
    const ada = await signedIn(roster, "ada@example.com");
    const visitor = await visitorOf(roster, ada);
    for (let n = 0; n < 10; n++) {
      expect(await roster.signIn.confirm(visitor, "wrong", ada.from)).toMatchObject({
        ok: false,
        field: "password",
      });
    }
    const outcome = await roster.signIn.confirm(visitor, goodPassword, ada.from);
    expect(outcome).toMatchObject({ ok: false, retryAfterSeconds: 900 });
    await roster.close();
  });
});

describe("the throttle", () => {
  const clock = () => new TestClock("2026-11-21T12:00:00Z");

  test("does not count what was right", () => {
    const throttle = createThrottle({ now: clock().now, missesMax: 2, windowSeconds: 60 });
    for (let n = 0; n < 10; n++) {
      expect(throttle.take({ address: "192.0.2.1" })).toBeUndefined();
      throttle.giveBack({ address: "192.0.2.1" });
    }
  });

  test("keeps so many networks in mind and no more; of a flood the oldest are forgotten", () => {
    const throttle = createThrottle({ now: clock().now, missesMax: 1, windowSeconds: 60 });
    const addressOf = (n: number) => ({ address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` });
    for (let n = 0; n <= 100_000; n++) throttle.take(addressOf(n));
    expect(throttle.take(addressOf(100_000))).toBe(60);
    expect(throttle.take(addressOf(0))).toBeUndefined();
  });

  test("counts anew in the next window, and tells when that begins", () => {
    const at = clock();
    const one = { address: "192.0.2.1" };
    const throttle = createThrottle({ now: at.now, missesMax: 2, windowSeconds: 60 });
    expect([1, 2, 3].map(() => throttle.take(one))).toEqual([undefined, undefined, 60]);
    at.advance(45);
    expect(throttle.take(one)).toBe(15);
    at.advance(15);
    expect(throttle.take(one)).toBeUndefined();
  });

  test("a site with an IPv6 /48 has ten times the guesses of a network, however many networks it has", () => {
    const throttle = createThrottle({ now: clock().now, missesMax: 10, windowSeconds: 60 });
    const guess = (address: string) => throttle.take({ address }) === undefined;
    const networks = Array.from({ length: 2000 }, (_, n) => `2001:db8:1:${n.toString(16)}::${n}`);
    expect(networks.filter(guess).length).toBe(100);
    // Refused guesses count neither in their own network nor for another site.
    expect(guess("2001:db8:2:1::1")).toBe(true);
    expect(guess("192.0.2.1")).toBe(true);
    const one = Array.from({ length: 20 }, (_, n) => `2001:db8:3:1::${n}`);
    expect(one.filter(guess).length).toBe(10);
    // 6to4 has the IPv4 address in the /48; a mapped one is that IPv4 address.
    expect(networks.map((_, n) => `2002:c000:201:${n}::1`).filter(guess).length).toBe(100);
    const mapped = [
      "::ffff:192.0.2.77",
      "::FFFF:C000:24D",
      "0:0:0:0:0:ffff:c000:024d",
      "192.0.2.77",
    ];
    expect(Array.from({ length: 40 }, (_, n) => mapped[n % 4] as string).filter(guess).length).toBe(
      10,
    );
  });

  test("makes answers late when an account is guessed at from everywhere, but by seconds only", () => {
    const throttle = createThrottle({ now: clock().now, missesMax: 1, windowSeconds: 60 });
    const delays = Array.from({ length: 200 }, () => throttle.miss("ada@example.com"));
    expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(delays[20]).toBeGreaterThan(0);
    expect(Math.max(...delays)).toBe(4000);
    expect(throttle.miss("eve@example.com")).toBe(0);
  });

  test.each([
    ["192.0.2.1", "::ffff:192.0.2.1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["2001:db8:1:2:3:4:5:6", "2001:0DB8:0001:0002::9", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["fe80::1%eth0", "fe80::2", true],
    ["::1", "0.0.0.1", false],
    [undefined, "no address", true],
  ])("%p and %p are of one network: %p", (one, other, isSame) => {
    expect(toNetworkKey(one) === toNetworkKey(other)).toBe(isSame);
  });
});
