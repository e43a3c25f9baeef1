/** A name that a mailmap replaces is not shown, whichever repository has it. */
import { expect, test } from "bun:test";
import { ben, openInventor } from "../invented-repository.ts";
import { openRosterFolder } from "../roster-folder.ts";

const invent = openInventor();
const former = "Rob Oldname <ria@example.com>";

/** Reads places one run after the other. @returns what is exported, and found by the former name. */
async function show(...runs: readonly (readonly string[])[]) {
  const roster = openRosterFolder(() => new Date("2026-11-01T12:00:00Z"));
  for (const places of runs) await roster.ingest(...places);
  const text = JSON.stringify(await roster.exportAll());
  const found = await roster.call([0], "find", "Oldname", "--json");
  roster.close();
  return { text, total: JSON.parse(found).data.total };
}

const toRia = (from: string, file = "Ria Newname <ria@example.com>") =>
  invent([{ author: from, files: { ".mailmap": `${file}\n`, "a.ts": "let a;\n" } }]);
const mapped = () => toRia(former);
const unmapped = (author: string = former) =>
  invent([1, 2, 3].map((at) => ({ author, message: `Change ${at}` })));

test("it is hidden where no mailmap is, in any order of reading", async () => {
  for (const runs of [
    [[mapped(), unmapped()]],
    [[mapped()], [unmapped()]],
    [[unmapped()], [mapped()]],
  ]) {
    const { text, total } = await show(...runs);
    expect(text).toContain("Ria Newname");
    expect(text).not.toContain("Oldname");
    expect(total).toBe(0);
  }
});

test("it is hidden in another case, in trailers, and under an old address that the mailmap names", async () => {
  const { text } = await show([
    toRia("rob OLDNAME <rob@old.example>", "Ria Newname <ria@example.com> <rob@old.example>"),
    unmapped("Rob Oldname <rob@old.example>"),
    invent([{ author: ben, message: "Add it\n\nCo-authored-by: Rob Oldname <rob@old.example>\n" }]),
  ]);
  expect(text).toContain("Ria Newname");
  expect(text.toLowerCase()).not.toContain("oldname");
});

test("a name for which no mailmap has another stays, and so does one of each other's", async () => {
  const other = (name: string, from: string) =>
    toRia(`${from} <ria@example.com>`, `${name} <ria@example.com>`);
  const { text } = await show([mapped(), unmapped("Ria Married <ria@example.com>")]);
  expect(text).toContain("Ria Newname");
  expect(text).toContain("Ria Married");
  const both = await show([other("Ria Aone", "Ria Btwo"), other("Ria Btwo", "Ria Aone")]);
  expect(both.text).toMatch(/Ria (Aone|Btwo)/);
});
