import { expect, test } from "bun:test";
import { createKey, isKey } from "../../src/accounts/keys.ts";

test("ten thousand keys have the published form, hold their checksum and are all different", () => {
  const keys = Array.from({ length: 10_000 }, () => createKey());
  expect(keys.filter((key) => !/^rst_[0-9A-Za-z]{49}$/.test(key) || !isKey(key))).toEqual([]);
  expect(new Set(keys).size).toBe(10_000);
});

test("every character is as likely as any other", () => {
  // Each byte value once: 248 of them are used, and give each of the 62 characters four times.
  let next = 0;
  const everyByte = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256);
  const bodies = Array.from({ length: 62 * 4 }, () => createKey(everyByte).slice(4, 47)).join("");
  const counts = new Map<string, number>();
  for (const character of bodies) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const [least, most] = [Math.min(...counts.values()), Math.max(...counts.values())];
  expect(most - least).toBeLessThanOrEqual(4);
});

test("the checksum is the CRC-32 of the 43 characters in base62, as documented for scanners", () => {
  const key = createKey(() => new Uint8Array(43).fill(0));
  // CRC-32 of 43 zeros, computed by another implementation.
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const sum = [...key.slice(-6)].reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);
  expect(key.slice(4, 47)).toBe("0".repeat(43));
  expect(sum).toBe(Bun.hash.crc32("0".repeat(43)));
});

test("any single changed character is noticed", () => {
  const key = createKey();
  for (let place = 4; place < key.length; place += 1) {
    const other = key[place] === "a" ? "b" : "a";
    expect(isKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
  }
});

test.each([
  "",
  "rst_",
  "key",
  `rst_${"0".repeat(49)}`,
  `${createKey()} `,
  `x${createKey()}`,
  `${createKey()}\n`,
])("%p is no key", (text) => {
  expect(isKey(text)).toBe(false);
});
