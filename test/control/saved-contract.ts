import { describe, expect, test } from "bun:test";
import type { ControlStore } from "../../src/control/control-store.ts";
import { type SearchRun, savedLimits } from "../../src/control/saved-records.ts";
import { newAccount } from "./account-rows.ts";
import type { OpenStore } from "./store-contract.ts";

const at = new Date("2026-11-14T09:00:00Z");
const later = new Date("2026-11-21T09:00:00Z");
const looked = new Date("2026-11-22T09:00:00Z");
const latest = new Date("2026-11-23T09:00:00Z");
const by = { at, actor: "ada", action: "list.added", subject: "lst_1", detail: {} } as const;

/** Two accounts that keep what they find. */
export async function addKeepers(control: ControlStore): Promise<void> {
  for (const id of ["ada", "ben"]) {
    await control.addAccount(newAccount(id), undefined, by);
  }
}

export const add = (control: ControlStore, login: string, note = "", list = "lst_1") =>
  control.saved.putEntry("ada", list, { login, note, at });
export const found = (
  people: Record<string, number>,
  when = at,
  model = "2026.11.8",
): SearchRun => ({
  ...{ at: when, model },
  total: Object.keys(people).length,
  people: Object.entries(people).map(([login, score]) => ({ login, score })),
});

/** What lists and saved searches keep in every database: private, bounded, and gone with the person. */
export function describeSaved(openStore: OpenStore): void {
  const openKept = async () => {
    const control = await openStore();
    await addKeepers(control);
    return control;
  };
  describe("lists and saved searches", () => {
    test("a list keeps people once, with a note, and is nobody else's", async () => {
      const control = await openKept();
      const { saved } = control;
      expect(await saved.addList("ada", { id: "lst_1", name: "Backend" }, by)).toBeUndefined();
      expect(await saved.addList("ada", { id: "lst_2", name: "backend" }, by)).toBe("name taken");
      expect(await saved.addList("ben", { id: "lst_2", name: "Backend" }, by)).toBeUndefined();
      expect(await add(control, "Quill", "met in May")).toBeUndefined();
      expect(await add(control, "quill", "writes Go")).toBeUndefined();
      expect(await saved.findList("ada", "lst_1")).toMatchObject({
        ...{ people: 1, changedAt: at.toISOString() },
        entries: [{ login: "quill", note: "writes Go", addedAt: at.toISOString() }],
      });
      const change = { login: "QUILL", note: "writes Go and Rust", at: later };
      expect(await saved.changeNote("ben", "lst_1", change)).toBe(false);
      expect(await saved.changeNote("ada", "lst_1", { ...change, login: "nobody" })).toBe(false);
      expect(await saved.changeNote("ada", "lst_1", change)).toBe(true);
      expect(await saved.findList("ada", "lst_1")).toMatchObject({
        ...{ people: 1, changedAt: later.toISOString() },
        entries: [{ login: "quill", note: "writes Go and Rust", addedAt: at.toISOString() }],
      });
      expect(await saved.findList("ben", "lst_1")).toBeUndefined();
      expect(await saved.listed("ada", ["QUILL", "nobody"])).toEqual([
        { login: "quill", listId: "lst_1", listName: "Backend" },
      ]);
      expect(await saved.listed("ben", ["quill"])).toEqual([]);
      expect(await saved.listed("ada", [])).toEqual([]);
      expect(await saved.putEntry("ben", "lst_1", { login: "x", note: "", at })).toBe("unknown");
      expect(await saved.removeEntry("ben", "lst_1", "quill", at)).toBe(false);
      expect(await saved.removeList("ben", "lst_1", by)).toBe(false);
      expect(await saved.removeEntry("ada", "lst_1", "QUILL", later)).toBe(true);
      expect(await saved.lists("ada")).toMatchObject([
        { people: 0, changedAt: later.toISOString() },
      ]);
      expect(await saved.removeList("ada", "lst_1", by)).toBe(true);
      expect(await saved.lists("ada")).toEqual([]);
      expect(await saved.lists("ben")).toHaveLength(1);
    });

    test("a search that found new people lets one mail wait, without an address", async () => {
      const control = await openKept();
      const { saved, deliveries } = control;
      const search = { id: "sea_1", name: "Go in Berlin", query: "" };
      await saved.addSearch("ada", search, found({ ada: 90 }), by);
      expect(await saved.setMail("ben", "digest", "sea_1")).toBe(false);
      const run = (people: Record<string, number>, when: Date, canMail = true) =>
        saved.noteRun("ada", "sea_1", found(people, when), canMail);
      const wait = async (then: Date) => {
        const waiting = await deliveries.claim("searches", then, then, 10);
        return waiting.map(({ id, body, dueMs }) => ({ id, body, dueMs }));
      };
      await run({ ada: 90, ben: 80 }, later);
      expect(await saved.setMail("ada", "", "sea_1")).toBe(true);
      await run({ ada: 90, ben: 80, cai: 70 }, later);
      await saved.setMail("ada", "digest");
      await run({ ada: 91, ben: 80, cai: 70 }, later);
      await run({ ada: 91, ben: 80, cai: 70, dee: 60 }, later, false);
      expect(await wait(latest)).toEqual([]);
      await run({ ada: 91, cai: 70, dee: 60, eli: 50 }, later);
      await run({ ada: 91, cai: 70, dee: 60, eli: 50, flo: 40 }, looked);
      const id = "mail_sea_1";
      const body = JSON.stringify({ search: "sea_1" });
      const [waiting, ...others] = await wait(latest);
      expect([waiting, others]).toEqual([{ id, body, dueMs: latest.getTime() }, []]);
      const name = "Go in Berlin";
      expect(await saved.takeMail("sea_1", looked)).toMatchObject({
        ...{ search: { name, mailTo: "digest" }, people: 4, account: { id: "ada" } },
      });
      await deliveries.noteOutcomes("searches", [{ id, attempts: 1, dueMs: null }]);
      // The next one waits until a day after this one.
      await run({ ada: 91, gus: 30 }, looked);
      expect(await wait(looked)).toEqual([]);
      expect(await wait(latest)).toHaveLength(1);
      // One that is dead is tried again when somebody is new.
      const fault = "it is away";
      await deliveries.noteOutcomes("searches", [{ id, attempts: 9, fault, dueMs: null }]);
      expect(await wait(latest)).toEqual([]);
      await run({ ada: 91, gus: 30, hal: 20 }, latest);
      expect(await deliveries.claim("searches", latest, latest, 1)).toMatchObject([
        { attempts: 0 },
      ]);
      expect(await saved.takeMail("gone", latest)).toEqual({ people: 0 });
    });

    test("a search tells who is new, gone and moved since the account last looked", async () => {
      const { saved } = await openKept();
      const first = found({ ada: 90, ben: 80, cai: 70 });
      const search = { id: "sea_1", name: "Go in Berlin", query: '{"location":"Berlin"}' };
      expect(await saved.addSearch("ada", search, first, by)).toBeUndefined();
      expect(await saved.searches("ada")).toMatchObject([{ new: 0, gone: 0, moved: 0, total: 3 }]);
      expect(await saved.noteRun("ada", "sea_1", found({ ada: 91, cai: 70, dee: 60 }, later))).toBe(
        true,
      );
      expect(await saved.findSearch("ada", "sea_1")).toMatchObject({
        ...{ new: 1, gone: 1, moved: 1, seenAt: at.toISOString(), ranAt: later.toISOString() },
        found: [
          { login: "ada", seenScore: 90, score: 91 },
          { login: "cai", seenScore: 70, score: 70 },
          { login: "dee", seenScore: undefined, score: 60 },
          { login: "ben", seenScore: 80, score: undefined },
        ],
      });
      // Still compared with what was seen, however often it runs.
      await saved.noteRun("ada", "sea_1", found({ ada: 90, ben: 80, cai: 70 }, later));
      expect(await saved.searches("ada")).toMatchObject([{ new: 0, gone: 0, moved: 0 }]);
      await saved.noteRun("ada", "sea_1", found({ dee: 60, eli: 50 }, later));
      expect([await saved.countNew("ada"), await saved.countNew("ben")]).toEqual([2, 0]);
      // A look leaves what it shows: a reload shows the same, and the next run is compared with it.
      expect(await saved.noteLook("ada", "sea_1", looked)).toBe(true);
      expect(await saved.countNew("ada")).toBe(0);
      expect(await saved.searches("ada")).toMatchObject([{ new: 2, seenAt: at.toISOString() }]);
      await saved.noteRun("ada", "sea_1", found({ dee: 61, flo: 40 }, latest));
      expect(await saved.findSearch("ada", "sea_1")).toMatchObject({
        ...{ new: 1, gone: 1, moved: 1, seenAt: looked.toISOString(), ranAt: latest.toISOString() },
        found: [
          { login: "dee", seenScore: 60, score: 61 },
          { login: "flo", seenScore: undefined, score: 40 },
          { login: "eli", seenScore: 50, score: undefined },
        ],
      });
      expect(await saved.countNew("ada")).toBe(1);
      const theirs = [saved.noteRun("ben", "sea_1", first), saved.noteLook("ben", "sea_1", latest)];
      for (const change of theirs) expect(await change).toBe(false);
      expect(await saved.removeSearch("ben", "sea_1", by)).toBe(false);
      expect(await saved.removeSearch("ada", "sea_1", by)).toBe(true);
      expect(await saved.storedLogins()).toEqual([]);
    });

    test("scores of another model are not compared, only who was found", async () => {
      const { saved } = await openKept();
      const search = { id: "sea_1", name: "Go", query: "" };
      await saved.addSearch("ada", search, found({ ada: 90, ben: 80, cai: 70 }), by);
      const judgedAgain = found({ ada: 71, ben: 62, dee: 50 }, later, "2026.12");
      await saved.noteRun("ada", "sea_1", judgedAgain);
      expect(await saved.searches("ada")).toMatchObject([{ new: 1, gone: 1, moved: 0 }]);
      // From then on they are compared with those of the new model.
      await saved.noteRun("ada", "sea_1", found({ ada: 72, ben: 62, dee: 50 }, latest, "2026.12"));
      expect(await saved.searches("ada")).toMatchObject([{ new: 1, gone: 1, moved: 1 }]);
    });

    test("who is new in several searches counts once", async () => {
      const { saved } = await openKept();
      for (const id of ["sea_1", "sea_2"]) {
        await saved.addSearch("ada", { id, name: id, query: "" }, found({ ada: 90 }), by);
        await saved.noteRun("ada", id, found({ ada: 90, Ben: 80, [id]: 70 }, later));
      }
      expect(await saved.countNew("ada")).toBe(3);
    });

    test("a due search goes to one caller for each revision, the one that waited longest first", async () => {
      const control = await openKept();
      const { saved } = control;
      for (const [n, accountId] of ["ada", "ben", "ada"].entries()) {
        const search = { id: `sea_${n}`, name: `${n}`, query: `location=${n}` };
        await saved.addSearch(accountId, search, found({}, new Date(at.getTime() - n)), by);
      }
      const claim = async (revision: number) => {
        const due = await Promise.all(
          Array.from({ length: 5 }, () => saved.claimPending(revision)),
        );
        return due.map((one) => one?.id).sort();
      };
      expect(await saved.claimPending(7)).toEqual({
        ...{ accountId: "ada", id: "sea_2", query: "location=2" },
      });
      expect(await claim(7)).toEqual(["sea_0", "sea_1", undefined, undefined, undefined]);
      expect(await saved.claimPending(7)).toBeUndefined();
      // A pool that was restored may count from an earlier revision on; whoever is disabled waits.
      await control.changeAccount("ben", { disabled: true }, by);
      expect(await claim(6)).toEqual(["sea_0", "sea_2", undefined, undefined, undefined]);
    });

    test("lists and searches are bounded", async () => {
      const control = await openKept();
      const { saved } = control;
      const none = found({});
      for (let n = 0; n < savedLimits.listsMax; n++) {
        await saved.addList("ada", { id: `lst_${n}`, name: `list ${n}` }, by);
        await saved.addSearch(
          "ada",
          { id: `sea_${n}`, name: `search ${n}`, query: "{}" },
          none,
          by,
        );
      }
      expect(await saved.addList("ada", { id: "more", name: "more" }, by)).toBe("too many");
      expect(await saved.addSearch("ada", { id: "more", name: "more", query: "" }, none, by)).toBe(
        "too many",
      );
    });

    test("several at once fill one list up to its bound, not beyond", async () => {
      const control = await openKept();
      await control.saved.addList("ada", { id: "lst_1", name: "Shared" }, by);
      for (let n = 0; n < savedLimits.entriesMax - 5; n++) await add(control, `person-${n}`);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, n) => add(control, `late-${n}`)),
      );
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === "too many")).toHaveLength(7);
      expect(await add(control, "PERSON-7", "a note is still possible")).toBeUndefined();
      expect((await control.saved.findList("ada", "lst_1"))?.people).toBe(savedLimits.entriesMax);
    });

    test("whoever is erased is gone from every list and search, whatever the case", async () => {
      const control = await openKept();
      const { saved } = control;
      await saved.addList("ada", { id: "lst_1", name: "Ours" }, by);
      await saved.addList("ben", { id: "lst_2", name: "Theirs" }, by);
      await add(control, "Quill-Forgetful", "note on the forgetful one");
      await add(control, "other");
      await saved.putEntry("ben", "lst_2", { login: "quill-forgetful", note: "", at });
      const search = { id: "sea_1", name: "s", query: "{}" };
      await saved.addSearch("ada", search, found({ "quill-forgetful": 9, other: 8 }), by);
      expect(await saved.notesAbout(["quill-forgetful"])).toHaveLength(2);
      expect(await saved.countEntries(["QUILL-forgetful", "nobody"])).toBe(3);
      expect(await saved.erase(["quill-FORGETFUL"])).toBe(3);
      expect(await saved.erase([])).toBe(0);
      expect(await saved.storedLogins()).toEqual(["other"]);
    });
  });
}
