/** Invented people whose names, histories and languages try the layout of pages. */
import type { ByMonth } from "../../../src/contract/people/credit-facts.ts";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { inventedPeople } from "../../invented-people.ts";

const ada = inventedPeople[0] as Facts;

/** @returns some commits in each month from January of the first year to October of the last. */
export function writeYears(first: number, last: number): ByMonth {
  const months: ByMonth = {};
  for (let month = 12 * first; month < 12 * last + 10; month++) {
    const name = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
    if (month % 5 !== 0) months[name] = 1 + (month % 7);
  }
  return months;
}

const nameOf100 = `${"Wolfeschlegelsteinhausenbergerdorff".repeat(3)}x`.slice(0, 100);
const years = writeYears(2001, 2026);

export const oddPeople: readonly Facts[] = (
  [
    ["long-name-example", nameOf100],
    ["right-to-left-example", "ליאורה בן-דוגמה אבולעפיה המשולשת"],
    ["cjk-example", "勅使河原樹里愛架空太郎左衛門尉源朝臣見本人"],
  ] as const
).map(([login, name]) => ({
  ...ada,
  ...{ login, formerLogins: [], accounts: [] },
  profile: {
    ...ada.profile,
    name,
    location: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
  },
  emails: [],
  commits: {
    ...(ada.commits as NonNullable<Facts["commits"]>),
    ...{ volume: years, total: Math.round(Object.values(years).reduce((a, b) => a + b, 0)) },
    ...{ first: "2001-01-09", last: "2026-10-20" },
  },
  repositories: [
    { name: `${login}/${"a-repository-of-many-words-".repeat(4)}`, owned: true, commits: 40 },
    { name: "acme/payments", owned: false, commits: 30, forge: "git.example:8443" },
    { name: "acme/odd name", owned: false, commits: 20, forge: "javascript:alert(1)//" },
  ],
  evidence: ada.evidence.map((one) => ({ ...one, months: years })),
}));
