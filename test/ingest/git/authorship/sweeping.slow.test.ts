/** What sweeps over a repository moves nobody into the first three of any folder; who has left sinks. */
import { expect, test } from "bun:test";
import { createRandom, drawSeed } from "../../../random.ts";
import { type InventedCommit, openInventor } from "../invented-repository.ts";
import { openKnowledge } from "./opened-knowledge.ts";

const invent = openInventor();

const folders = ["core", "core/net", "web", "web/ui", "docs"];
const workers = ["ada", "ben", "cleo", "dmitri", "elena", "farid"].map(
  (login, at) =>
    `${login[0]?.toUpperCase()}${login.slice(1)} Example <${at + 1}+${login}@users.noreply.github.com>`,
);
const sweeper = "Sweeper Sample <99+sweeper@users.noreply.github.com>";

/** Six people, each with a part of their own, over two years. */
function inventHistory(seed: number): { commits: InventedCommit[]; files: Map<string, string> } {
  const draw = createRandom(seed);
  const upTo = (most: number) => Math.floor(draw() * most);
  const files = new Map<string, string>();
  const commits: InventedCommit[] = [];
  for (let at = 0; at < 120; at++) {
    const part = upTo(folders.length);
    const author = draw() < 0.7 ? workers[part] : workers[upTo(workers.length)];
    const changed: Record<string, string> = {};
    for (let n = 0; n < 1 + upTo(3); n++) {
      const path = `${folders[part]}/part-${upTo(8)}.js`;
      const before = (files.get(path) ?? "").split("\n").slice(upTo(4));
      const added = Array.from(
        { length: 2 + upTo(20) },
        () => `  const value${upTo(1e6)} = ${upTo(99)};`,
      );
      const text = [...before, ...added].join("\n");
      files.set(path, text);
      changed[path] = text;
    }
    const day = new Date(Date.UTC(2024, 9, 1) + at * 6 * 86_400_000);
    commits.push({ ...(author && { author }), at: day.toISOString().slice(0, 10), files: changed });
  }
  return { commits, files };
}

type Sweep = (
  files: ReadonlyMap<string, string>,
  commits: readonly InventedCommit[],
) => NonNullable<InventedCommit["files"]>;
const importTo = (folder: string) => () =>
  Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `${folder}/file-${at}.js`,
      `export const thing${at} = ${at};\n`.repeat(40),
    ]),
  );
/** By message, the files of a commit. */
const sweeps: Record<string, Sweep> = {
  "Use semicolons and tabs": (files) =>
    Object.fromEntries(
      [...files].map(([path, text]) => [path, text.replaceAll("  const", "\tlet")]),
    ),
  "Import the library as vendored": importTo("vendor/library"),
  "Import the library outside of vendored paths": importTo("core/library"),
  "Move everything": (files) =>
    Object.fromEntries(
      [...files].flatMap(([path, text]): [string, string | null][] => [
        [path, null],
        [path.replace(/part-/, "piece-"), text],
      ]),
    ),
  'Revert "Change number 119"\n\nThis reverts commit 1234567890123456789012345678901234567890.': (
    _,
    commits,
  ) =>
    Object.fromEntries(
      Object.keys(commits.at(-1)?.files ?? {}).map((path) => [path, "const back = 1;\n"]),
    ),
};

for (const [message, sweep] of Object.entries(sweeps)) {
  test(`${message.split("\n")[0]} moves nobody into the first three`, async () => {
    const first = drawSeed("sweeping");
    for (let seed = first; seed < first + 3; seed++) {
      const { commits, files } = inventHistory(seed);
      const swept = { author: sweeper, at: "2026-11-01", message, files: sweep(files, commits) };
      const data = openKnowledge();
      await data.ingest([invent([...commits, swept])]);
      for (const path of ["", ...folders]) {
        expect([path, (await data.logins({ path })).slice(0, 3)]).not.toEqual([
          path,
          expect.arrayContaining(["sweeper"]),
        ]);
      }
    }
  }, 300_000);
}

