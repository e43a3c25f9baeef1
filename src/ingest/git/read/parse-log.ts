/**
 * Parses `git log -z --raw --numstat`. Each commit has eleven header fields, then its changes, all ending in NUL. The first token
 * of a change tells how many tokens the change has.
 */
import { Fault } from "../../../contract/fault.ts";
import type { FileChange, LoggedCommit, Signature } from "../commit/logged-commit.ts";
import { findReplacedName } from "../commit/replaced-names.ts";
import { removeAgentSuffix } from "../credit/agent-marks.ts";
import { addressMax, personNameMax } from "../credit/signatures.ts";
import { parseTrailers } from "../credit/trailers.ts";
import { decodeGitText } from "../git-command.ts";

/** The most bytes of one field; the rest is cut off. */
const fieldMax = 64 * 1024;
const pathMax = 4096;
/** The most bytes of a name or an address, four for each character. */
const nameMax = personNameMax * 4;
/** The largest size of a commit's changes. The size of a change is the number of characters in its path, plus 100. */
const changesMax = 32 * 1024 * 1024;

/** @package */
export function parseLog(onCommit: (commit: LoggedCommit) => void) {
  const take = parseTokens(onCommit);
  take.next();
  let pending: Buffer | undefined;
  return {
    push: (bytes: Buffer): void => {
      let from = 0;
      for (let nul = bytes.indexOf(0); nul !== -1; nul = bytes.indexOf(0, from)) {
        const rest = bytes.subarray(from, Math.min(nul, from + fieldMax));
        take.next(cutAtCharacter(pending ? Buffer.concat([pending, rest]) : rest, fieldMax));
        pending = undefined;
        from = nul + 1;
      }
      if (from === bytes.length) return;
      const more = bytes.subarray(from, from + fieldMax - (pending?.length ?? 0));
      // Copies the bytes, since the stream may reuse its buffer.
      pending = pending ? Buffer.concat([pending, more]) : Buffer.from(more);
    },
    /** Passes on the last commit. Call it at the end of the log. */
    end: (): void => {
      if (pending) throw createCutFault();
      take.next(undefined);
    },
  };
}

function createCutFault(): Fault {
  return new Fault("git", "git log ended in the middle of a record.");
}

