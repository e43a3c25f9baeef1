import { expect, test } from "bun:test";
import { ByteWriter } from "../../../../src/ingest/git/commit/compact-bytes.ts";
import {
  type StoredCommit,
  writeStoredCommit,
} from "../../../../src/ingest/git/commit/stored-commit.ts";
import { iterateCommits } from "../../../../src/ingest/git/commit/stored-commits.ts";

const commit: StoredCommit = {
  sha: 7n,
  content: 8n,
  template: 9,
  seconds: 1_700_000_000,
  author: 1,
  coAuthors: [2, 300],
  credits: [
    { kind: "reviewed", trailer: 0 },
    { kind: "acked", trailer: 400 },
  ],
  agents: [1],
  files: [
    { path: 0, added: 5, deleted: 0, isRegular: true },
    { path: 200, added: 0, deleted: 70_000, isRegular: false },
  ],
  isMerge: false,
  semantic: true,
  good: false,
  withBody: true,
  withReference: false,
  withReason: true,
  isToolWritten: true,
  isRevert: false,
  isBulk: false,
  isDisordered: true,
  isIncomplete: false,
  isByAgent: true,
};

function toSegment(...commits: readonly ByteWriter[]): Uint8Array {
  const all = new ByteWriter();
  for (const one of commits) {
    all.number(one.length);
    all.append(one);
  }
  return Bun.zstdCompressSync(all.written());
}

test("a commit comes out as it was kept, added and deleted lines apart", () => {
  const one = new ByteWriter();
  writeStoredCommit(one, commit);
  expect([...iterateCommits([toSegment(one)])]).toEqual([commit]);
});

test("a commit of an older form, which kept the sum of its lines, can still be counted", () => {
  const one = new ByteWriter();
  one.fingerprint(7n);
  one.fingerprint(8n);
  // isToolWritten, isDisordered, withReason, withBody, semantic.
  one.number((1 << 11) | (1 << 8) | (1 << 5) | (1 << 3) | (1 << 1));
  one.number(1_700_000_000 * 2);
  for (const number of [9, 1, 2, 2, 300]) one.number(number);
  for (const number of [2, 0, 5 * 2 + 1, 200, 70_000 * 2]) one.number(number);
  const files = [
    { path: 0, added: 5, deleted: 0, isRegular: true },
    { path: 200, added: 70_000, deleted: 0, isRegular: false },
  ];
  const older = { ...commit, files, credits: [], agents: [], isByAgent: false };
  expect([...iterateCommits([toSegment(one)])]).toEqual([older]);
});
