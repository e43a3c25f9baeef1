/** One parser reads the people of a trailer: here, in marks of agents, and what git is asked about. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { parseSignatures } from "../../../../src/ingest/git/credit/signatures.ts";
import { parseTrailers } from "../../../../src/ingest/git/credit/trailers.ts";
import { openGit } from "../../../../src/ingest/git/git-command.ts";
import { createRecording } from "../../../../src/ingest/git/read/history-recording.ts";
import { mapCoAuthors } from "../../../../src/ingest/git/read/read.ts";
import { isLong, rounds } from "../../../long.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inventCommit } from "../invented-history.ts";
import { inventRepository } from "../invented-repository.ts";

const written = (text: string) =>
  parseSignatures(text).map(({ name, email }) => `${name} <${email}>`.trim());

test("one address is one person", () => {
  for (const [text, person] of [
    ["Dora Probe <dora@example.com>", "Dora Probe <dora@example.com>"],
    ["  Dora   <dora@example.com> ", "Dora <dora@example.com>"],
    ["<dora@example.com>", "<dora@example.com>"],
    ["Probe, Dora <dora@example.com>", "Probe, Dora <dora@example.com>"],
    ["Dora and Emil <pair@example.com>", "Dora and Emil <pair@example.com>"],
    ["Dora (@dora.p) <dora@example.com>", "Dora (@dora.p) <dora@example.com>"],
    ["dora@example.com <Dora@Example.com>", "dora@example.com <Dora@Example.com>"],
  ] as const) {
    expect([text, written(text)]).toEqual([text, [person]]);
  }
});

test("several names with an address each are several people", () => {
  const both = ["Dora Probe <dora@example.com>", "Emil Rasch <emil@example.com>"];
  for (const between of [", ", ",", "; ", " & ", " and ", " AND  ", " , ", ",\n "]) {
    expect([between, written(both.join(between))]).toEqual([between, both]);
  }
  expect(written("A, B <a@x.example>, C, D <c@x.example>")).toEqual([
    "A, B <a@x.example>",
    "C, D <c@x.example>",
  ]);
});

test("two addresses of which it is not clear whose they are name nobody", () => {
  for (const text of [
    "Mallory <mallory@example.net> <vera@example.org>",
    "Mallory <mallory@example.net>, <vera@example.org>",
    "Mallory <mallory@example.net>; <vera@example.org>",
    "<mallory@example.net> Vera Holm <vera@example.org>",
    "Mallory <mallory@example.net> Vera Holm <vera@example.org>",
    "Mallory <mallory@example.net>Vera Holm <vera@example.org>",
    "Mallory <mallory@example.net <vera@example.org>",
    "Mallory <mallory@example.net <vera@example.org>>",
    "Mallory <<vera@example.org>",
    "Mallory mallory@example.net> <vera@example.org>",
    "Mallory <mallory@example.net, vera@example.org>",
    "Mallory <mallory@example.net vera@example.org>",
    "Mallory <mallory@example.net;vera@example.org>",
    "Mallory <mallory@example.net> (vera@example.org)",
    "Mallory <mallory@example.net>\nVera <vera@example.org>",
    `${"M".repeat(257)} <mallory@example.net>`,
    `Mallory <${"m".repeat(320)}@example.net>`,
    "Mallory <>",
    "Mallory",
    "",
  ]) {
    expect([text, written(text)]).toEqual([text, []]);
  }
  expect(written("A <a@x.example>, ".repeat(200).slice(0, -2))).toEqual([]);
});

test("another address in the place of the name is no name", () => {
  expect(written("vera@example.org <mallory@example.net>")).toEqual(["<mallory@example.net>"]);
  expect(written("Mallory (vera@example.org) <mallory@example.net>")).toEqual([
    "<mallory@example.net>",
  ]);
});

test("a commit names a hundred co-authors at most, and as many of each kind of credit", () => {
  const lines = Array.from({ length: 150 }, (_, at) => `P${at} <p${at}@example.com>`);
  const { coAuthors, credits } = parseTrailers([
    ...lines.map((person) => `Co-authored-by: ${person}`),
    `Reviewed-by: ${lines.slice(0, 80).join(", ")}`,
  ]);
  expect([coAuthors.length, credits.length]).toEqual([100, 80]);
  expect(credits[79]?.trailer).toBe("P79 <p79@example.com>");
});

test("a history with more people in trailers than any project has is left out, with the reason", () => {
  const recording = createRecording();
  const take = (at: number) =>
    recording.take(
      inventCommit(
        {
          ...{
            author: "Ada Example <ada@example.com>",
            day: 20_000,
            subject: "Add",
            paths: ["a.go"],
          },
          coAuthors: Array.from({ length: 100 }, (_, person) => `P <p${at}.${person}@example.com>`),
        },
        `${at}`,
      ),
    );
  for (let at = 0; at < 1500; at++) take(at);
  expect(recording.newTrailers().size).toBe(150_000);
  expect(() => {
    for (let at = 1500; at < 3000; at++) take(at);
  }).toThrow("names too many files and people");
});

test("git reads each of them as they were read here, whatever a trailer says", async () => {
  const directory = inventRepository(join(makeFolder("git"), "no-mailmap.git"), [{}]);
  const parts = ["A", "Vera Holm", " ", "<", ">", "v@x.example", "m@y.example", ",", "; ", " and "];
  const texts = fc.sample(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), {
    seed: 47,
    numRuns: rounds(20_000),
  });
  const named = texts.flatMap(
    (some) => parseTrailers([`Co-authored-by: ${some.join("")}`]).coAuthors,
  );
  const mapped = await mapCoAuthors(openGit(), { directory }, new Set(named));
  expect(mapped.size).toBeGreaterThan(isLong ? 100 : 20);
  for (const [trailer, { name, email, rawEmail }] of mapped) {
    expect([trailer, rawEmail, `${name} <${email}>`.trim()]).toEqual([trailer, email, trailer]);
  }
});

test("names lose their quotes", () => {
  for (const [text, person] of [
    ['"Dora Probe" <dora@example.com>', "Dora Probe <dora@example.com>"],
    ["'Dora Probe' <dora@example.com>", "Dora Probe <dora@example.com>"],
    ['"Probe, Dora" <dora@example.com>', "Probe, Dora <dora@example.com>"],
    ['"Dora \\"Do\\" Probe" <dora@example.com>', 'Dora "Do" Probe <dora@example.com>'],
    ['Dora "Do" Probe <dora@example.com>', 'Dora "Do" Probe <dora@example.com>'],
    ["O'Dora <dora@example.com>", "O'Dora <dora@example.com>"],
    ['"vera@example.org" <mallory@example.net>', "<mallory@example.net>"],
  ] as const) {
    expect([text, written(text)]).toEqual([text, [person]]);
  }
});

test("co-authors count on any line that the message says itself", () => {
  const dora = "Dora Probe <dora@example.com>";
  const message = (line: string) =>
    `Add it (#7)\n\n* first\n\n${line}\n\n* second\n\nMore of it.\n`;
  for (const [line, named] of [
    [`Co-authored-by: ${dora}`, [dora]],
    [`CO-AUTHORED-BY: "Dora Probe" <dora@example.com>\r`, [dora]],
    [`* Co-authored-by: ${dora}`, [dora]],
    [`Co-authored-by: ${dora}\nCo-authored-by: ${dora}`, [dora]],
    [`Co-authored-by: ${dora}, Emil <emil@example.com>`, [dora, "Emil <emil@example.com>"]],
    [`> Co-authored-by: ${dora}`, []],
    [`    Co-authored-by: ${dora}`, []],
    [`\tCo-authored-by: ${dora}`, []],
    [`It has Co-authored-by: ${dora}`, []],
    [`\`Co-authored-by: ${dora}\``, []],
    [`\`\`\`\nCo-authored-by: ${dora}\n\`\`\``, []],
    [`\`\`\`\nCo-authored-by: ${dora}`, [dora]],
    [`Reviewed-by: ${dora}`, []],
  ] as const) {
    expect([line, parseTrailers([], message(line)).coAuthors]).toEqual([line, named]);
  }
  const credits = parseTrailers([`Reviewed-by: ${dora}`], message("x")).credits;
  expect(credits).toEqual([{ kind: "reviewed", trailer: dora }]);
});