/** Cuts a field after a complete character, so that it remains valid UTF-8. */
function cutAtCharacter(field: Buffer, most: number): Buffer {
  if (field.length < most) return field;
  let end = most;
  while (end > 0 && ((field[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return field.subarray(0, Math.max(0, end - 1));
}

/** A change whose lines are not counted yet. */
type Raw = { -readonly [Field in keyof FileChange]: FileChange[Field] };

interface PendingCommit extends Omit<LoggedCommit, "files"> {
  raw: Raw[];
  files: FileChange[];
  /** Size of the changes, in the unit of `changesMax`. */
  size: number;
}

const headerFields = 11;
/** Number of leading header fields that stay undecoded, with one character for each byte. */
const asBytes = 8;
const colon = 58;
const newline = 10;
const tab = 9;

/** Parses the log. Each `yield` takes one token; undefined means the end of the log. */
function* parseTokens(
  onCommit: (commit: LoggedCommit) => void,
): Generator<undefined, void, Buffer | undefined> {
  const authors = internAuthors();
  const toPath = (token: Buffer | undefined) =>
    token ? decodeGitText(token.subarray(0, pathMax)) : "";
  let token = yield;
  while (token) {
    const header: string[] = [];
    for (; token && header.length < headerFields; token = yield) {
      // Names are decoded later, once for each author.
      header.push(header.length < asBytes ? token.toString("latin1") : decodeGitText(token));
    }
    if (header.length < headerFields) throw createCutFault();
    const commit = parseHeader(header, authors);
    for (; token; token = yield) {
      const raw = parseRaw(token);
      const counts = raw ? undefined : parseCounts(token);
      if (raw)
        addRaw(commit, raw.change, toPath(yield), raw.hasTwoPaths ? toPath(yield) : undefined);
      else if (!counts) break;
      else if (counts.length < token.length) {
        addCounts(commit, counts, toPath(token.subarray(counts.length)));
      } else {
        // Skips the path before the rename.
        yield;
        addCounts(commit, counts, toPath(yield));
      }
    }
    // Without `--numstat`, the changes have no line counts.
    onCommit(commit.files.length > 0 ? commit : { ...commit, files: commit.raw });
  }
}

function parseHeader(header: readonly string[], authors: ReturnType<typeof internAuthors>) {
  const [sha = "", parents = "", seconds = "", committed = "", ...texts] = header;
  const [name = "", email = "", rawEmail = "", rawName = "", ...others] = texts;
  const [committer = "", trailers = "", message = ""] = others;
  if (!/^[0-9a-f]{40,64}$/.test(sha))
    throw new Fault("git", "The output of git log has a record that is not a commit.");
  return {
    sha,
    parents: parents === "" ? 0 : parents.split(" ").length,
    seconds: Number.parseInt(seconds, 10),
    committedSeconds: Number.parseInt(committed, 10),
    author: authors(name, email, rawEmail, rawName),
    committerName: committer.slice(0, personNameMax).trim(),
    ...parseTrailers(trailers === "" ? [] : trailers.split("\x1f"), message),
    message,
    raw: [],
    files: [],
    isIncomplete: false,
    size: 0,
  };
}

/** Parses `:oldmode newmode oldsha newsha status`. One path follows, or two after a rename or copy. */
function parseRaw(token: Buffer) {
  const at = token[0] === newline ? 1 : 0;
  if (token[at] !== colon) return undefined;
  const words = token.toString("latin1", at + 1).split(" ");
  const [oldMode = "", newMode = "", before = "", after = "", status = ""] = words;
  const mode = status === "D" ? oldMode : newMode;
  const change = {
    isNew: status === "A",
    isEdited: status === "M" && oldMode === newMode,
    isRegular: mode.startsWith("100"),
    before: toContent(oldMode, before),
    after: toContent(newMode, after),
    ...{ added: 0, deleted: 0 },
  };
  return { change, hasTwoPaths: /^[RC]/.test(status) };
}

function addRaw(
  commit: PendingCommit,
  change: Omit<Raw, "path" | "from">,
  first: string,
  second: string | undefined,
): void {
  commit.size += 100 + first.length + (second?.length ?? 0);
  if (commit.size > changesMax) return;
  const from = second === undefined ? undefined : first;
  commit.raw.push({ path: second ?? first, from, ...change });
}

/** Returns an object id; empty for an id of zeros and for a submodule, whose commit is in another repository. */
function toContent(mode: string, id: string): string {
  return mode === "160000" || /^0+$/.test(id) ? "" : id;
}

/** Parses `added TAB deleted TAB`, with dashes for a binary file. */
function parseCounts(token: Buffer) {
  const first = token.indexOf(tab);
  if (first < 1 || first > 12) return undefined;
  const second = token.indexOf(tab, first + 1);
  if (second < first + 2) return undefined;
  const added = token.toString("latin1", 0, first);
  const deleted = token.toString("latin1", first + 1, second);
  return {
    added: added === "-" ? 0 : Number(added),
    deleted: deleted === "-" ? 0 : Number(deleted),
    /** Number of bytes before the path. */
    length: second + 1,
  };
}

function addCounts(
  commit: PendingCommit,
  { added, deleted }: Pick<FileChange, "added" | "deleted">,
  path: string,
): void {
  if (commit.size > changesMax && commit.files.length === commit.raw.length) return;
  const next = commit.raw[commit.files.length];
  const change = next?.path === path ? next : commit.raw.find((one) => one.path === path);
  if (!change) return;
  change.added = added;
  change.deleted = deleted;
  commit.files.push(change);
}

function internAuthors() {
  const known = new Map<string, Signature>();
  const toText = (field: string) =>
    decodeGitText(cutAtCharacter(Buffer.from(field, "latin1"), nameMax));
  const toAddress = (field: string, placeholder: string): string => {
    const address = withoutPlaceholder(toText(field), placeholder);
    return address.length <= addressMax ? address : "";
  };
  return (
    ...fields: [name: string, email: string, rawEmail: string, rawName: string]
  ): Signature => {
    const [name, email, rawEmail, rawName] = fields.map((field) =>
      field.slice(0, nameMax),
    ) as typeof fields;
    const line = `${name} <${email}>`;
    return known.getOrInsertComputed(`${line}\0${rawEmail}\0${rawName}`, () => ({
      name: removeAgentSuffix(withoutPlaceholder(toText(name), "%aN")).slice(0, personNameMax),
      email: toAddress(email, "%aE"),
      rawEmail: toAddress(rawEmail, "%ae"),
      line,
      ...(name !== rawName && findReplacedName(toText(name), toText(rawName), toText(rawEmail))),
    }));
  };
}

/** Returns the field, or an empty text if git left the placeholder there. */
function withoutPlaceholder(field: string, placeholder: string): string {
  return field === placeholder ? "" : field.trim();
}
