import { describe, expect, spyOn, test } from "bun:test";
import { createThrottle } from "../../../src/accounts/sign-in/throttle.ts";
import { toNetworkKey } from "../../../src/network/ip-address.ts";
import { TestClock } from "../../appliance.ts";
import { goodPassword, openBrowser, openSignInAppliance, signedIn } from "./browser.ts";

describe("20 guessing is throttled without locking the owner out", () => {
  test("of 1,000 guesses of one address ten are looked at, and the owner signs in from another", async () => {
    const roster = await openSignInAppliance();
    await signedIn(roster, "ada@example.com");
    const guesser = openBrowser(roster, "198.51.100.7");
    const guess = (password: string) =>
      roster.signIn.signIn({ email: "ada@example.com", password }, guesser.from);
    // At once, as somebody would who wants to slip past the count.
    const outcomes = await Promise.all(Array.from({ length: 999 }, (_, n) => guess(`guess ${n}`)));
    const throttled = outcomes.filter((outcome) => !outcome.ok && outcome.retryAfterSeconds);
    expect(outcomes.some(({ ok }) => ok)).toBe(false);
    expect(throttled).toHaveLength(989);
    expect(throttled[0]).toMatchObject({
      message: expect.stringContaining("Try again in 15 minutes"),
    });
    // Even the right one is not looked at any more.
    expect(await guess(goodPassword)).toMatchObject({ ok: false, retryAfterSeconds: 900 });
    const owner = openBrowser(roster, "203.0.113.9");
    const given = { email: "ada@example.com", password: goodPassword };
    expect(await roster.signIn.signIn(given, owner.from)).toMatchObject({ ok: true });
    roster.clock.advance(901);
    expect(await guess(goodPassword)).toMatchObject({ ok: true });
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
    const visitor = await roster.signIn.visitor(ada.request());
    if (!visitor) throw new Error("not signed in");
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
      expect(throttle.take("192.0.2.1")).toBeUndefined();
      throttle.giveBack("192.0.2.1");
    }
  });

  test("keeps so many networks in mind and no more; of a flood the oldest are forgotten", () => {
    const throttle = createThrottle({ now: clock().now, missesMax: 1, windowSeconds: 60 });
    const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n <= 100_000; n++) throttle.take(addressOf(n));
    expect(throttle.take(addressOf(100_000))).toBe(60);
    expect(throttle.take(addressOf(0))).toBeUndefined();
  });

  test("counts anew in the next window, and tells when that begins", () => {
    const at = clock();
    const throttle = createThrottle({ now: at.now, missesMax: 2, windowSeconds: 60 });
    expect([1, 2, 3].map(() => throttle.take("192.0.2.1"))).toEqual([undefined, undefined, 60]);
    at.advance(45);
    expect(throttle.take("192.0.2.1")).toBe(15);
    at.advance(15);
    expect(throttle.take("192.0.2.1")).toBeUndefined();
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
