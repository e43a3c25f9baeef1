/** The stored form of one commit. It contains no text. */
import type { ByteReader, ByteWriter } from "./compact-bytes.ts";
import { fingerprintSha } from "./fingerprints.ts";

/** The kinds of credit. Add new kinds at the end, because histories store the position of a kind. */
export const creditKinds = ["reviewed", "tested", "reported", "signedOff", "acked"] as const;
export type CreditKind = (typeof creditKinds)[number];

export interface MessageFindings {
  /** Whether the first line has the form of a conventional commit. */
  readonly semantic: boolean;
  readonly good: boolean;
  readonly withBody: boolean;
  readonly withReference: boolean;
  readonly withReason: boolean;
  readonly isToolWritten: boolean;
}

export interface StoredFile {
  readonly path: number;
  /** Lines added. Histories of an older form store the sum of added and deleted lines here. */
  readonly added: number;
  readonly deleted: number;
  /** Whether the path is a regular file, not a link or a submodule. */
  readonly isRegular: boolean;
}

interface StoredCredit {
  readonly kind: CreditKind;
  readonly trailer: number;
}

export interface StoredCommit extends MessageFindings {
  readonly sha: bigint;
  /** Fingerprint of the content. Copies of a change have the same fingerprint. 0 for merges. */
  readonly content: bigint;
  /** Fingerprint of the form of the subject. 0 for merges. */
  readonly template: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Number of the author's signature in this history. */
  readonly author: number;
  readonly coAuthors: readonly number[];
  readonly credits: readonly StoredCredit[];
  /** The agents that took part, as indexes of `PathMetadata.agents`. */
  readonly agents: readonly number[];
  readonly files: readonly StoredFile[];
  readonly isMerge: boolean;
  readonly isRevert: boolean;
  readonly isBulk: boolean;
  /** Whether the author date contradicts the committer date. */
  readonly isDisordered: boolean;
  /** Whether the changed lines are unknown. */
  readonly isIncomplete: boolean;
  readonly isByAgent: boolean;
}

/** The flags of a commit. Add new flags at the end, because histories store the position of a flag. */
const flags = [
  "isMerge",
  "semantic",
  "good",
  "withBody",
  "withReference",
  "withReason",
  "isRevert",
  "isBulk",
  "isDisordered",
  "isUndated",
  "isIncomplete",
  "isToolWritten",
  "isOfForm6",
  "isByAgent",
] as const;
const undatedFlag = 1 << flags.indexOf("isUndated");
/** Marks commits of form 6, which stores credits and agents. */
const form6Flag = 1 << flags.indexOf("isOfForm6");

/** Formats a commit's fingerprint in hexadecimal digits. `PathMetadata` refers to commits in this form. */
export function formatCommitName({ sha }: Pick<StoredCommit, "sha">): string {
  return sha.toString(16);
}

export function toCommitName(sha: string): string {
  return formatCommitName({ sha: fingerprintSha(sha) });
}

export function writeStoredCommit(out: ByteWriter, commit: StoredCommit): void {
  const { seconds } = commit;
  const isDated = Number.isSafeInteger(seconds) && Math.abs(seconds) < 2 ** 51;
  let bits = isDated ? form6Flag : form6Flag | undatedFlag;
  for (const [at, flag] of flags.entries()) {
    if (flag !== "isUndated" && flag !== "isOfForm6" && commit[flag]) bits |= 1 << at;
  }
  out.fingerprint(commit.sha);
  out.fingerprint(commit.content);
  out.number(bits);
  out.number(isDated ? (seconds < 0 ? -seconds * 2 - 1 : seconds * 2) : 0);
  out.number(commit.template);
  out.number(commit.author);
  out.number(commit.coAuthors.length);
  for (const trailer of commit.coAuthors) out.number(trailer);
  out.number(commit.credits.length);
  for (const { kind, trailer } of commit.credits) {
    out.number(trailer * kindsMax + creditKinds.indexOf(kind));
  }
  out.number(commit.agents.length);
  for (const agent of commit.agents) out.number(agent);
  out.number(commit.files.length);
  for (const { path, added, deleted, isRegular } of commit.files) {
    out.number(path);
    out.number(added * 2 + (isRegular ? 1 : 0));
    out.number(deleted);
  }
}

/** The most kinds of credit that the stored form has room for. */
const kindsMax = 16;

function readCredit(from: ByteReader): StoredCredit {
  const both = from.number();
  const kind = creditKinds[both % kindsMax];
  if (!kind) throw new Error("A stored commit has a credit of an unknown kind.");
  return { kind, trailer: Math.floor(both / kindsMax) };
}

/** Reads the first fields of a commit, which are used for sorting and the index. */
export function readStoredHead(from: ByteReader) {
  const sha = from.fingerprint();
  const content = from.fingerprint();
  const bits = from.number();
  const seconds = secondsOf(from.number(), bits);
  const is = (flag: (typeof flags)[number]): boolean => (bits & (1 << flags.indexOf(flag))) !== 0;
  return { sha, content, seconds, is, isMerge: is("isMerge"), isDisordered: is("isDisordered") };
}

export function readStoredCommit(from: ByteReader): StoredCommit {
  const { sha, content, seconds, is, isMerge, isDisordered } = readStoredHead(from);
  const template = from.number();
  const author = from.number();
  const list = <T>(read: () => T): T[] => Array.from({ length: from.number() }, read);
  const number = () => from.number();
  const isOfForm6 = is("isOfForm6");
  const coAuthors = list(number);
  const credits = isOfForm6 ? list(() => readCredit(from)) : [];
  const agents = isOfForm6 ? list(number) : [];
  const files = list((): StoredFile => {
    const path = from.number();
    const lines = from.number();
    const deleted = isOfForm6 ? from.number() : 0;
    return { path, added: Math.floor(lines / 2), deleted, isRegular: lines % 2 === 1 };
  });
  return {
    ...{ sha, content, template, seconds, author, coAuthors, credits, agents, files },
    isMerge,
    semantic: is("semantic"),
    good: is("good"),
    withBody: is("withBody"),
    withReference: is("withReference"),
    withReason: is("withReason"),
    isToolWritten: is("isToolWritten"),
    isRevert: is("isRevert"),
    isBulk: is("isBulk"),
    isDisordered,
    isIncomplete: is("isIncomplete"),
    isByAgent: is("isByAgent"),
  };
}

function secondsOf(zigzag: number, bits: number): number {
  if (bits & undatedFlag) return Number.NaN;
  return zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2;
}
