import { describe, expect, test } from "bun:test";
import type { ControlEvents } from "../../src/control/control-store.ts";
import { type OpenQuotaFixture, refusalOf } from "./quota-fixture.ts";

/** What every adapter of `ControlStore` does as windows roll over and clocks step back. */
export function describeRollover(openQuotaFixture: OpenQuotaFixture): void {
  describe("windows roll over", () => {
    test.each([
      ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2027-01"],
      ["2028-02-29T23:59:59.999Z", "2028-03-01T00:00:00.000Z", "2028-03"],
    ])("an account spent at %s is open at %s", async (last, first, month) => {
      const fixture = await openQuotaFixture({ instant: last });
      const caller = await fixture.newCaller({ callsPerMonth: 3, callsPerDay: 3 });
      expect(await fixture.chargeAtOnce(caller, 4)).toEqual([1, 2, 3, "quota_exceeded"]);
      fixture.setClock(first);
      await fixture.quota.refuseIfExhausted(caller);
      expect(await fixture.chargeAtOnce(caller, 4)).toEqual([1, 2, 3, "quota_exceeded"]);
      expect((await fixture.quota.usage(caller)).quota.month).toBe(month);
    });

    test("a new day with the month spent stays refused until the month's end", async () => {
      const fixture = await openQuotaFixture({ instant: "2026-11-29T12:00:00Z" });
      const caller = await fixture.newCaller({ callsPerMonth: 1, callsPerDay: 1 });
      await fixture.quota.charge(caller);
      fixture.setClock("2026-11-30T12:00:00Z");
      const refusal = await refusalOf(fixture.quota.charge(caller));
      expect(refusal.message).not.toContain("daily");
      expect(refusal.retryAfterSeconds).toBe(43_200);
    });

    test("windows older than thirteen months go when a new day begins", async () => {
      const fixture = await openQuotaFixture({ instant: "2026-11-21T12:00:00Z" });
      const caller = await fixture.newCaller();
      await fixture.chargeAtOnce(caller, 3);
      fixture.setClock("2027-12-31T12:00:00Z");
      await fixture.quota.charge(caller);
      const terms = {
        plans: { pro: { callsPerMonth: 1000, callsPerDay: 2000 } },
        trial: undefined,
      };
      const usedIn = async (instant: string) => {
        await fixture.control.acceptClock({
          ...{ at: new Date(instant), actor: "test", action: "clock.accepted" },
          ...{ subject: "clock", detail: {} },
        });
        const [usage] = await fixture.control.usages([caller.accountId], new Date(instant), terms);
        return usage?.month.used;
      };
      expect(await usedIn("2026-11-21T12:00:00Z")).toBe(3);
      fixture.setClock("2028-01-01T12:00:00Z");
      await fixture.quota.charge(caller);
      expect(await usedIn("2026-11-21T12:00:00Z")).toBe(0);
      expect(await usedIn("2027-12-31T12:00:00Z")).toBe(1);
    });
  });

  describe("a clock that steps back", () => {
    async function listening() {
      const steps: { seconds: number; fault: string | undefined }[] = [];
      const events: ControlEvents = { clockSteppedBack: (step) => steps.push(step) };
      return {
        steps,
        fixture: await openQuotaFixture({ instant: "2026-12-01T00:30:00Z", events }),
      };
    }

    test("by up to 25 hours stays in the later window, and is told once", async () => {
      const { steps, fixture } = await listening();
      const caller = await fixture.newCaller({ callsPerMonth: 2 });
      await fixture.quota.charge(caller);
      fixture.setClock("2026-11-30T23:30:00Z");
      expect((await fixture.quota.charge(caller)).quota).toMatchObject({
        used: 2,
        month: "2026-12",
      });
      const refusal = await refusalOf(fixture.quota.charge(caller));
      expect(refusal.retryAfterSeconds).toBe(31 * 86_400 + 1800);
      expect(steps).toEqual([{ seconds: 3600, fault: undefined }]);
      expect(await fixture.control.clockFault(new Date("2026-11-30T23:30:00Z"))).toBeUndefined();
      await fixture.quota.acceptClock();
      expect((await fixture.quota.usage(caller)).quota).toMatchObject({
        used: 2,
        month: "2026-12",
      });
    });

    test("by more is a fault until an administrator accepts the clock, and reopens nothing meanwhile", async () => {
      const { steps, fixture } = await listening();
      const caller = await fixture.newCaller();
      await fixture.quota.charge(caller);
      const back = new Date("2026-11-21T12:00:00Z");
      fixture.setClock(back.toISOString());
      expect((await fixture.quota.charge(caller)).quota).toMatchObject({
        used: 2,
        month: "2026-12",
      });
      expect(await fixture.control.clockFault(back)).toContain(
        "the clock says 2026-11-21T12:00:00.000Z",
      );
      expect(steps).toHaveLength(1);
      expect(steps[0]?.fault).toBe((await fixture.control.clockFault(back)) as string);
      await fixture.quota.acceptClock();
      expect(await fixture.control.clockFault(back)).toBeUndefined();
      expect((await fixture.quota.charge(caller)).quota).toMatchObject({
        used: 1,
        month: "2026-11",
      });
      expect((await fixture.control.auditEntries(1))[0]).toMatchObject({
        ...{ actor: "operator", action: "clock.accepted" },
      });
    });
  });
}
