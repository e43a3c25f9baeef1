import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { rounds } from "../long.ts";
import { type OpenQuotaFixture, refusalOf } from "./quota-fixture.ts";

const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
const withKey = (key: string, request = "r", calls = 1) => ({
  calls,
  repeatable: { key: digest(key), request: digest(request) },
});

/** What every adapter of `ControlStore` keeps to for calls that cost several, and for calls with an Idempotency-Key. */
export function describeRepeats(openQuotaFixture: OpenQuotaFixture): void {
  describe("calls that cost several", () => {
    test("are counted as a whole or not at all, and the refusal says what is left and needed", async () => {
      const { quota, newCaller } = await openQuotaFixture();
      const caller = await newCaller({ callsPerMonth: 10 });
      expect((await quota.charge({ ...caller, calls: 7 })).month.used).toBe(7);
      const refusal = await refusalOf(quota.charge({ ...caller, calls: 4 }));
      expect([refusal.code, refusal.message]).toEqual([
        "quota_exceeded",
        "This costs 4 calls, and the monthly call quota has 3 of 10 left; it resets at 2026-12-01T00:00:00Z.",
      ]);
      expect((await quota.usage(caller)).day.used).toBe(7);
      expect((await quota.charge({ ...caller, calls: 3 })).quota.used).toBe(10);
      expect((await refusalOf(quota.charge({ ...caller, calls: 2 }))).message).toContain(
        "exceeded",
      );
    });

    test("leave what they do not get to the others of the same moment", async () => {
      const { quota, newCaller } = await openQuotaFixture();
      const caller = await newCaller({ callsPerMonth: 10, callsPerDay: "unlimited" });
      const wanted = [6, 1, 6, 1, 1, 1, 1];
      const settled = await Promise.allSettled(
        wanted.map((calls) => quota.charge({ ...caller, calls })),
      );
      const isCounted = (at: number) => settled[at]?.status === "fulfilled";
      const sum = wanted.reduce((all, calls, at) => all + (isCounted(at) ? calls : 0), 0);
      expect((await quota.usage(caller)).month.used).toBe(sum);
      expect(sum).toBeLessThanOrEqual(10);
      // Nobody was refused who still fits.
      const refused = wanted.filter((_, at) => !isCounted(at));
      expect(sum + Math.min(...refused)).toBeGreaterThan(10);
    });
  });

  describe("calls with an Idempotency-Key", () => {
    test("count once in ten minutes, also with a spent quota", async () => {
      const { quota, newCaller, setClock } = await openQuotaFixture({
        instant: "2026-11-21T12:00:00Z",
      });
      const caller = await newCaller({ callsPerMonth: 3 });
      const charge = async (calls: number) => {
        const { quota: counts, isRepeat } = await quota.charge({
          ...caller,
          ...withKey("k", "r", calls),
        });
        return [counts.used, isRepeat];
      };
      expect(await charge(3)).toEqual([3, undefined]);
      expect(await charge(3)).toEqual([3, true]);
      expect((await refusalOf(quota.charge({ ...caller, ...withKey("other") }))).code).toBe(
        "quota_exceeded",
      );
      setClock("2026-11-21T12:09:59Z");
      expect(await charge(1)).toEqual([3, true]);
      setClock("2026-11-21T12:10:00Z");
      expect((await refusalOf(quota.charge({ ...caller, ...withKey("k") }))).code).toBe(
        "quota_exceeded",
      );
    });

    test("are refused with another request, and belong to their account", async () => {
      const { quota, newCaller } = await openQuotaFixture();
      const [ada, ben] = [await newCaller(), await newCaller()];
      await quota.charge({ ...ada, ...withKey("k") });
      const refused = quota.charge({ ...ada, ...withKey("k", "another") });
      expect(await refusalOf(refused)).toMatchObject({ code: "invalid_request", status: 422 });
      expect((await quota.charge({ ...ben, ...withKey("k", "another") })).quota.used).toBe(1);
      expect((await quota.usage(ada)).quota.used).toBe(1);
    });

    test("of a refused call are free for another request", async () => {
      const { accounts, quota, newCaller } = await openQuotaFixture();
      const caller = await newCaller({ callsPerMonth: 2 });
      expect((await refusalOf(quota.charge({ ...caller, ...withKey("k", "r", 3) }))).code).toBe(
        "quota_exceeded",
      );
      expect((await quota.charge({ ...caller, ...withKey("k", "smaller", 2) })).quota.used).toBe(2);
      await accounts.regenerateKey(caller.email);
      // A revoked key gets no repeat.
      const late = quota.charge({ ...caller, ...withKey("k", "smaller", 2) });
      expect((await refusalOf(late)).code).toBe("unauthorized");
    });

    test("at once: whatever the order, each key counts once and no limit is passed", async () => {
      const one = fc.record({
        key: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }),
        calls: fc.constantFrom(1, 1, 2, 5),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 20 }),
          fc.array(fc.array(one, { maxLength: 10 }), { maxLength: 4 }),
          async (callsPerMonth, turns) => {
            const fixture = await openQuotaFixture();
            const { quota } = fixture;
            const caller = await fixture.newCaller({ callsPerMonth });
            const costs = new Map<string, number>();
            let expected = 0;
            for (const turn of turns) {
              const settled = await Promise.allSettled(
                turn.map(({ key, calls }) =>
                  quota.charge({
                    ...caller,
                    ...(key ? withKey(key, `${calls}`, calls) : { calls }),
                  }),
                ),
              );
              for (const [at, { status }] of settled.entries()) {
                const { key, calls } = turn[at] as (typeof turn)[number];
                if (status === "rejected") continue;
                if (key === undefined) expected += calls;
                else if (!costs.has(key)) {
                  costs.set(key, calls);
                  expected += calls;
                } else expect(costs.get(key)).toBe(calls);
              }
              const { month } = await quota.usage(caller);
              expect(month.used).toBe(expected);
              expect(month.used).toBeLessThanOrEqual(callsPerMonth);
            }
            await fixture.control.close();
          },
        ),
        { numRuns: rounds(40) },
      );
    });
  });
}