test("who left two years ago sinks below who does the same work now", async () => {
  const [gone = "", here = ""] = workers;
  const work = (author: string, year: number, name: string): InventedCommit[] =>
    Array.from({ length: 8 }, (_, at) => ({
      author,
      at: `${year}-0${at + 1}-10`,
      files: { [`core/${name}-${at}.js`]: "const a = 1;\n".repeat(20) },
    }));
  const data = openKnowledge();
  await data.ingest([invent([...work(gone, 2024, "old"), ...work(here, 2026, "new")])]);
  expect(await data.logins({ path: "core" })).toEqual(["ben", "ada"]);
});

test("who wrote a quiet folder stands before who keeps the whole tree free of warnings", async () => {
  const parts = ["one", "two", "three", "four", "five", "six"];
  const text = (part: string, line: number) =>
    Array.from({ length: 80 }, (_, at) => `const ${part}${at} = ${line > at ? -at : at};\n`).join(
      "",
    );
  const written = parts.map((part, at) => ({
    author: workers[at] ?? "",
    at: `2021-02-${10 + at}`,
    files: { [`${part}/a.js`]: text(part, 0), [`${part}/b.js`]: text(part, 0) },
  }));
  const swept = Array.from({ length: 9 }, (_, month) => ({
    author: sweeper,
    at: `2026-0${month + 1}-05`,
    message: "Silence a warning",
    files: Object.fromEntries(parts.map((part) => [`${part}/a.js`, text(part, month + 1)])),
  }));
  const data = openKnowledge();
  const elsewhere = workers.map((author, at) => ({
    ...{ author, at: "2025-02-01", files: { [`elsewhere/${at}.js`]: "const a = 1;\n" } },
  }));
  await data.ingest([invent([...written, ...elsewhere, ...swept])]);
  for (const [at, part] of parts.entries()) {
    const login = workers[at]?.split(" ")[0]?.toLowerCase() ?? "";
    expect(await data.logins({ path: part })).toEqual([login, "sweeper"]);
  }
});

test("work that came in one commit is its author's once others work on it, and an import is not", async () => {
  const [author = "", helper = ""] = workers;
  const text = (part: string) => `export const ${part} = 1;\n`.repeat(60);
  const squashed = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [`app/own/file-${at}.js`, text(`own${at}`)]),
  );
  const library = (version: number) =>
    Object.fromEntries(
      Array.from({ length: 24 }, (_, at) => [
        `lib/other/file-${at}.js`,
        text(`other${at}`).repeat(4) + text(`version${version}`),
      ]),
    );
  const data = openKnowledge();
  await data.ingest([
    invent([
      { author, at: "2024-03-01", message: "Release version one", files: squashed },
      { author: sweeper, at: "2024-03-02", message: "Add the library", files: library(1) },
      { author: sweeper, at: "2024-04-02", message: "Update the library", files: library(2) },
      ...Array.from({ length: 4 }, (_, at) => ({
        author: helper,
        at: `2024-0${at + 4}-01`,
        files: {
          [`app/own/file-${at}.js`]: `${text(`own${at}`)}export const more = ${at};\n`,
          [`lib/glue-${at}.js`]: "export const glue = 1;\n".repeat(9),
        },
      })),
      { author: helper, at: "2025-09-01", files: { "lib/other/file-1.js": text("patched") } },
      { author: helper, at: "2025-09-02", rename: ["app/own/file-9.js", "vendor/own/file-9.js"] },
    ]),
  ]);
  expect(await data.logins({ path: "app" })).toEqual(["ada", "ben"]);
  expect(await data.logins({ path: "lib" })).toEqual(["ben", "sweeper"]);
  expect(await data.logins({ path: "lib/other" })).toEqual(["ben", "sweeper"]);
  expect(await data.logins({ path: "vendor" })).toEqual([]);
  // Nobody hands over a library.
  expect((await data.ask({ without: ["sweeper"] })).handover?.files).toBe(0);
});
