/** Takes down a history while the log streams by: a megabyte is held, the rest is compressed. */
import { Fault } from "../../../contract/fault.ts";
import type { History, HistoryNames, KeptSignature } from "./history.ts";
import { ByteWriter, toCommitName, toKeptCommit, writeKeptCommit } from "./kept-commit.ts";
import type { LoggedCommit, Signature } from "./logged-commit.ts";

/** What recording goes on from; nothing for a repository that is read whole. */
export type RecordingStart = Pick<
  History,
  "names" | "segments" | "commits" | "roots" | "latest"
> & {
  readonly metadata: OfCommits;
};

/** What is learnt from the commits themselves; the rest comes from the newest tree. */
type OfCommits = Pick<History["metadata"], "signatures" | "coAuthors" | "whitespaceOnly" | "added">;

interface HistoryRecording {
  take(commit: LoggedCommit): void;
  /** Commits taken by this recording. */
  taken(): number;
  /** Texts of the trailers that no reading before had. */
  newTrailers(): ReadonlySet<string>;
  end(learnt: {
    /** What the new trailers name, after the mailmap. */
    readonly named: ReadonlyMap<string, Omit<Signature, "line">>;
    /** Names of the taken commits that change white space only. */
    readonly whitespaceOnly: readonly string[];
    /** What taken commits added to manifests, by their names. */
    readonly added: ReadonlyMap<string, readonly string[]>;
  }): Omit<History, "metadata"> & { readonly metadata: OfCommits };
}

const segmentBytes = 1 << 20;

/** Of one history: its different texts in characters, and a hundred for each; three million paths fit. */
const textsMax = 512 * 1024 * 1024;
/** Of the commits that are read at a time, before they are compressed: ten million of ordinary ones. */
const keptMax = 512 * 1024 * 1024;

/** @throws Fault in `take` for a history that is larger than anything people make. */
export function createRecording(before?: RecordingStart): HistoryRecording {
  const numbering = openNumbering(before);
  const segments = [...(before?.segments ?? [])];
  const roots = new Set(before?.roots);
  const [one, buffer] = [new ByteWriter(), new ByteWriter()];
  let taken = 0;
  let latest = before?.latest ?? 0;
  let kept = 0;
  const flush = (): void => {
    kept += buffer.length;
    if (kept > keptMax) throw tooLarge("its commits change too many files");
    if (buffer.length > 0) segments.push(Bun.zstdCompressSync(buffer.written(), { level: 1 }));
    buffer.clear();
  };
  return {
    take(commit) {
      taken += 1;
      if (commit.parents === 0) roots.add(commit.sha);
      if (commit.seconds > latest) latest = commit.seconds;
      for (const { from, path } of commit.files) {
        if (from !== undefined) numbering.rename(from, path);
      }
      one.clear();
      writeKeptCommit(one, toKeptCommit(commit, numbering));
      buffer.number(one.length);
      buffer.append(one);
      if (buffer.length >= segmentBytes) flush();
    },
    taken: () => taken,
    newTrailers: numbering.newTrailers,
    end({ named, whitespaceOnly, added }) {
      flush();
      const { names, signatures } = numbering.end();
      const texts = [...numbering.newTrailers()];
      const coAuthors = [
        ...(before?.metadata.coAuthors ?? []),
        ...texts.map((text) => named.get(text) ?? null),
      ];
      const commits = (before?.commits ?? 0) + taken;
      const metadata = {
        signatures,
        coAuthors,
        whitespaceOnly: [
          ...(before?.metadata.whitespaceOnly ?? []),
          ...whitespaceOnly.map(toCommitName),
        ],
        added: {
          ...before?.metadata.added,
          ...Object.fromEntries([...added].map(([sha, names]) => [toCommitName(sha), names])),
        },
      };
      return { names, metadata, segments, commits, roots: [...roots].sort(), latest };
    },
  };
}

function openNumbering(before: RecordingStart | undefined) {
  const paths = new Map(before?.names.paths.map((path, at) => [path, at]));
  const trailers = new Map(before?.names.trailers.map((hash, at) => [hash, at]));
  const renames = [...(before?.names.renames ?? [])];
  const renamed = new Set<string>();
  for (let at = 0; at < renames.length; at += 2) renamed.add(`${renames[at]} ${renames[at + 1]}`);
  const signatures: (Signature & { commits: number })[] = (before?.metadata.signatures ?? []).map(
    (signature) => ({ ...signature }),
  );
  // An erased one is not known again: whether its person may come back is decided elsewhere.
  const authors = new Map(
    signatures.flatMap((signature, at) =>
      "isErased" in signature ? [] : [[keyOf(signature), at] as const],
    ),
  );
  const byObject = new Map<Signature, number>();
  const fresh = new Set<string>();
  let texts = 0;
  const weigh = (length: number): void => {
    texts += length + 100;
    if (texts > textsMax) throw tooLarge("it names too many files and people");
  };
  const numberOf = (known: Map<string, number>, key: string): number => {
    const held = known.get(key);
    if (held !== undefined) return held;
    weigh(key.length);
    known.set(key, known.size);
    return known.size - 1;
  };
  return {
    path: (path: string) => numberOf(paths, path),
    coAuthor: (trailer: string): number => {
      const hash = Bun.hash(trailer).toString(36);
      if (!trailers.has(hash)) {
        weigh(trailer.length);
        fresh.add(trailer);
      }
      return numberOf(trailers, hash);
    },
    author: (signature: Signature, isMerge: boolean): number => {
      let number = byObject.get(signature);
      if (number === undefined) {
        weigh(signature.line.length);
        number = authors.get(keyOf(signature)) ?? signatures.length;
        authors.set(keyOf(signature), number);
        byObject.set(signature, number);
        signatures[number] ??= { ...signature, commits: 0 };
      }
      const held = signatures[number];
      if (held && !isMerge) held.commits += 1;
      return number;
    },
    rename: (from: string, to: string): void => {
      const pair: [number, number] = [numberOf(paths, from), numberOf(paths, to)];
      if (renamed.has(pair.join(" "))) return;
      renamed.add(pair.join(" "));
      renames.push(...pair);
    },
    newTrailers: (): ReadonlySet<string> => fresh,
    end: (): { names: HistoryNames; signatures: readonly KeptSignature[] } => ({
      names: { paths: [...paths.keys()], trailers: [...trailers.keys()], renames },
      signatures,
    }),
  };
}

function tooLarge(what: string): Fault {
  return new Fault("git", `too large a history: ${what} for anything people make.`);
}

function keyOf({ line, rawEmail, name }: Signature): string {
  return `${line}\0${rawEmail}\0${name}`;
}
