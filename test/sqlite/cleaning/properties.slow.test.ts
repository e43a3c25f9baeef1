import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { cleanFile } from "../../../src/sqlite/cleaning/clean-file.ts";
import { emptyLog } from "../../../src/sqlite/empty-log.ts";
import { isLong, rounds } from "../../long.ts";
import { temporaryFolders } from "../temporary-folder.ts";
import { countMarks, kind, openMarked, readAll, removeMarked } from "./marked-file.ts";

const id = fc.nat({ max: 150 });
const size = fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 900 }), {
  arbitrary: fc.nat({ max: 20_000 }),
  weight: 1,
});
const step = fc.oneof(
  { arbitrary: fc.tuple(fc.constant("put" as const), id, size, fc.boolean()), weight: 30 },
  { arbitrary: fc.tuple(fc.constant("remove" as const), id), weight: 10 },
  { arbitrary: fc.tuple(fc.constant("removeMarked" as const)), weight: 1 },
  { arbitrary: fc.tuple(fc.constant("shrink" as const)), weight: 1 },
  { arbitrary: fc.tuple(fc.constant("emptyLog" as const)), weight: 1 },
  { arbitrary: fc.tuple(fc.constant("clean" as const)), weight: 1 },
);
/** Either connection may be the one that does it. */
const steps = fc.array(fc.tuple(fc.boolean(), step), {
  minLength: 100,
  maxLength: isLong ? 600 : 300,
  size: "max",
});
const pageSize = fc.constantFrom(512, 1024, 4096, 65536);

/** The files give space back or not, as drawn. */
const cleaned = { impersonal: kind.impersonal ?? [] };
const folder = temporaryFolders()();
let files = 0;

test("whatever two connections wrote, no byte of what they deleted is left, and nothing else is lost", () => {
  fc.assert(
    fc.property(steps, pageSize, fc.boolean(), (all, bytes, isShrinkable) => {
      const path = join(folder, `${files++}.db`);
      makeFile(path, bytes, isShrinkable);
      const both = [openMarked(path), openMarked(path)] as const;
      for (const [isSecond, [what, ...given]] of all) {
        const file = both[isSecond ? 1 : 0];
        if (what === "put") file.put(...(given as [number, number, boolean]));
        if (what === "remove") file.remove(given[0] as number);
        if (what === "removeMarked") removeMarked(file);
        if (what === "shrink") file.sqlite.query("PRAGMA incremental_vacuum(7)").all();
        if (what === "emptyLog") emptyLog(file.sqlite);
        if (what === "clean") cleanFile(file, cleaned);
      }
      const [first, second] = both;
      readAll(second);
      removeMarked(first);
      const before = readAll(first);
      expect(before.check).toEqual([{ integrity_check: "ok" }]);
      expect(cleanFile(first, cleaned)).toBe(true);
      expect(countMarks(path)).toBe(0);
      expect(readAll(first)).toEqual(before);
      for (const file of both) {
        file.put(1000, 5000, false);
        file.remove(1000);
        emptyLog(file.sqlite);
        expect(countMarks(path)).toBe(0);
        expect(readAll(file)).toEqual(before);
      }
      for (const file of both) file.close();
    }),
    { numRuns: rounds(100) },
  );
}, 300_000);

/** With pages of this size, before the migrations fill it. */
function makeFile(path: string, bytes: number, isShrinkable: boolean): void {
  const file = new Sqlite(path);
  file.run(`PRAGMA page_size = ${bytes}`);
  file.run(`PRAGMA auto_vacuum = ${isShrinkable ? "INCREMENTAL" : "NONE"}`);
  file.run(`PRAGMA application_id = ${kind.applicationId}`);
  file.close();
}
