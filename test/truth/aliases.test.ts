import { expect, test } from "bun:test";
import { join } from "node:path";
import { readMailmap } from "../../scripts/measure/git/mailmap.ts";
import { truthOfAliases } from "../../scripts/measure/truth/aliases.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("truth");

const mailmap = [
  "# Who is whom.",
  "Ada Example <ada@example.com> <ada@old.example.com>",
  "Ada Example <ada@example.com> ada <ada@example.com>",
  "Ada Example <ada@example.com> <ada@third.example.com>",
  "Finn One <one@example.com> Finn Tenth <finn@one.example.com>",
  "Finn Two <two@example.com> Finn Tenth <finn@two.example.com>",
  "Ben Sample <ben@example.org> Ben <team@example.net>",
  "Cara Third <cara@example.net> <team@example.org>",
  "Dora Fourth <dora@example.net> D <team@example.org>",
];
const authors = [
  "Ada Example <ada@example.com>",
  "ada <ada@example.com>",
  "Ada <ada@old.example.com>",
  "Ada Example <ada@third.example.com>",
  "Finn Tenth <finn@one.example.com>",
  "Finn Tenth <finn@two.example.com>",
  "Ben Sample <ben@example.org>",
  "Ben <team@example.net>",
  // Of this one the file says nothing: it gives the address to Ben by his name only.
  "Eve <team@example.net>",
  "Cara <team@example.org>",
  "D <team@example.org>",
];
const repository = inventRepository(
  join(folder, "one.git"),
  authors.map((author, at) => ({
    author,
    files: at === 0 ? { ".mailmap": `${mailmap.join("\n")}\n` } : { [`${at}`]: "x" },
  })),
);

test("the mailmap speaks of what it changes, and of addresses that it gives to somebody", () => {
  const listed = readMailmap(repository)?.filter(({ isListed }) => isListed) ?? [];
  const names = listed.map(({ name, email, properName }) => `${name} <${email}> ${properName}`);
  expect(names.sort()).toEqual([
    "Ada <ada@old.example.com> ada example",
    "Ada Example <ada@example.com> ada example",
    "Ada Example <ada@third.example.com> ada example",
    "Ben <team@example.net> ben sample",
    "Ben Sample <ben@example.org> ben sample",
    "Cara <team@example.org> cara third",
    "D <team@example.org> dora fourth",
    "Finn Tenth <finn@one.example.com> finn one",
    "Finn Tenth <finn@two.example.com> finn two",
    "ada <ada@example.com> ada example",
  ]);
});

test("what is merged without the mailmap is held against it: right, wrong and missed", async () => {
  const { rows, misses, counts } = await truthOfAliases([repository]);
  // Of addresses, one pair of Ada's is merged and two are not, nor is Ben's; two are both called Finn Tenth.
  const figures = (name: string) => [
    { name: `${name}.precision`, value: 1 / 2, bar: 0.99, sense: "least" as const, met: false },
    { name: `${name}.recall`, value: 1 / 4, bar: 0.65, sense: "least" as const, met: false },
    // One address has both of Ada's names; another one has Cara's and Dora's.
    { name: `${name}.sharing.recall`, value: 1 },
  ];
  expect(rows).toEqual([...figures("aliases"), ...figures("aliases.unseen")]);
  expect(misses?.filter((miss) => miss.includes("the mailmap has two"))).toEqual([
    expect.stringMatching(/Finn Tenth .* \| Finn Tenth/),
    expect.stringMatching(/(Cara|D) <team@example.org> \| (Cara|D) <team@example.org>$/),
  ]);
  expect(counts).toContain(
    "of different addresses 2 pairs merged, 1 of them wrongly, 3 not merged",
  );
  expect(counts).toContain("sharing an address 2 merged, 1 wrongly, 0 not");
});
