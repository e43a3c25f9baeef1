import { describe, expect, test } from "bun:test";
import type { ControlStore } from "../../src/control/control-store.ts";
import { deadMax, waitingMax } from "../../src/control/delivery-records.ts";
import { endedRun } from "./sources-contract.ts";
import type { OpenStore } from "./store-contract.ts";

const at = new Date("2026-11-14T09:00:00Z");
const inSeconds = (seconds: number) => new Date(at.getTime() + 1000 * seconds);
const by = { at, actor: "ada", action: "webhook.added", subject: "wh_a", detail: {} } as const;
const all = ["people.changed", "person.erased", "run.ended", "notice.source", "notice.backup"];
const target = (id: string, events = all) => ({
  ...{
    id,
    url: `https://${id}.example.com/`,
    events,
    isLocal: false,
    told: "",
    notices: "[]",
    fault: null,
  },
});
const event = (type: string, data: object = {}, seconds = 0) => ({
  ...{ type, at: inSeconds(seconds), data },
});

/** @returns the types of what waits for a target. */
async function claimTypes({ deliveries }: ControlStore, id: string): Promise<readonly string[]> {
  const claimed = await deliveries.claim(id, inSeconds(99), inSeconds(999), 10);
  return claimed.map(({ body }) => JSON.parse(body).type).sort();
}

