/**
 * Small pushed objects that a reader could make large: a text that says much, one that stands in many places, a list that is named
 * thousands of times. Memory is that of one of them at a time, and what nobody writes is left out.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { inventRepository, run } from "../ingest/git/invented-repository.ts";
import { addNote, composeAgentNote, listCommits } from "../ingest/git/notes/invented-notes.ts";
import { isLong } from "../long.ts";
import { makeFolder } from "../temporary-folder.ts";
import { startIngest } from "./ingest-process.ts";

const folder = makeFolder("git");
let made = 0;
const newPath = () => join(folder, `${made++}.git`);

/** @returns MiB that the run took beyond one of a small repository. */
async function ingest(path: string, commits: number): Promise<number> {
  const peakOf = async (...paths: readonly string[]) => {
    const ran = await startIngest(join(folder, `data-${made++}`), paths).ended();
    expect([ran.code, ran.refused]).toEqual([0, {}]);
    return ran;
  };
  const { read, peakMiB } = await peakOf(path);
  expect(Object.values(read)).toEqual([commits]);
  return peakMiB - small;
}

const small = await (async () => {
  const path = inventRepository(newPath(), [{}, {}]);
  return (await startIngest(join(folder, "data-small"), [path]).ended()).peakMiB;
})();

/** In the gate fewer, which is held against less memory. */
const versionsOfManifest = isLong ? 400 : 150;
const commitsOfNames = isLong ? 500 : 100;

const list = <Item>(length: number, make: (at: number) => Item): readonly Item[] =>
  Array.from({ length }, (_, at) => make(at));

/** A commit with one text in many places. */
function inventCopies(path: string, text: string, places: readonly string[], more = ""): string {
  inventRepository(path, []);
  const blob = `blob\nmark :1\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = places.map((place) => `M 100644 :1 ${place}\n`).join("");
  const commit = `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 3\nAdd\n`;
  run(path, ["fast-import", "--quiet"], Buffer.from(`${blob}${commit}${changes}${more}\n`));
  return path;
}

const inline = (path: string, text: string) =>
  `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;

/** Notes of 3 MB each: what is different in each is what a parser would keep. */
for (const [what, attested] of [
  [
    "paths that their commits did not change",
    (at: number) => list(150_000, (n) => `src/a/${at}/${n}.ts`),
  ],
  ["entries", (at: number) => [`f${at}.js`, ...list(200_000, (n) => `  h_${n} ${n + 1}`)]],
] as const) {
  test(`eight notes of ${what} take the memory of one`, async () => {
    const path = inventRepository(
      newPath(),
      list(8, (at) => `f${at}.js`).map((file) => ({ files: { [file]: "a();\n" } })),
    );
    for (const [at, commit] of listCommits(path).entries()) {
      const note = composeAgentNote(commit, `f${at}.js`, "1");
      addNote(path, commit, [...attested(at), note].join("\n"));
    }
    expect(await ingest(path, 8)).toBeLessThan(150);
  }, 300_000);
}

test("one text of 600,000 paths that is the note of 2,000 commits is read once", async () => {
  const path = inventRepository(
    newPath(),
    list(2000, (at) => ({ files: { "f.js": `a(${at});\n` } })),
  );
  const commits = listCommits(path);
  const text = `${list(600_000, (at) => at.toString(16)).join("\n")}\n${composeAgentNote(commits[0] ?? "", "f.js", "1")}`;
  const notes = commits.map((commit) => `M 100644 :1 ${commit}\n`).join("");
  run(
    path,
    ["fast-import", "--quiet"],
    Buffer.from(
      `blob\nmark :1\ndata ${text.length}\n${text}\ncommit refs/notes/ai\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 1\nx\n${notes}\n`,
    ),
  );
  expect(await ingest(path, 2000)).toBeLessThan(150);
}, 300_000);

test("a list of owners that is named thousands of times is refused, with the reason", async () => {
  const aliases = `aliases:\n${list(200, (a) => ` a${a}: [${list(100, (u) => `u${a}_${u}`).join()}]\n`).join("")}`;
  const owners = `x: &x [${list(200, (at) => `a${at}`).join()}]\nfilters:\n${list(100, (at) => ` "f${at}": {approvers: *x}\n`).join("")}`;
  const codeOwners = list(270_000, (at) => `a${at} @b\n`).join("");
  const more =
    inline("OWNERS_ALIASES", aliases) +
    inline("CODEOWNERS", codeOwners) +
    inline("main.go", "package main\n");
  const path = inventCopies(
    newPath(),
    owners,
    list(100, (at) => `d${at}/OWNERS`),
    more,
  );
  expect(await ingest(path, 1)).toBeLessThan(250);
}, 300_000);

test("a manifest of thousands of packages, in a thousand versions, is generated", async () => {
  const packages = (version: number) =>
    `{${list(8000, (at) => `"express-a${at}":"${version}"`).join()}}`;
  const versions = list(versionsOfManifest, (at) => ({
    files: { "package.json": `{"version":"${at}","dependencies":${packages(at)}}` },
  }));
  expect(await ingest(inventRepository(newPath(), versions), versionsOfManifest)).toBeLessThan(
    isLong ? 300 : 160,
  );
}, 300_000);

test("attributes in many folders are read up to a bound", async () => {
  const lines = list(36_000, (at) => `*.x${at} linguist-vendored\n`).join("");
  const path = inventCopies(
    newPath(),
    lines,
    list(isLong ? 250 : 120, (at) => `d${at}/.gitattributes`),
    inline("f.ts", "a();\n"),
  );
  expect(await ingest(path, 1)).toBeLessThan(200);
}, 300_000);

test("names of a hundred kilobytes are cut, and such addresses are none", async () => {
  const commits = list(commitsOfNames, (at) => ({
    author: `N${at} ${"x".repeat(100_000)} <n${at}@${"y".repeat(100_000)}.example>`,
    files: { "f.js": `a(${at});\n` },
  }));
  expect(await ingest(inventRepository(newPath(), commits), commitsOfNames)).toBeLessThan(200);
}, 300_000);
