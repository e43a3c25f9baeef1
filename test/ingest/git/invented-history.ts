/** Repositories that are invented commit by commit and stored in a ledger without git, so that hundreds of runs take seconds. */
import { createHash } from "node:crypto";
import { fingerprintSha } from "../../../src/ingest/git/commit/fingerprints.ts";
import type { LoggedCommit, Signature } from "../../../src/ingest/git/commit/logged-commit.ts";
import { parseSignatures } from "../../../src/ingest/git/credit/signatures.ts";
import { readStoredHistory } from "../../../src/ingest/git/ledger/histories.ts";
import { writeLocation } from "../../../src/ingest/git/ledger/locations.ts";
import type { StoredNote } from "../../../src/ingest/git/notes/judge-note.ts";
import { readStoredNotes, writeNotes } from "../../../src/ingest/git/notes/note-rows.ts";
import { createRecording } from "../../../src/ingest/git/read/history-recording.ts";
import { type KnownClone, type Ledger, listLocations } from "../../../src/ingest/ingest.ts";

export interface InventedChange {
  /** `Name <address>`. */
  readonly author: string;
  /** The address in the commit, where a mailmap gives another. */
  readonly rawEmail?: string | undefined;
  /** UTC day since 1970. */
  readonly day: number;
  readonly subject: string;
  readonly paths: readonly string[];
  readonly coAuthors?: readonly string[] | undefined;
  readonly reviewers?: readonly string[] | undefined;
  readonly isAssisted?: boolean | undefined;
  readonly isMerge?: boolean | undefined;
}

export interface InventedRepository {
  readonly name: string;
  readonly owner: string | undefined;
  readonly commits: readonly LoggedCommit[];
  /** What notes say: lines by agent, by the id of a commit. */
  readonly notes?: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

const signatures = new Map<string, Signature>();

/** @param salt makes equal changes different commits, as in a cherry-pick. */
export function inventCommit(change: InventedChange, salt: string): LoggedCommit {
  const { author, rawEmail, day, subject, paths, coAuthors = [], reviewers = [] } = change;
  const { name = "", email = "" } = parseSignatures(author)[0] ?? {};
  const seconds = day * 86_400 + 3600;
  const text = JSON.stringify([change, salt]);
  const signature = signatures.getOrInsertComputed(`${author} ${rawEmail}`, () => ({
    ...{ name, email, rawEmail: rawEmail ?? email, line: author },
  }));
  return {
    sha: createHash("sha1").update(text).digest("hex"),
    parents: change.isMerge ? 2 : 1,
    seconds,
    committedSeconds: seconds,
    author: signature,
    committerName: name,
    coAuthors,
    credits: reviewers.map((trailer) => ({ kind: "reviewed", trailer })),
    message: change.isAssisted ? `${subject}\n\nMade-with: Cursor\n` : subject,
    files: paths.map((path) => ({
      ...{ path, from: undefined, added: 7, deleted: 2, isNew: false, isEdited: true },
      ...{ isRegular: true, before: "1", after: "2" },
    })),
    isIncomplete: false,
  };
}

/** Stores a repository as a run reads it: only the new commits, or everything where its history was rewritten; and its notes. */
export function storeHistory(ledger: Ledger, repository: InventedRepository): void {
  storeCommits(ledger, repository);
  const directory = `/invented/${repository.owner ?? ""}/${repository.name}`;
  storeNotes(ledger, findPlace(ledger, directory)?.id ?? 0, repository);
}

/** Stores the notes that are others than before, or on other commits. */
function storeNotes(
  { sqlite }: Ledger,
  id: number,
  { commits, notes: said = new Map() }: InventedRepository,
) {
  const before = readStoredNotes(sqlite, id);
  const shas = new Set(commits.map(({ sha }) => sha));
  const now = new Map(
    [...said].map(([sha, lines]): [bigint, StoredNote] => {
      const content = Bun.hash(JSON.stringify(lines)).toString(16);
      const kept = shas.has(sha)
        ? { content, verdict: "believed" as const, lines }
        : { content, verdict: "absent" as const, lines: {} };
      return [fingerprintSha(sha), kept];
    }),
  );
  const isOther = ([sha, note]: [bigint, StoredNote]) => !Bun.deepEquals(before.get(sha), note);
  const changes = {
    changed: new Map([...now].filter(isOther)),
    gone: before.keys().filter((sha) => !now.has(sha)),
  };
  writeNotes(sqlite, id, changes, Bun.hash(JSON.stringify([...said])).toString(16));
}

function storeCommits(ledger: Ledger, repository: InventedRepository): void {
  const { name, owner, commits } = repository;
  const directory = `/invented/${owner ?? ""}/${name}`;
  const place = findPlace(ledger, directory);
  const shas = commits.map(({ sha }) => sha);
  const read = place === undefined ? -1 : shas.indexOf(place.head);
  const head = shas.at(-1) ?? "";
  if (place?.head === head && place.commits === commits.length) return;
  const isExtended = place !== undefined && read + 1 === place.commits;
  const before = isExtended
    ? {
        ...readStoredHistory(ledger.sqlite, place.id),
        commits: place.commits,
        roots: place.roots,
        latest: place.latest,
      }
    : undefined;
  const recording = createRecording(before);
  for (const commit of isExtended ? commits.slice(read + 1) : commits) recording.take(commit);
  const named = new Map(
    [...recording.newTrailers()].flatMap((trailer) => {
      const [written] = parseSignatures(trailer);
      return written ? [[trailer, { ...written, rawEmail: written.email }] as const] : [];
    }),
  );
  const manifests = { added: new Map(), dates: {} };
  const { metadata, ...rest } = recording.end({
    present: [],
    named,
    whitespaceOnly: [],
    manifests,
  });
  const meaning = describePaths(rest.names.paths);
  const roots = [shas[0] ?? ""];
  writeLocation(
    ledger,
    {
      directory,
      path: directory,
      name: owner ? `${owner}/${name}` : name,
      forge: "git.corp.example",
      owner,
      head,
      mailmap: "",
    },
    { ...rest, roots, metadata: { ...metadata, ...meaning } },
    place && { location: place, isExtended },
  );
}

export function findPlace(ledger: Ledger, directory: string): KnownClone | undefined {
  return listLocations(ledger).find((place) => place.directory === directory);
}

/** A file in Go each, the README but one line of prose. */
function describePaths(paths: readonly string[]) {
  const kind = {
    ...{ language: "Go", dialect: "Go", counts: true, vendored: false },
    ...{ documentation: false, generated: false, foreign: false },
  };
  const code = { kind, classes: [], touchstone: undefined, products: [], routine: false };
  const readme = {
    ...{ kind: { ...kind, documentation: true }, classes: [], routine: false },
    touchstone: { kind: "readme" as const, names: ["subject:databases"] },
  };
  return {
    meanings: [code, readme],
    meaningOf: paths.map((path) => (path === "README.md" ? 1 : 0)),
    windows: {},
    language: "Go",
  };
}
