import { describe, expect, test } from "bun:test";
import { planCleanup } from "../../src/appliance/cleanup.ts";
import { endedRunsMax, type StoredRun } from "../../src/control/source-records.ts";
import type { OpenStore } from "./store-contract.ts";

const at = new Date("2026-11-14T09:00:00Z");
const later = new Date("2026-11-14T09:00:05Z");
const by = { at, actor: "ada", action: "source.asked", subject: "corp", detail: {} } as const;

export const endedRun = (id: string, more: Partial<StoredRun> = {}): StoredRun => ({
  ...{ id, kind: "refresh", title: "Read the source corp", source: "corp", by: "schedule" },
  ...{
    machine: "node-a",
    startedAt: at,
    endedAt: later,
    state: "done",
    outcome: "1 person added.",
    pid: null,
  },
  ...more,
});

/** What every database keeps of sources and of the runs that have ended. */
export function describeSources(openStore: OpenStore): void {
  describe("sources", () => {
    test("are added, changed and removed, each with an entry of the audit log", async () => {
      const { sources, auditEntries } = await openStore();
      expect(await sources.list()).toEqual([]);
      const settings = { kind: "gitea", url: "https://git.example.com", select: ["all"] };
      await sources.save("tool", { kind: "git" }, "", by);
      await sources.save("corp", settings, "node-a:/data", by);
      const state = { completedAt: at.toISOString(), people: 3, repositories: 2 };
      await sources.noteState("corp", state);
      await sources.setHook("corp", "c2FsdA", by);
      const corp = { id: "corp", settings, reader: "node-a:/data", hookSalt: "c2FsdA", state };
      const tool = { settings: { kind: "git" }, reader: "", hookSalt: null, state: null };
      expect(await sources.list()).toEqual([corp, { id: "tool", ...tool }]);
      await sources.save("corp", { ...settings, everyHours: 2 }, "node-b:/data", by);
      const changed = { settings: { ...settings, everyHours: 2 }, reader: "node-b:/data" };
      expect((await sources.list())[0]).toEqual({ ...corp, ...changed });
      await sources.setHook("corp", undefined, by);
      expect((await sources.list())[0]?.hookSalt).toBeNull();
      await sources.remove("corp", by);
      expect((await sources.list()).map(({ id }) => id)).toEqual(["tool"]);
      expect(await auditEntries(10)).toHaveLength(6);
    });

    test("of the settings file keep only their hook and state", async () => {
      const { sources } = await openStore();
      await sources.noteState("corp", { fault: "The forge does not answer." });
      await sources.setHook("corp", "c2FsdA", by);
      expect(await sources.list()).toEqual([
        {
          ...{ id: "corp", settings: null, reader: "", hookSalt: "c2FsdA" },
          state: { fault: "The forge does not answer." },
        },
      ]);
    });

    test("are asked for once, and whoever reads them takes the request", async () => {
      const { sources } = await openStore();
      await sources.ask("corp", undefined, later);
      await sources.ask("corp", "acme/tool", at);
      await sources.ask("corp", "acme/tool", later);
      await sources.ask("other", "acme/tool", at);
      expect(await sources.takeAsks([])).toEqual([]);
      const takes = await Promise.all([1, 2].map(() => sources.takeAsks(["corp", "none"])));
      expect(takes.flat()).toEqual([
        { id: "corp", repository: "acme/tool" },
        { id: "corp", repository: undefined },
      ]);
      await sources.remove("other", by);
      expect(await sources.takeAsks(["corp", "other"])).toEqual([]);
    });
  });

  describe("ended runs", () => {
    test("are listed with the latest first, and only the latest stay", async () => {
      const { runs } = await openStore();
      const own = endedRun("run_a", { source: null, by: "acc_ada", state: "failed" });
      await runs.add(own);
      await runs.add(endedRun("run_b", { endedAt: new Date(later.getTime() + 1) }));
      expect((await runs.list()).map(({ id }) => id)).toEqual(["run_b", "run_a"]);
      expect((await runs.list())[1]).toEqual(own);
      for (let n = 1; n <= endedRunsMax; n++) {
        await runs.add(endedRun(`run_${n}`, { endedAt: new Date(later.getTime() + 1000 * n) }));
      }
      const ids = (await runs.list()).map(({ id }) => id);
      expect(ids).toHaveLength(endedRunsMax);
      expect([ids[0], ids.at(-1)]).toEqual([`run_${endedRunsMax}`, "run_1"]);
    });

    test("that are too old go in a cleanup", async () => {
      const control = await openStore();
      const { runs } = control;
      await runs.add(endedRun("run_old"));
      await runs.add(endedRun("run_new", { endedAt: new Date(later.getTime() + 1) }));
      const now = new Date(later.getTime() + 30 * 86_400_000 + 1);
      const settings = { data: "no-folder", keep: { runsDays: 30, leftoversDays: 0 } };
      for (const step of await planCleanup(control, settings, now)) await step.remove();
      expect((await runs.list()).map(({ id }) => id)).toEqual(["run_new"]);
    });

    test("are added when they begin, and what they tell of their end stays", async () => {
      const { runs, deliveries } = await openStore();
      const target = { url: "https://ours.example/hook", events: ["run.ended"], isLocal: false };
      await deliveries.addTarget(
        { id: "wh_a", told: "", notices: "[]", fault: null, ...target },
        by,
      );
      const count = async () => (await deliveries.listTargets())[0]?.waiting;
      const begun = endedRun("run_a", { state: "running", outcome: "", endedAt: at, pid: 4711 });
      await runs.add(begun);
      expect(await runs.list()).toEqual([begun]);
      expect(await count()).toBe(0);
      const lost = endedRun("run_a", { state: "failed", outcome: "without a word", pid: 4711 });
      await runs.add(lost);
      expect(await runs.list()).toEqual([lost]);
      const told = endedRun("run_a");
      await runs.add(told);
      await runs.add(lost);
      await runs.add(begun);
      expect(await runs.list()).toEqual([told]);
      expect(await count()).toBe(2);
    });
  });
}
