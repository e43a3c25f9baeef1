/**
 * The stored form of one commit: what is known without the other repositories and the newest tree, and no text. It
 * allows recounting at any time without git.
 */
import {
  assessMessage,
  getSubject,
  isRevert,
  type MessageFindings,
  toSubjectTemplate,
} from "./assess-message.ts";
import { fingerprintContent, isBulkImport, isDisordered } from "./count.ts";
import { fingerprintSha, fingerprintText } from "./fingerprints.ts";
import type { LoggedCommit } from "./logged-commit.ts";

export interface KeptFile {
  /** Number of the path in its history. */
  readonly path: number;
  /** Lines; histories of an older form, which kept the sum only, have all of them here. */
  readonly added: number;
  readonly deleted: number;
  /** Whether it is a regular file, not a link or a submodule. */
  readonly isRegular: boolean;
}

export interface KeptCommit {
  readonly sha: bigint;
  /** Equal for copies of one change (`fingerprintContent`); 0 for merges. */
  readonly content: bigint;
  /** Fingerprint of the subject's form (`toSubjectTemplate`); 0 for merges. */
  readonly template: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Number of the signature in its history. */
  readonly author: number;
  /** Numbers of the trailers. */
  readonly coAuthors: readonly number[];
  readonly files: readonly KeptFile[];
  readonly isMerge: boolean;
  readonly semantic: boolean;
  readonly good: boolean;
  readonly withBody: boolean;
  readonly withReference: boolean;
  readonly withReason: boolean;
  readonly isToolWritten: boolean;
  readonly isRevert: boolean;
  readonly isBulk: boolean;
  /** Whether its author date contradicts its committer date. */
  readonly isDisordered: boolean;
  /** Whether its lines are not known, since objects are missing. */
  readonly isIncomplete: boolean;
}

/** The order says which bit is whose in stored histories; new ones come last. */
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
  "hasSides",
] as const;
const undatedFlag = 1 << flags.indexOf("isUndated");
/** Whether added and deleted lines are apart, as since form 6. */
const sidesFlag = 1 << flags.indexOf("hasSides");

/** @package The numbers that stand for texts in this history. */
interface PathNumbering {
  author(signature: LoggedCommit["author"], commit: { sha: string; isMerge: boolean }): number;
  coAuthor(trailer: string): number;
  path(path: string): number;
}

/** @package */
export function toKeptCommit(commit: LoggedCommit, numbers: PathNumbering): KeptCommit {
  const isMerge = commit.parents > 1;
  const files = commit.files.map(({ path, added, deleted, isRegular }) => ({
    path: numbers.path(path),
    added,
    deleted,
    isRegular,
  }));
  return {
    sha: fingerprintSha(commit.sha),
    content: isMerge ? 0n : fingerprintContent(commit),
    template: isMerge ? 0 : toTemplate(commit.message),
    seconds: commit.seconds,
    author: numbers.author(commit.author, { sha: commit.sha, isMerge }),
    coAuthors: commit.coAuthors.map((trailer) => numbers.coAuthor(trailer)),
    files,
    isMerge,
    ...(isMerge ? ofMerge : assessMessage(commit.message)),
    isRevert: !isMerge && isRevert(commit.message),
    isBulk: isBulkImport(commit),
    isDisordered: isDisordered(commit),
    isIncomplete: commit.isIncomplete,
  };
}

function toTemplate(message: string): number {
  return Number(BigInt.asUintN(32, fingerprintText(toSubjectTemplate(getSubject(message)))));
}

/** Merges do not count, so nobody looks at their messages. */
const ofMerge: MessageFindings = {
  semantic: false,
  good: false,
  withBody: false,
  withReference: false,
  withReason: false,
  isToolWritten: false,
};

/** Formats the fingerprint of a commit in hexadecimal digits, by which `PathMetadata` refers to it. */
export function formatCommitName({ sha }: Pick<KeptCommit, "sha">): string {
  return sha.toString(16);
}

/** @package */
export function toCommitName(sha: string): string {
  return formatCommitName({ sha: fingerprintSha(sha) });
}

/** @package */
export function writeKeptCommit(out: ByteWriter, commit: KeptCommit): void {
  const { seconds } = commit;
  const isDated = Number.isSafeInteger(seconds) && Math.abs(seconds) < 2 ** 51;
  let bits = isDated ? sidesFlag : sidesFlag | undatedFlag;
  for (const [at, flag] of flags.entries()) {
    if (flag !== "isUndated" && flag !== "hasSides" && commit[flag]) bits |= 1 << at;
  }
  out.fingerprint(commit.sha);
  out.fingerprint(commit.content);
  out.number(bits);
  out.number(isDated ? (seconds < 0 ? -seconds * 2 - 1 : seconds * 2) : 0);
  out.number(commit.template);
  out.number(commit.author);
  out.number(commit.coAuthors.length);
  for (const trailer of commit.coAuthors) out.number(trailer);
  out.number(commit.files.length);
  for (const { path, added, deleted, isRegular } of commit.files) {
    out.number(path);
    out.number(added * 2 + (isRegular ? 1 : 0));
    out.number(deleted);
  }
}

/** @package Reads the beginning of a commit, by which commits are sorted. */
export function readKeptHead(from: ByteReader): { sha: bigint; seconds: number } {
  const sha = from.fingerprint();
  from.fingerprint();
  const bits = from.number();
  return { sha, seconds: secondsOf(from.number(), bits) };
}

/** @package */
export function readKeptCommit(from: ByteReader): KeptCommit {
  const sha = from.fingerprint();
  const content = from.fingerprint();
  const bits = from.number();
  const seconds = secondsOf(from.number(), bits);
  const template = from.number();
  const author = from.number();
  const coAuthors = Array.from({ length: from.number() }, () => from.number());
  const files: KeptFile[] = [];
  for (let left = from.number(); left > 0; left--) {
    const path = from.number();
    const lines = from.number();
    const deleted = bits & sidesFlag ? from.number() : 0;
    files.push({ path, added: Math.floor(lines / 2), deleted, isRegular: lines % 2 === 1 });
  }
  const is = (flag: (typeof flags)[number]): boolean => (bits & (1 << flags.indexOf(flag))) !== 0;
  return {
    sha,
    content,
    template,
    seconds,
    author,
    coAuthors,
    files,
    isMerge: is("isMerge"),
    semantic: is("semantic"),
    good: is("good"),
    withBody: is("withBody"),
    withReference: is("withReference"),
    withReason: is("withReason"),
    isToolWritten: is("isToolWritten"),
    isRevert: is("isRevert"),
    isBulk: is("isBulk"),
    isDisordered: is("isDisordered"),
    isIncomplete: is("isIncomplete"),
  };
}

function secondsOf(zigzag: number, bits: number): number {
  if (bits & undatedFlag) return Number.NaN;
  return zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2;
}

/** @package A growing buffer of compact numbers, so that a million commits fit in some tens of megabytes. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafe(1 << 12);
  length = 0;

  /** A whole number from 0 to 2^53, seven bits a byte. */
  number(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  fingerprint(value: bigint): void {
    this.reserve(8);
    this.length = this.bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.length);
  }

  append(other: ByteWriter): void {
    this.reserve(other.length);
    other.bytes.copy(this.bytes, this.length, 0, other.length);
    this.length += other.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** The written bytes; valid until the next write. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

/** @package */
export class ByteReader {
  at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("A kept history ends in the middle of a commit.");
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  fingerprint(): bigint {
    const value = this.bytes.readBigUInt64LE(this.at);
    this.at += 8;
    return value;
  }
}
