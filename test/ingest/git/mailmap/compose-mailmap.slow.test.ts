/** Rows for drawn histories, people and mailmaps, which git itself then reads. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { humanClass } from "../../../../src/ingest/git/identify/author-class.ts";
import type {
  AuthorIdentity,
  IdentityJoin,
  JoinKind,
} from "../../../../src/ingest/git/identify/author-identity.ts";
import {
  composeMailmap,
  type HistoryIdentity,
  splitByCertainty,
} from "../../../../src/ingest/git/mailmap/compose-mailmap.ts";
import { createRandom, drawSeeds } from "../../../random.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inventRepository, run } from "../invented-repository.ts";

const folder = inventRepository(makeFolder("mailmap"), []);
const format = ({ name, email }: { name: string; email: string }) => `${name} <${email}>`;
const parse = (text: string) => ({
  name: text.slice(0, text.lastIndexOf(" <")),
  email: text.slice(text.lastIndexOf(" <") + 2, -1),
});

function author(name: string, rawEmail: string): AuthorIdentity {
  const email = rawEmail.toLowerCase();
  return {
    ...{ key: `${email} ${name}`, name, email, rawEmail: email },
    ...{ properName: undefined, account: undefined, commits: 1, first: 1, last: 1 },
    ...{ repositories: new Set(["tool"]), classified: humanClass },
  };
}

/** As git shows each `Name <address>` with these lines of a mailmap. */
function ask(lines: readonly string[], written: readonly string[]): readonly string[] {
  const file = join(folder, "rows");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const settings = ["-c", `mailmap.file=${file}`, "-c", "mailmap.blob="];
  const input = Buffer.from(written.map((one) => `${one}\n`).join(""));
  const output = run(folder, [...settings, "check-mailmap", "--stdin"], input).toString();
  return output.split("\n").slice(0, -1);
}

const names = [
  ..."Ada Example|ada example|ada|ADA|A. Example|Ben Sample|ben|Ben B. Sample".split("|"),
  ..."# Hash Name|Jörg Ämter|Example, Ada|Ada Example and Ben Sample|o'neil|Cara".split("|"),
  "Long Name ".repeat(120).trim(),
];
const addresses = [
  ..."ada@example.com ADA@example.com ada@example.org Ben@Example.com ben@example.org".split(" "),
  ..."root@localhost 7+ada@users.noreply.github.com pair+ada+ben@example.com".split(" "),
  "a b@example.com",
];
const kinds: readonly JoinKind[] = ["decision", "same e-mail", "same name", "same handle"];

function draw(seed: number) {
  const random = createRandom(seed);
  const pick = <One>(some: readonly One[]): One => some[Math.floor(random() * some.length)] as One;
  const form = () => {
    const [proper, commit] = [`<${pick(addresses)}>`, `<${pick(addresses)}>`];
    return pick([
      `${pick(names)} ${proper}`,
      `${proper} ${commit}`,
      `${pick(names)} ${proper} ${commit}`,
      `${pick(names)} ${proper} ${pick(names)} ${commit}`,
      "# a comment",
      "",
    ]);
  };
  const lines = Array.from({ length: Math.floor(random() * 5) }, form).filter(
    (row) => row.length < 900,
  );
  const written = [
    ...new Set(Array.from({ length: 14 }, () => `${pick(names)} <${pick(addresses)}>`)),
  ];
  const shown = ask(lines, written).map(parse);
  const groups = new Map<number, AuthorIdentity[]>();
  const known = written.map((text, at) => {
    const { name, email } = parse(text);
    const one = author(shown[at]?.name ?? "", email);
    // A few are known to nobody.
    const group = Math.floor(random() * 6);
    if (group > 0) groups.set(group, [...(groups.get(group) ?? []), one]);
    const commits = 1 + Math.floor(random() * 9);
    return { name, email, shown: shown[at] ?? { name, email }, commits, group, one };
  });
  const people = new Map(
    [...groups].map(([group, some]) => {
      const joins = some.slice(1).map((one, at): IdentityJoin => {
        const kind = pick(kinds);
        const other = some[Math.floor(random() * (at + 1))] ?? one;
        return { kind, detail: one.rawEmail, spellings: [other, one] };
      });
      const rest = { classified: humanClass, accounts: [], addresses: new Set<string>() };
      return [group, { identities: some, joins, ...rest }] as const;
    }),
  );
  const everybody = known.map(({ group, one, ...rest }): HistoryIdentity => {
    const person = people.get(group);
    return person ? { ...rest, author: one, person } : rest;
  });
  return { lines, everybody };
}

