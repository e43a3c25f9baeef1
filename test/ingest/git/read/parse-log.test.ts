import { expect, test } from "bun:test";
import fc from "fast-check";
import type { LoggedCommit } from "../../../../src/ingest/git/commit/logged-commit.ts";
import { parseLog } from "../../../../src/ingest/git/read/parse-log.ts";

const one = "1".repeat(40);
const two = "2".repeat(40);
const blob = "a".repeat(40);

/** What git writes for two commits, odd file names among them. */
const output = Buffer.from(
  [
    one,
    `${two} ${two}`,
    "1700000000",
    "1700000060",
    "Ada",
    "ada@example.com",
    "a@old.example",
    "A. Former",
    "Ada",
    "",
    "Merge\n",
    two,
    "",
    "",
    "",
    "Ben",
    "ben@example.org",
    "ben@example.org",
    "Ben",
    "Cora",
    "Co-authored-by: Ada <ada@example.com>\x1freviewed-by: Dee <d@example.com>\x1fCo-Authored-By: X <x@example.com>",
    "Subject\n\nBody\n",
    `\n:100644 100644 ${blob} ${blob} R090`,
    "1\t2\told",
    `${one}`,
    `:000000 100644 ${blob} ${blob} A`,
    ":100 weird\nname",
    `:100644 000000 ${blob} ${blob} D`,
    "bin",
    `:000000 120000 ${blob} ${blob} A`,
    "link",
    "3\t4\t",
    "1\t2\told",
    one,
    "7\t0\t:100 weird\nname",
    "-\t-\tbin",
    "1\t0\tlink",
  ]
    .map((token) => `${token}\0`)
    .join(""),
);

function parse(chunks: readonly Buffer[]): LoggedCommit[] {
  const commits: LoggedCommit[] = [];
  const parser = parseLog((commit) => commits.push(commit));
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return commits;
}

test("commits come out with their changes, whatever their files are called", () => {
  const [merge, root] = parse([output]);
  expect(merge).toMatchObject({ sha: one, parents: 2, seconds: 1_700_000_000, files: [] });
  expect(merge?.author).toMatchObject({ email: "ada@example.com", rawEmail: "a@old.example" });
  expect(root).toMatchObject({ parents: 0, message: "Subject\n\nBody\n" });
  expect(root?.seconds).toBeNaN();
  expect(root?.coAuthors).toEqual(["Ada <ada@example.com>", "X <x@example.com>"]);
  expect(root?.credits).toEqual([{ kind: "reviewed", trailer: "Dee <d@example.com>" }]);
  expect(root?.committerName).toBe("Cora");
  expect(root?.files).toMatchObject([
    { path: one, from: "1\t2\told", added: 3, deleted: 4, isNew: false, isRegular: true },
    { path: ":100 weird\nname", added: 7, isNew: true },
    { path: "bin", added: 0, deleted: 0 },
    { path: "link", isRegular: false },
  ]);
});

test("it does not matter where the bytes are cut", () => {
  const whole = parse([output]);
  fc.assert(
    fc.property(fc.array(fc.nat(output.length), { maxLength: 12 }), (cuts) => {
      const ends = [...cuts, output.length].sort((a, b) => a - b);
      const chunks = ends.map((end, at) => output.subarray(at === 0 ? 0 : ends[at - 1], end));
      expect(parse(chunks)).toEqual(whole);
    }),
  );
});

test("output that ends in the middle is no reading", () => {
  expect(() => parse([output.subarray(0, -3)])).toThrow("middle of a record");
});
