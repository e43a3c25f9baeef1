import { expect, test } from "bun:test";
import type { ForgePage } from "../../../src/ingest/forges/forge.ts";
import { createListBounds } from "../../../src/ingest/forges/list-bounds.ts";

const people = (numbers: readonly number[], next?: string): ForgePage => ({
  accounts: numbers.map((number) => {
    return { number: `${number}`, login: `p${number}`, isBot: false, profile: {}, addresses: [] };
  }),
  ...{ repositories: [], hidden: 0, next },
});

/** @returns how many pages are read, and why no more. */
function readPages(page: (at: number) => ForgePage, known = () => 0) {
  const findEnd = createListBounds(1000, () => ({ people: known(), repositories: 0 }));
  for (let at = 1; at <= 5000; at++) {
    const end = findEnd(page(at));
    if (end !== undefined) return [at, end];
  }
  return undefined;
}

test("a list ends at a page that it names again, and where nothing new comes", () => {
  expect(readPages((at) => people([at], `${at % 7}`))).toEqual([
    8,
    "its next page was read already",
  ]);
  const idle = "its pages bring nothing new";
  expect(readPages((at) => people([1, 2, 3], `${at}`))).toEqual([4, idle]);
  // Pages of people who are hidden are empty.
  expect(readPages((at) => people([], `${at}`))).toEqual([100, idle]);
  expect(readPages((at) => people(at % 99 === 0 ? [at] : [], `${at}`))).toBeUndefined();
});

test("a list ends with the people that a source may have, those of earlier walks included", () => {
  let stored = 0;
  const page = (at: number) => {
    const numbers = Array.from({ length: 50 }, (_, one) => at * 100 + one);
    stored += numbers.length;
    return people(numbers, `${at}`);
  };
  expect(readPages(page, () => stored)).toEqual([
    21,
    "the source has more than 1000 people (maxPeople)",
  ]);
  // The same people as before are none too many.
  const same = (at: number) => people([at], `${at}`);
  expect(readPages(same, () => 1000)).toBeUndefined();
});

test("addresses and repositories are ten times as many as people at most", () => {
  const addresses = (at: number) => {
    const list = Array.from({ length: 100 }, (_, one) => `${at}-${one}@a.example`);
    return new Map([["1", list.map((address) => ({ address, isPublished: false }))]]);
  };
  const read = readPages((at) => ({ ...people([], `${at}`), addresses: addresses(at) }));
  expect(read).toEqual([101, "it holds more than 10000 entries (ten times maxPeople)"]);
});