for (const first of drawSeeds("mailmaps", [])) {
  test(`git shows each drawn person as the rows say, seed ${first}`, () => {
    let [rows, suggestions] = [0, 0];
    for (let seed = first * 1000; seed < first * 1000 + 150; seed++) {
      const { lines, everybody } = draw(seed);
      const composed = composeMailmap(everybody, lines);
      rows += composed.rows.length;
      suggestions += composed.suggestions.length;
      const next = [
        ...lines,
        ...composed.rows,
        ...composed.suggestions.map((row) => `# perhaps: ${row}`),
      ];
      const after = ask(next, everybody.map(format));
      expect({ seed, before: composed.before, after: composed.after }).toEqual({
        seed,
        before: new Set(everybody.map(({ shown }) => format(shown))).size,
        after: new Set(after).size,
      });
      for (const [at, one] of everybody.entries()) {
        const before = format(one.shown);
        if (before !== format(one))
          expect({ seed, shown: after[at] }).toEqual({ seed, shown: before });
        if (!one.person) expect(after[at]).toBe(before);
        for (const [number, other] of everybody.entries()) {
          if (one.person === other.person || before === format(other.shown)) continue;
          // Two people: one may be shown as the other only where the mailmap already did so with one of them.
          if (after[at] === after[number]) {
            const isOld = [one, other].some(({ shown, ...own }) => format(shown) !== format(own));
            expect({ seed, isOld, at, number }).toEqual({ seed, isOld: true, at, number });
          }
        }
      }
      const again = everybody.map((one, at) => ({ ...one, shown: parse(after[at] ?? "") }));
      const second = composeMailmap(again, next);
      expect([seed, ...second.rows, ...second.suggestions]).toEqual([seed]);
    }
    expect([rows > 100, suggestions > 20]).toEqual([true, true]);
  });
}

test("a part has nobody whom only a name, a handle or a stranger's address connects", () => {
  const [ada, adaAtWork, handle] = [
    author("Ada Example", "ada@example.com"),
    author("Ada Example", "a@example.org"),
    author("aexample", "x@example.org"),
  ];
  const [old, pair] = [
    author("Ines Other", "ada@example.com"),
    author("Ada Example and Ben Sample", "ada@example.com"),
  ];
  const join = (
    kind: JoinKind,
    detail: string,
    ...spellings: [AuthorIdentity, AuthorIdentity]
  ) => ({ kind, detail, spellings });
  const split = (identities: AuthorIdentity[], ...joins: IdentityJoin[]) =>
    splitByCertainty({ identities, joins }).map((part) => [...part]);
  expect(split([ada, adaAtWork], join("same name", "ada example in tool", ada, adaAtWork))).toEqual(
    [[ada, adaAtWork]],
  );
  expect(split([ada, handle], join("same handle", "aexample in tool", ada, handle))).toEqual([
    [ada],
    [handle],
  ]);
  expect(split([ada, old], join("same e-mail", "ada@example.com", ada, old))).toEqual([
    [ada],
    [old],
  ]);
  // What is stated needs no name, and what a pair of programmers connects is not connected.
  expect(split([ada, old], join("decision", "dec_1", ada, old))).toEqual([[ada, old]]);
  const both = [
    join("same e-mail", "ada@example.com", pair, ada),
    join("same name", "", pair, adaAtWork),
  ];
  expect(split([pair, ada, adaAtWork], ...both)).toEqual([[ada], [adaAtWork]]);
});
