/** A repository that cannot be read any more, or is gone: the exit code, the list and doctor say so, and since when. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ada, ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const shelf = join(line.folder, "..", "shelf");
const at = (name: string) => join(shelf, name);
for (const name of ["lost", "broken", "sound"]) {
  inventRepository(at(name), [{ message: name }, { author: name === "lost" ? ben : ada }]);
}
afterAll(() => line.close());

interface Row {
  readonly name: string;
  readonly path: string;
  readonly state: string;
  readonly leftOut?: { readonly since: string; readonly reason: string; readonly remedy: string };
}
const ingest = (...given: string[]) => line.run("ingest", "git", ...given, ...data);
const list = async () => (await line.json("ingest", "list", ...data)) as readonly Row[];
const states = async () =>
  Object.fromEntries((await list()).map(({ name, state }) => [name, state]));
const doctor = async () => JSON.stringify(await line.json("doctor", ...data));

test("while all are read, nothing is said", async () => {
  expect((await ingest(shelf)).code).toBe(0);
  expect(await states()).toEqual({ lost: "read", broken: "read", sound: "read" });
  expect(await doctor()).not.toContain("could not be read");
});

test("one that is gone and one that cannot be read", async () => {
  renameSync(at("lost"), `${shelf}-lost`);
  renameSync(join(at("broken"), "HEAD"), join(at("broken"), "HEAD-"));
  writeFileSync(join(at("broken"), "HEAD"), "nonsense\n");
  const { code, err } = await ingest(shelf);
  expect(code).toBe(3);
  expect(err).toContain(`left out ${at("lost")}: no repository is there any more.`);
  expect(err).toContain(`left out ${at("broken")}: `);
  expect(await states()).toEqual({ lost: "gone", broken: "left_out", sound: "read" });
  expect(await doctor()).toMatch(
    /2 of 3 repositories could not be read: \S+broken \(left out since 2.*, \S+lost \(gone since 2/,
  );
  const shown = await line.run("ingest", "list", ...data);
  expect(shown.out).toMatch(/^lost .* gone since \d{4}-\d\d-\d\d /m);
  expect(shown.err).toContain(`${at("lost")}: no repository is there any more. Check whether`);
});

test("what began stays, also when others are read, and a folder that is not named is not judged", async () => {
  const before = await list();
  // `sound` alone is whole; `broken` is still there, and was not asked for.
  expect((await ingest(at("sound"))).code).toBe(0);
  expect(await list()).toEqual(before);
  // Without a path nothing is read.
  expect((await ingest()).code).toBe(0);
  expect(await list()).toEqual(before);
});

test("people of one that is gone count until it is forgotten", async () => {
  expect(JSON.stringify(await line.json("ingest", "git", shelf, ...data))).toContain('"human":2');
  expect((await line.run("ingest", "forget", at("lost"), "--allow-removals", ...data)).code).toBe(
    0,
  );
  expect(JSON.stringify(await line.json("ingest", "git", at("sound"), ...data))).toContain(
    '"human":1',
  );
});

test("a folder of which the disk is away: all of it is gone, and comes back", async () => {
  const others = async () => (await list()).map(({ name, state }) => `${name} ${state}`);
  renameSync(join(at("broken"), "HEAD-"), join(at("broken"), "HEAD"));
  renameSync(shelf, `${shelf}-away`);
  mkdirSync(shelf);
  expect((await ingest(shelf)).code).toBe(3);
  expect(await others()).toEqual(["broken gone", "sound gone"]);
  rmSync(shelf, { recursive: true });
  expect((await ingest(shelf)).code).toBe(3);
  expect(await others()).toEqual(["broken gone", "sound gone"]);
  renameSync(`${shelf}-away`, shelf);
  expect((await ingest(shelf)).code).toBe(0);
  expect(await others()).toEqual(["broken read", "sound read"]);
});

test("one that has moved is read at its new place", async () => {
  renameSync(at("broken"), at("mended"));
  expect((await ingest(shelf)).code).toBe(0);
  expect((await list()).map(({ path, state }) => [path, state])).toEqual([
    [at("mended"), "read"],
    [at("sound"), "read"],
  ]);
});

test("an empty repository is named and nothing is missing, unless it had commits", async () => {
  const paths = [at("sound"), at("new")];
  inventRepository(at("new"), []);
  for (let run = 0; run < 2; run++) {
    const { code, err } = await ingest(...paths);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining(`left out ${at("new")}: it is empty. A later run reads it`),
    });
  }
  // A run that read nothing at all has done nothing.
  expect((await ingest(at("new"))).code).toBe(3);
  rmSync(at("new"), { recursive: true });
  inventRepository(at("new"), [{ author: ben }]);
  expect((await ingest(...paths)).code).toBe(0);
  rmSync(at("new"), { recursive: true });
  inventRepository(at("new"), []);
  expect((await ingest(...paths)).code).toBe(3);
  expect(await states()).toMatchObject({ new: "left_out" });
});
