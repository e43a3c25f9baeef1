import { expect, test } from "bun:test";
import { join } from "node:path";
import { truthOfNotes } from "../../scripts/measure/truth/notes.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import {
  addNote,
  composeAgentNote,
  composeNote,
  human,
  listCommits,
  session,
  trace,
} from "../ingest/git/notes/invented-notes.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("notes-truth");

test("the truth of notes counts every note line by line, and what git cannot compare is told", async () => {
  const path = inventRepository(
    join(folder, "parts.git"),
    Array.from({ length: 6 }, (_, at) => ({
      files: { [`part ${at}.js`]: "line();\n".repeat(10), "all.js": `${at}\n`.repeat(at + 1) },
    })),
  );
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = listCommits(path);
  addNote(path, first, composeAgentNote(first, "part 0.js", "1-4,7"));
  const key = `${session}::${trace}`;
  addNote(
    path,
    second,
    composeNote({
      base: first,
      files: {
        "part 1.js": { [key]: "1-4", [human]: "5", abcd1234abcd1234: "3-6" },
        "all.js": { human: "2" },
      },
      sessions: { [session]: "cursor" },
      prompts: { abcd1234abcd1234: "codex" },
    }),
  );
  addNote(path, third, composeAgentNote(third, "part 2.js", "1-11"));
  addNote(path, fourth, composeAgentNote(second, "part 3.js", "1"));
  addNote(path, fifth, "no note");
  const { rows, counts, misses, skipped } = await truthOfNotes([path], { tool: "", work: folder });
  expect(rows.map(({ name, value, met }) => [name, value, met])).toEqual([
    ["notes.verdicts (4)", 1, true],
    ["notes.lines (2)", 1, true],
  ]);
  expect(counts).toBe("4 notes, 2 believed");
  expect(misses).toEqual([]);
  expect(skipped).toEqual([`${path}: 1 commits that git cannot compare, or texts of no note`]);
});
