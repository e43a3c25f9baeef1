import { expect, test } from "bun:test";
import fc from "fast-check";
import { rounds } from "../long.ts";
import type { OpenQuotaFixture } from "./quota-fixture.ts";

const hourMs = 3_600_000;
const start = Date.parse("2026-11-28T00:00:00Z");

/** What can happen to one account, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: -20, max: 30 }) }) },
  { weight: 1, arbitrary: fc.constant({ regenerate: true as const }) },
  { weight: 1, arbitrary: fc.record({ disabled: fc.boolean() }) },
);

/** What every adapter of `ControlStore` keeps to, whatever happens in whatever order. */
export function describeChargeProperties(openQuotaFixture: OpenQuotaFixture): void {
  test("used grows by one, is seen once per month, and never passes the limits", async () => {
    const limits = {
      callsPerMonth: fc.integer({ min: 1, max: 40 }),
      callsPerDay: fc.integer({ min: 1, max: 15 }),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(limits), fc.array(step, { maxLength: 40 }), async (own, steps) => {
        const fixture = await openQuotaFixture({ instant: new Date(start).toISOString() });
        let caller = await fixture.newCaller(own);
        let latestMs = 0;
        let clockMs = start;
        let isDisabled = false;
        const seen = { month: new Map<string, number>(), day: new Map<string, number>() };
        for (const event of steps) {
          if ("hours" in event) {
            clockMs += event.hours * hourMs;
            fixture.setClock(new Date(clockMs).toISOString());
          } else if ("regenerate" in event) {
            const identity = await fixture.accounts.authenticate(
              await fixture.accounts.regenerateKey(caller.email),
            );
            expect(identity === undefined).toBe(isDisabled);
            if (identity) caller = { ...caller, ...identity };
            else break;
          } else if ("disabled" in event) {
            isDisabled = event.disabled;
            await fixture.accounts.setDisabled(caller.email, isDisabled);
          } else {
            const charges = Array.from({ length: event.calls }, () => fixture.quota.charge(caller));
            const settled = await Promise.allSettled(charges);
            const counted = settled.flatMap((one) =>
              one.status === "fulfilled" ? [one.value] : [],
            );
            if (isDisabled) expect(counted).toEqual([]);
            if (counted.length > 0) latestMs = Math.max(latestMs, clockMs);
            const instant = new Date(Math.max(latestMs, clockMs)).toISOString();
            const names = { month: instant.slice(0, 7), day: instant.slice(0, 10) };
            for (const usage of counted) {
              expect(usage.quota.month).toBe(names.month);
              for (const window of ["month", "day"] as const) {
                const before = seen[window].get(names[window]) ?? 0;
                expect(usage[window].used).toBe(before + 1);
                seen[window].set(names[window], before + 1);
              }
            }
            const spent = [
              (seen.month.get(names.month) ?? 0) >= own.callsPerMonth,
              (seen.day.get(names.day) ?? 0) >= own.callsPerDay,
            ];
            // Whoever was refused was refused because a window is full, never with calls left.
            if (counted.length < event.calls && !isDisabled) expect(spent).toContain(true);
          }
        }
        for (const used of seen.month.values()) expect(used).toBeLessThanOrEqual(own.callsPerMonth);
        for (const used of seen.day.values()) expect(used).toBeLessThanOrEqual(own.callsPerDay);
        await fixture.control.close();
      }),
      { numRuns: rounds(60) },
    );
  });
}