/** What every database keeps of webhooks. */
export function describeDeliveries(openStore: OpenStore): void {
  describe("webhooks", () => {
    test("get the events that they want", async () => {
      const store = await openStore();
      const { deliveries, auditEntries } = store;
      await deliveries.addTarget(target("wh_a"), by);
      await deliveries.addTarget(target("wh_b", ["run.ended"]), by);
      await deliveries.addEvents([event("notice.source", { source: "corp" })]);
      await deliveries.addEvents([event("run.ended", {}, 5)]);
      await deliveries.addEvents([event("webhook.test")], "wh_b");
      const listed = await deliveries.listTargets();
      expect(listed.map(({ id, waiting, dueMs }) => [id, waiting, dueMs])).toEqual([
        ["wh_a", 2, at.getTime()],
        ["wh_b", 2, at.getTime()],
      ]);
      expect(await claimTypes(store, "wh_a")).toEqual(["notice.source", "run.ended"]);
      expect(await claimTypes(store, "wh_b")).toEqual(["run.ended", "webhook.test"]);
      await deliveries.removeTarget("wh_b", { ...by, action: "webhook.removed" });
      expect((await deliveries.listTargets()).map(({ id }) => id)).toEqual(["wh_a"]);
      expect(await deliveries.claim("wh_b", inSeconds(9999), inSeconds(9999), 9)).toEqual([]);
      expect(await auditEntries(10)).toHaveLength(3);
    });

    test("that the settings file names come and go with it, with what waits for them", async () => {
      const { deliveries } = await openStore();
      const named = (...ids: string[]) => ids.map((id) => ({ id, events: ["run.ended"] }));
      const list = async () =>
        (await deliveries.listTargets()).map(({ id, waiting }) => [id, waiting]);
      await deliveries.addTarget(target("wh_a"), by);
      await deliveries.putNamed(named("nt_a", "nt_b"));
      await deliveries.addEvents([event("run.ended")]);
      await deliveries.putNamed(named("nt_b"));
      expect(await list()).toEqual([
        ["nt_b", 1],
        ["wh_a", 1],
      ]);
      await deliveries.putNamed(named("nt_a", "nt_b"));
      expect((await list())[0]).toEqual(["nt_a", 0]);
      // Two nodes that find the same tell it once.
      const [first] = await deliveries.listTargets();
      if (!first) throw new Error("There is no target.");
      const tell = () => deliveries.tell(first, { notices: '["disk"]' }, [event("notice.disk")]);
      await Promise.all([tell(), tell()]);
      expect(await list()).toMatchObject([["nt_a", 1], {}, {}]);
      await deliveries.putNamed([]);
      expect(await list()).toEqual([["wh_a", 1]]);
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
      expect((await deliveries.listTargets())[0]?.dueMs).toBe(inSeconds(120).getTime());
      expect((await deliveries.claim("wh_a", inSeconds(120), inSeconds(180), 99)).length).toBe(30);
    });

    test("are tried again, die, and wait again when somebody asks", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      await deliveries.addEvents(["run.ended", "notice.source"].map((type) => event(type)));
      const [one, two] = await deliveries.claim("wh_a", at, inSeconds(60), 10);
      const fault = "it answered 500";
      const dueMs = inSeconds(5).getTime();
      const outcome = (id = "") => ({ id, attempts: 1, dueMs: null, fault });
      await deliveries.noteOutcomes("wh_a", [{ ...outcome(one?.id), dueMs }, outcome(two?.id)]);
      const find = async () => (await deliveries.listTargets())[0];
      expect(await find()).toMatchObject({ waiting: 1, dead: 1, dueMs, fault });
      expect(await deliveries.retry("wh_a", inSeconds(9))).toBe(1);
      expect(await find()).toMatchObject({ waiting: 2, dead: 0, dueMs });
      const claimed = await deliveries.claim("wh_a", inSeconds(9), inSeconds(60), 10);
      const attempts = new Map(claimed.map((each) => [each.id, each.attempts]));
      expect([one, two].map((each) => attempts.get(each?.id ?? ""))).toEqual([1, 0]);
      const taken = { id: one?.id ?? "", attempts: 2, dueMs: null };
      await deliveries.noteOutcomes("wh_a", [taken]);
      expect(await find()).toMatchObject({ waiting: 1, dead: 0, fault: null });
    });

    test("keep a bounded number of deliveries", async () => {
      const { deliveries } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      const over = 7;
      const events = Array.from({ length: waitingMax + over }, (_, n) => event("run.ended", {}, n));
      await deliveries.addEvents(events);
      const count = async () => {
        const [{ waiting, dead } = {}] = await deliveries.listTargets();
        return [waiting, dead];
      };
      expect(await count()).toEqual([waitingMax, over]);
      const late = inSeconds(waitingMax * 2);
      const claimed = await deliveries.claim("wh_a", late, late, 1500);
      expect(claimed.some(({ createdMs }) => createdMs < inSeconds(over).getTime())).toBe(false);
      const fault = "it answered 500";
      const failed = claimed.map(({ id }) => ({ id, attempts: 9, dueMs: null, fault }));
      await deliveries.noteOutcomes("wh_a", failed);
      await deliveries.addEvents([event("run.ended")]);
      expect(await count()).toEqual([waitingMax - 1500 + 1, deadMax]);
      await deliveries.prune(new Date(late.getTime() + 1));
      expect(await count()).toEqual([0, 0]);
    });

    test("are told once how far people have changed, whatever number of nodes tell it", async () => {
      const store = await openStore();
      const { deliveries } = store;
      await deliveries.addTarget(target("wh_a"), by);
      const [first] = await deliveries.listTargets();
      if (!first) throw new Error("There is no target.");
      const told = [event("people.changed", { added: 3 }), event("person.erased", { login: "x" })];
      await Promise.all([1, 2, 3].map(() => deliveries.tell(first, { told: "7" }, told)));
      expect((await deliveries.listTargets())[0]?.told).toBe("7");
      expect(await claimTypes(store, "wh_a")).toEqual(["people.changed", "person.erased"]);
    });

    test("hear of a run's end without its outcome", async () => {
      const { deliveries, runs } = await openStore();
      await deliveries.addTarget(target("wh_a"), by);
      await runs.add(endedRun("run_a", { outcome: "ada@example.com was erased." }));
      const claimed = await deliveries.claim("wh_a", inSeconds(99), inSeconds(999), 10);
      const bodies = claimed.map(({ body }) => body).join();
      expect(claimed.map(({ body }) => JSON.parse(body).type)).toEqual(["run.ended"]);
      expect(bodies).toContain(`"timestamp":"${inSeconds(5).toISOString()}"`);
      expect(bodies).not.toContain("ada");
      expect(bodies).toContain('"run":"run_a","kind":"refresh"');
    });
  });
}
