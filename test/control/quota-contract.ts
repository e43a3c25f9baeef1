import { describe, expect, test } from "bun:test";
import { Problem } from "../../src/contract/problem.ts";
import { type OpenQuotaFixture, refusalOf } from "./quota-fixture.ts";

/** What every adapter of `ControlStore` counts and refuses. */
export function describeQuota(openQuotaFixture: OpenQuotaFixture): void {
  describe("charging", () => {
    test("used grows by one and both windows say what is left", async () => {
      const fixture = await openQuotaFixture({ instant: "2026-11-21T18:00:00.500Z" });
      const caller = await fixture.newCaller();
      await fixture.quota.charge(caller);
      expect(await fixture.quota.charge(caller)).toEqual({
        quota: { used: 2, limit: 1000, month: "2026-11" },
        month: {
          ...{ used: 2, limit: 1000, resetsAt: new Date("2026-12-01T00:00:00Z") },
          ...{ resetSeconds: 799_200, windowSeconds: 30 * 86_400 },
        },
        day: {
          ...{ used: 2, limit: 2000, resetsAt: new Date("2026-11-22T00:00:00Z") },
          ...{ resetSeconds: 21_600, windowSeconds: 86_400 },
        },
        trialEndsAt: undefined,
      });
    });

    test("the command line's own account has no limits", async () => {
      const fixture = await openQuotaFixture();
      const usage = await fixture.quota.charge({
        ...fixture.accounts.operator,
        requestId: "req_1",
      });
      expect(usage.quota).toEqual({ used: 1, limit: -1, month: "2026-11" });
      expect(usage.day.limit).toBeUndefined();
    });

    test("usage can be asked for and costs nothing", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller();
      await fixture.quota.usage(caller);
      expect((await fixture.quota.usage(caller)).quota).toEqual({
        used: 0,
        limit: 1000,
        month: "2026-11",
      });
    });
  });

  describe("refusals", () => {
    test("the document's words name each window that is spent, and Retry-After is the later end", async () => {
      const fixture = await openQuotaFixture({ instant: "2026-11-29T23:00:00Z" });
      const caller = await fixture.newCaller({ callsPerMonth: 1, callsPerDay: 1 });
      await fixture.quota.charge(caller);
      const refusal = await refusalOf(fixture.quota.charge(caller));
      expect(refusal).toBeInstanceOf(Problem);
      expect(refusal.message).toBe(
        "The monthly call quota is exceeded: 1 of 1 calls are used; it resets at 2026-12-01T00:00:00Z. " +
          "The daily call quota is exceeded: 1 of 1 calls are used; it resets at 2026-11-30T00:00:00Z.",
      );
      expect(refusal.retryAfterSeconds).toBe(25 * 3600);
    });

    test("an exhausted account is refused by the cheap look; one with calls left never is", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller({ callsPerMonth: 2 });
      await fixture.quota.refuseIfExhausted(caller);
      await fixture.quota.charge(caller);
      await fixture.quota.refuseIfExhausted(caller);
      await fixture.quota.charge(caller);
      await expect(fixture.quota.refuseIfExhausted(caller)).rejects.toThrow(
        "The monthly call quota",
      );
      await fixture.accounts.setPlan(caller.email, "pro", { callsPerMonth: 3 });
      await fixture.quota.refuseIfExhausted(caller);
      expect((await fixture.quota.charge(caller)).quota).toMatchObject({ used: 3, limit: 3 });
    });

    test("a limit lowered below what is used refuses, and takes no call back", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller();
      await fixture.chargeAtOnce(caller, 5);
      await fixture.accounts.setPlan(caller.email, "pro", { callsPerMonth: 2 });
      expect((await refusalOf(fixture.quota.charge(caller))).message).toContain(
        "5 of 2 calls are used",
      );
      expect((await fixture.quota.usage(caller)).quota).toEqual({
        used: 5,
        limit: 2,
        month: "2026-11",
      });
    });
  });

  describe("dead credentials", () => {
    test("a key regenerated between question and answer is 401 and counts nothing", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller();
      await fixture.quota.refuseIfExhausted(caller);
      await fixture.accounts.regenerateKey(caller.email);
      expect((await refusalOf(fixture.quota.charge(caller))).code).toBe("unauthorized");
      expect((await fixture.quota.usage(caller)).quota.used).toBe(0);
    });

    test("a disabled account is 401, counts nothing, and goes on where it was when enabled", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller();
      await fixture.quota.charge(caller);
      await fixture.accounts.setDisabled(caller.email, true);
      expect((await refusalOf(fixture.quota.charge(caller))).code).toBe("unauthorized");
      await fixture.accounts.setDisabled(caller.email, false);
      expect((await fixture.quota.charge(caller)).quota.used).toBe(2);
    });

    test("a credential that is not the account's own is 401", async () => {
      const fixture = await openQuotaFixture();
      const [ada, bob] = [await fixture.newCaller(), await fixture.newCaller()];
      const mixed = [
        { ...ada, credential: bob.credential },
        { ...ada, credential: { kind: "key", id: "key_unknown" } as const },
        { ...ada, credential: { kind: "grant", id: ada.credential.id } as const },
        { ...ada, credential: { kind: "operator", id: "operator" } as const },
        { ...ada, credential: { kind: "operator", id: ada.accountId } as const },
        { ...ada, accountId: "acc_unknown" },
      ];
      for (const caller of mixed) {
        expect((await refusalOf(fixture.quota.charge(caller))).code).toBe("unauthorized");
      }
      const usages = await Promise.all([ada, bob].map((caller) => fixture.quota.usage(caller)));
      expect(usages.map(({ quota }) => quota.used)).toEqual([0, 0]);
    });

    test("a call that cannot be looked at fails alone, not its batch", async () => {
      const fixture = await openQuotaFixture();
      const caller = await fixture.newCaller();
      const broken = {
        ...caller,
        credential: { kind: "key", id: { no: "text" } as never } as const,
      };
      const [first, second, third] = await Promise.allSettled([
        fixture.quota.charge(caller),
        fixture.quota.charge(broken),
        fixture.quota.charge(caller),
      ]);
      expect(first).toMatchObject({ status: "fulfilled", value: { quota: { used: 1 } } });
      expect(second).toMatchObject({ status: "rejected", reason: { code: "internal" } });
      expect(third).toMatchObject({ status: "fulfilled", value: { quota: { used: 2 } } });
    });
  });

  describe("the trial of the free plan", () => {
    test("ends so many days after the account was made, and says so", async () => {
      const fixture = await openQuotaFixture({ instant: "2026-11-01T10:00:00Z", trialDays: 14 });
      const caller = await fixture.newCaller({ plan: "free" });
      fixture.setClock("2026-11-15T09:59:59Z");
      expect((await fixture.quota.charge(caller)).quota.used).toBe(1);
      fixture.setClock("2026-11-15T10:00:00Z");
      const refusal = await refusalOf(fixture.quota.charge(caller));
      expect(refusal.code).toBe("quota_exceeded");
      expect(refusal.message).toContain("The trial of the free plan ended at 2026-11-15T10:00:00Z");
      expect(refusal.retryAfterSeconds).toBe(86_400);
      await expect(fixture.quota.refuseIfExhausted(caller)).rejects.toThrow(
        "The trial of the free plan",
      );
      expect((await fixture.quota.usage(caller)).quota.used).toBe(1);
      await fixture.accounts.setPlan(caller.email, "pro", {});
      expect((await fixture.quota.charge(caller)).quota).toMatchObject({ used: 2, limit: 1000 });
    });
  });
}
