import { describe, expect, test } from "bun:test";
import { endedMax, waitingMax } from "../../src/control/delivery-records.ts";
import { endedRun } from "./sources-contract.ts";
import type { OpenStore } from "./store-contract.ts";

const at = new Date("2026-11-14T09:00:00Z");
const inSeconds = (seconds: number) => new Date(at.getTime() + 1000 * seconds);
const by = { at, actor: "ada", action: "webhook.added", subject: "wh_a", detail: {} } as const;
const all = ["people.changed", "person.erased", "run.ended", "source.failed", "backup.failed"];
const target = (id: string, events = all) => ({
  ...{ id, url: `https://${id}.example.com/`, events, isLocal: false, createdAt: at },
});
const event = (type: string, data: object = {}, seconds = 0) => ({
  ...{ type, at: inSeconds(seconds), data },
});

/** What every database keeps of webhooks. */
export function describeDeliveries(openStore: OpenStore): void {
  describe("webhooks", () => {
    test("get the events that they want, while they are on", async () => {
      const { deliveries, auditEntries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      await deliveries.addTarget(target("wh_b", ["run.ended"]), by);
      await deliveries.addEvents([event("source.failed", { source: "corp" })]);
      await deliveries.turn("wh_a", "gone", { ...by, action: "webhook.off" });
      await deliveries.addEvents([event("run.ended")]);
      const listed = (await deliveries.list(10)).map((one) => [one.targetId, one.event]).sort();
      expect(listed).toEqual([
        ["wh_a", "source.failed"],
        ["wh_b", "run.ended"],
      ]);
      const off = (await deliveries.listTargets()).map((one) => [one.id, one.off]);
      expect(off).toEqual([
        ["wh_a", "gone"],
        ["wh_b", undefined],
      ]);
      expect((await deliveries.listDue(at)).map(({ id }) => id)).toEqual(["wh_b"]);
      await deliveries.removeTarget("wh_b", { ...by, action: "webhook.removed" });
      expect((await deliveries.list(10)).map((one) => one.targetId)).toEqual(["wh_a"]);
      expect(await auditEntries(10)).toHaveLength(4);
    });

    test("are claimed once, and again if no outcome is noted", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      const events = Array.from({ length: 30 }, (_, n) => event("run.ended", { n }, n));
      await deliveries.addEvents(events);
      const claim = () => deliveries.claim("wh_a", inSeconds(60), inSeconds(120), 20);
      const [one, other, none] = await Promise.all([claim(), claim(), claim()]);
      const ids = [one, other, none].flatMap((some = []) => some.map(({ id }) => id));
      expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
      expect(await deliveries.listDue(inSeconds(119))).toEqual([]);
      expect((await deliveries.claim("wh_a", inSeconds(120), inSeconds(180), 99)).length).toBe(30);
    });

    test("are tried again, die, and wait again when somebody asks", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      await deliveries.addEvents([event("run.ended"), event("source.failed")]);
      const [one, two] = await deliveries.claim("wh_a", at, inSeconds(60), 10);
      const fault = "it answered 500";
      await deliveries.noteOutcomes(
        "wh_a",
        [
          { id: one?.id ?? "", fault, againAt: inSeconds(5) },
          { id: two?.id ?? "", fault },
        ],
        at,
      );
      const find = async (id = "") => (await deliveries.list(9)).find((each) => each.id === id);
      const again = { state: "waiting", attempts: 1, fault, dueAt: inSeconds(5) } as const;
      expect(await find(one?.id)).toMatchObject(again);
      const dead = { state: "dead", attempts: 1, fault, endedAt: at } as const;
      expect(await find(two?.id)).toMatchObject(dead);
      expect(await deliveries.retry("wh_a", inSeconds(9), by)).toBe(1);
      expect(await find(two?.id)).toMatchObject({ state: "waiting", attempts: 0 });
      await deliveries.noteOutcomes("wh_a", [{ id: one?.id ?? "" }], inSeconds(9));
      expect(await find(one?.id)).toMatchObject({ state: "delivered", body: "", attempts: 2 });
    });

    test("keep a bounded number of deliveries", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      const over = 7;
      const events = Array.from({ length: waitingMax + over }, (_, n) => event("run.ended", {}, n));
      await deliveries.addEvents(events);
      const count = async (state: string) =>
        (await deliveries.countDeliveries()).find((one) => one.state === state)?.count;
      expect([await count("waiting"), await count("dead")]).toEqual([waitingMax, over]);
      const dead = (await deliveries.list(waitingMax * 2)).filter(({ state }) => state === "dead");
      expect(dead.map(({ createdAt }) => createdAt.getTime()).sort()).toEqual(
        Array.from({ length: over }, (_, n) => inSeconds(n).getTime()),
      );
      expect(dead[0]?.fault).toBe("more than 10000 deliveries waited");
      const late = inSeconds(waitingMax * 2);
      const claimed = await deliveries.claim("wh_a", late, late, 1500);
      const failed = claimed.map(({ id }) => ({ id, fault: "it answered 500" }));
      await deliveries.noteOutcomes("wh_a", failed, late);
      expect(await count("dead")).toBe(endedMax.dead);
      const rest = await deliveries.claim("wh_a", late, late, 200);
      await deliveries.noteOutcomes(
        "wh_a",
        rest.map(({ id }) => ({ id })),
        late,
      );
      expect(await count("delivered")).toBe(endedMax.delivered);
      expect(await deliveries.prune(new Date(late.getTime() + 1))).toBeGreaterThan(waitingMax / 2);
      expect(await deliveries.list(10)).toEqual([]);
    });

    test("are told once how far people have changed, whatever number of nodes tell it", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      const [first] = await deliveries.listTargets();
      if (!first) throw new Error("There is no target.");
      const told = [event("people.changed", { added: 3 }), event("person.erased", { login: "x" })];
      await Promise.all([1, 2, 3].map(() => deliveries.tell(first, "7", told)));
      expect((await deliveries.listTargets())[0]?.told).toBe("7");
      expect(await deliveries.list(10)).toHaveLength(2);
      const claimed = await deliveries.claim("wh_a", at, inSeconds(60), 10);
      expect(JSON.parse(claimed[0]?.body ?? "")).toMatchObject({ timestamp: at.toISOString() });
      const done = claimed.map(({ id }) => ({ id }));
      expect(await deliveries.noteOutcomes("wh_a", done, at)).toBe(1);
    });

    test("hear of a run's end without its outcome, and once of a source that fails", async () => {
      const { deliveries, runs, sources } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      await runs.add(endedRun("run_a", { outcome: "ada@example.com was erased." }));
      await sources.noteState("corp", { fault: "ada is away" }, at);
      await sources.noteState("corp", { fault: "ada is still away" }, at);
      await sources.noteState("corp", {}, at);
      await sources.noteState("corp", { fault: "again" }, at);
      const claimed = await deliveries.claim("wh_a", inSeconds(99), inSeconds(999), 10);
      expect(claimed.map(({ event }) => event).sort()).toEqual([
        ...["run.ended", "source.failed", "source.failed"],
      ]);
      const bodies = claimed.map(({ body }) => body).join();
      expect(bodies).not.toContain("ada");
      expect(bodies).toContain('"run":"run_a","kind":"refresh"');
    });
  });
}
