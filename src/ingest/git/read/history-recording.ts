/** Records commits while git's log is read, and compresses each megabyte of them into a segment. */
import { ByteWriter, compress } from "../commit/compact-bytes.ts";
import type { LoggedCommit, Signature, SignedName } from "../commit/logged-commit.ts";
import { toCommitName, writeStoredCommit } from "../commit/stored-commit.ts";
import { joinManifestDates, type ManifestFindings } from "../evidence/manifest-log.ts";
import { createTooLargeFault } from "../repository/refusal.ts";
import type { History, StoredSignature } from "./history.ts";
import { toStoredCommit } from "./to-stored-commit.ts";

/** Findings of other git commands, which the log does not contain. */
interface Learnt {
  /** Paths of the newest tree, including paths that no newly read commit changed. */
  readonly present: readonly string[];
  /** The people that new trailers name, by trailer, after the mailmap is applied. */
  readonly named: ReadonlyMap<string, SignedName>;
  /** Ids of the recorded commits that change only white space. */
  readonly whitespaceOnly: readonly string[];
  /** Packages that recorded commits added to manifests, by commit id. `dates` tells when manifests contained each package. */
  readonly manifests: Pick<ManifestFindings, "added" | "dates">;
}

const segmentBytes = 1 << 20;

/** The largest size of a history's distinct texts. The size of a text is its number of characters, plus 100. */
const textsMax = 512 * 1024 * 1024;
/** Added to the size of each trailer, because each trailer becomes a person. */
const personSize = 2500;
/** The most bytes of the commits of one run, before compression. */
const commitsMax = 512 * 1024 * 1024;

/** @param before the stored history to continue. `take` and `end` throw Fault if the history is implausibly large. */
export function createRecording(before?: History) {
  const numbering = createNumbering(before);
  const segments = [...(before?.segments ?? [])];
  const roots = new Set(before?.roots);
  const [one, buffer] = [new ByteWriter(), new ByteWriter()];
  let taken = 0;
  let latest = before?.latest ?? 0;
  let flushed = 0;
  const flush = (): void => {
    flushed += buffer.length;
    if (flushed > commitsMax) throw createTooLargeFault("its commits change too many files");
    if (buffer.length > 0) segments.push(compress(buffer.written()));
    buffer.clear();
  };
  return {
    take(commit: LoggedCommit): void {
      taken += 1;
      if (commit.parents === 0) roots.add(commit.sha);
      if (commit.seconds > latest) latest = commit.seconds;
      for (const { from, path } of commit.files) {
        if (from !== undefined) numbering.rename(from, path);
      }
      one.clear();
      writeStoredCommit(one, toStoredCommit(commit, numbering));
      buffer.number(one.length);
      buffer.append(one);
      if (buffer.length >= segmentBytes) flush();
    },
    /** Number of commits recorded so far, without those of `before`. */
    taken: () => taken,
    /** Texts of the trailers that earlier runs did not contain. */
    newTrailers: (): ReadonlySet<string> => numbering.newTrailers,
    end({ present, named, whitespaceOnly, manifests }: Learnt) {
      flush();
      for (const path of present) numbering.path(path);
      const { metadata, names } = before ?? {};
      const { coAuthors = [], whitespaceOnly: known = [] } = metadata ?? {};
      const texts = [...numbering.newTrailers];
      const added = [...manifests.added].map(([sha, found]) => [toCommitName(sha), found] as const);
      return {
        names: {
          ...numbering.names(),
          manifestDates: joinManifestDates(names?.manifestDates ?? {}, manifests.dates),
        },
        metadata: {
          signatures: numbering.signatures,
          coAuthors: [...coAuthors, ...texts.map((text) => named.get(text) ?? null)],
          agents: numbering.agents(),
          whitespaceOnly: [...known, ...whitespaceOnly.map(toCommitName)],
          added: { ...metadata?.added, ...Object.fromEntries(added) },
        },
        segments,
        commits: (before?.commits ?? 0) + taken,
        roots: [...roots].sort(),
        latest,
      };
    },
  };
}

function createNumbering(before: History | undefined) {
  const toNumbers = (texts: readonly string[] = []) => new Map(texts.map((text, at) => [text, at]));
  const paths = toNumbers(before?.names.paths);
  const trailers = toNumbers(before?.names.trailers);
  const agents = toNumbers(before?.metadata.agents);
  const renames = [...(before?.names.renames ?? [])];
  const renamed = new Set<string>();
  for (let at = 0; at < renames.length; at += 2) renamed.add(`${renames[at]} ${renames[at + 1]}`);
  const kept = before?.metadata.signatures ?? [];
  const signatures: RecordedSignature[] = kept.map((signature) => ({ ...signature }));
  // Leaves out erased signatures, so that new commits of an erased person get a new signature.
  const authors = new Map(
    signatures.flatMap((one, at) => (one.isErased ? [] : [[keyOf(one), at] as const])),
  );
  const newTrailers = new Set<string>();
  let textsSize = 0;
  const reserve = (length: number): void => {
    textsSize += length + 100;
    if (textsSize > textsMax) throw createTooLargeFault("it names too many files and people");
  };
  const numberOf = (known: Map<string, number>, key: string): number =>
    known.getOrInsertComputed(key, () => {
      reserve(key.length);
      return known.size;
    });
  return {
    signatures,
    newTrailers,
    names: () => ({ paths: [...paths.keys()], trailers: [...trailers.keys()], renames }),
    agents: () => [...agents.keys()],
    path: (path: string) => numberOf(paths, path),
    agent: (id: string) => numberOf(agents, id),
    trailer: (value: string): number => {
      const hash = Bun.hash(value).toString(36);
      if (!trailers.has(hash)) {
        reserve(value.length + personSize);
        newTrailers.add(value);
      }
      return numberOf(trailers, hash);
    },
    author: (
      signature: Signature,
      { sha, isMerge }: { readonly sha: string; readonly isMerge: boolean },
    ): number => {
      const number = authors.getOrInsertComputed(keyOf(signature), () => {
        reserve(signature.line.length);
        return signatures.length;
      });
      signatures[number] ??= { ...signature, commits: 0, sample: sha };
      const stored = signatures[number];
      const replaced = [...(stored.replaced ?? []), ...(signature.replaced ?? [])];
      if (signature.replaced) stored.replaced = [...new Set(replaced)].sort();
      if (!isMerge) stored.commits += 1;
      return number;
    },
    rename: (from: string, to: string): void => {
      const pair: [number, number] = [numberOf(paths, from), numberOf(paths, to)];
      if (renamed.has(pair.join(" "))) return;
      renamed.add(pair.join(" "));
      renames.push(...pair);
    },
  };
}

type RecordedSignature = { -readonly [Field in keyof StoredSignature]: StoredSignature[Field] };

function keyOf({ line, rawEmail, name }: Signature): string {
  return `${line}\0${rawEmail}\0${name}`;
}
