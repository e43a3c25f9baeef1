/** Bundles that lie, end early, or become gigantic: each is left out with a line, and the others are read. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, inventRepository } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";
import { makeFolder } from "../temporary-folder.ts";
import { deltaBomb } from "./hostile-objects.ts";
import { startIngest } from "./ingest-process.ts";

const folder = makeFolder("git");
const at = (...names: string[]): string => join(folder, ...names);

const source = inventRepository(at("source.git"), [{}, {}, {}]);
const head = git(source, "rev-parse", "HEAD").toString().trim();
git(source, "bundle", "create", "--quiet", at("whole"), "--all", "HEAD");
const whole = readFileSync(at("whole"));
const pack = whole.subarray(whole.indexOf("\n\n") + 2);
const bomb = deltaBomb(isLong ? 400_000_000 : 300_000_000);

const bundle = (header: string, packed: Buffer = pack): Buffer =>
  Buffer.concat([Buffer.from(header), packed]);
const v2 = "# v2 git bundle\n";
const v3 = "# v3 git bundle\n";
const main = `${head} refs/heads/main\n`;
// Git reads the head of a bundle byte by byte: more of them take minutes.
const refCount = isLong ? 100_000 : 20_000;
const refs = Array.from({ length: refCount }, (_, at) => `${head} refs/heads/b${at}\n`).join("");

const cases: readonly (readonly [name: string, bytes: Buffer, expected: RegExp | number])[] = [
  ["whole", whole, 3],
  ["sha1", bundle(`${v3}@object-format=sha1\n${main}\n`), 3],
  ["very many refs", bundle(`${v2}${refs}${main}\n`), 3],
  [
    "odd names",
    bundle(`${v2}${head} ../../../evil\n${head} -x\n${head} refs/heads/\x1b]\n${main}\n`),
    3,
  ],
  ["twice", bundle(`${v2}${main.repeat(3)}\n`), 3],
  ["truncated", whole.subarray(0, whole.length - 60), /damaged bundle/],
  ["header only", Buffer.from(`${v2}${main}\n`), /damaged bundle/],
  ["no end of header", Buffer.from(v2 + main), /damaged bundle|bundle failed/],
  ["signature only", Buffer.from(v2), /empty bundle|damaged bundle|bundle failed/],
  ["no refs", bundle(`${v2}\n`), /empty bundle/],
  ["bad name", bundle(`${v2}${"z".repeat(40)} refs/heads/main\n\n`), /damaged bundle/],
  ["endless line", bundle(`${v2}${"a".repeat(500_000)}\n\n`), /damaged bundle/],
  ["missing tip", bundle(`${v2}${"1".repeat(40)} refs/heads/main\n\n`), /its? .*missing|damaged/],
  ["prerequisite", bundle(`${v2}-${"1".repeat(40)} gone\n${main}\n`), /incomplete bundle/],
  // The header says that objects may be missing, but none are.
  ["filtered", bundle(`${v3}@filter=blob:none\n${main}\n`), 3],
  ["unknown capability", bundle(`${v3}@run=/bin/sh\n${main}\n`), /unknown capability/],
  ["other names", bundle(`${v3}@object-format=sha256\n${main}\n`), /bundle failed|damaged/],
  ["changed", bundle(`${v2}${main}\n`, Buffer.from(pack).fill(7, 40, 60)), /damaged bundle/],
  [
    "deltas",
    bundle(`${v2}${bomb.blob} refs/heads/main\n\n`, bomb.pack),
    /more than 256 MiB of memory|damaged/,
  ],
];

test("hostile bundles stop nobody", async () => {
  mkdirSync(at("bundles"));
  for (const [name, bytes] of cases) writeFileSync(at("bundles", `${name}.bundle`), bytes);
  const args = ["--git-memory", "256", "--timeout", "4m", at("bundles")];
  const { code, read, refused, peakMiB } = await startIngest(at("data"), args).ended();
  const unlike = cases.flatMap(([name, , expected]) => {
    const found = refused[`${name}.bundle`] ?? read[`${name}.bundle`] ?? "nothing";
    const isAsExpected =
      typeof expected === "number" ? found === expected : expected.test(String(found));
    return isAsExpected ? [] : [`${name}: ${found}`];
  });
  expect(unlike).toEqual([]);
  expect(code).toBe(3);
  expect(peakMiB).toBeGreaterThan(1);
  expect(peakMiB).toBeLessThan(640);
}, 300_000);
