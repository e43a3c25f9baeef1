import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createIdentityFinder } from "../../../src/ingest/git/identify/author-identities.ts";
import type { AuthorIdentity } from "../../../src/ingest/git/identify/author-identity.ts";
import { groupPeople } from "../../../src/ingest/git/identify/group-people.ts";
import { createIdentityRules, noFiles } from "../../../src/ingest/git/identify/rules.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "Who is who, against pairs of spellings that people have rated.",
  takes: "FILE...",
  run: ({ paths }) => truthOfPairs(paths),
});

/** Two spellings, and a rater's certainty that they are one person: 1, 0.5 or 0. */
interface RatedPair {
  readonly a: string;
  readonly b: string;
  readonly score: number;
  isMerged: boolean;
}

/**
 * Compares the merging of authors with pairs that people have rated by name and address, as if both had worked in one
 * repository. There is no bar, because such samples consist of pairs about which methods disagreed.
 *
 * @param files lines `Name <address>,Name <address>,...,score` after a line of titles, plain or gzipped.
 */
export async function truthOfPairs(files: readonly string[]): Promise<Findings> {
  const pairs = files.flatMap(readPairs);
  const rules = createIdentityRules(noFiles, []);
  const findIdentity = createIdentityFinder(rules);
  const all = new Set<AuthorIdentity>();
  const found = pairs.map((pair, at) => {
    const both = [pair.a, pair.b].map((text) => findIdentity(toSignature(text), `pair ${at}`));
    for (const one of both) all.add(one);
    return { pair, both };
  });
  const { people } = groupPeople([...all], { sameCommit: [], rules });
  for (const { pair, both } of found) {
    pair.isMerged = people.some((person) => both.every((one) => person.identities.includes(one)));
  }
  const count = (score: number, isMerged: boolean) =>
    pairs.filter((pair) => pair.score === score && pair.isMerged === isMerged).length;
  const [right, wrong] = [count(1, true), count(0, true)];
  const rated = pairs.filter(({ score }) => score !== 0.5);
  return {
    rows: [
      toShare("pairs.precision", right, right + wrong),
      toShare("pairs.recall", right, right + count(1, false)),
      toShare("pairs.agreement", right + count(0, false), rated.length),
    ],
    counts: [1, 0.5, 0]
      .map((score) => `rated ${score}: ${count(score, true)} merged, ${count(score, false)} not`)
      .join("; "),
    misses: rated
      .filter(({ score, isMerged }) => isMerged !== (score === 1))
      .map(
        ({ a, b, isMerged }) => `${isMerged ? "merged, and rated two" : "not merged"}: ${a} | ${b}`,
      ),
  };
}

function readPairs(file: string): RatedPair[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new UnusableInput(`${file} cannot be read`);
  }
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("utf8");
  const found = text.split(/\r?\n/).flatMap((line): RatedPair[] => {
    const [, a, b, score] = /^"?(.*?<[^>]*>?)"?,"?(.*<.*?>?)"?,.*,(1|0\.5|0)$/.exec(line) ?? [];
    return a && b ? [{ a, b, score: Number(score), isMerged: false }] : [];
  });
  if (found.length === 0) throw new UnusableInput(`${file} has no rated pair`);
  return found;
}

function toSignature(text: string) {
  const open = text.lastIndexOf("<");
  const email = text.slice(open + 1).replace(/>.*$/, "");
  return { name: text.slice(0, open).trim(), email, rawEmail: email };
}
