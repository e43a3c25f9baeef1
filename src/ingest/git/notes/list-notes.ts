import { decodeGitText, type Git } from "../git-command.ts";

export interface ListedNote {
  /** Id of the commit that it is on. */
  readonly commit: string;
  /** Id of its text. */
  readonly sha: string;
}

/**
 * Lists the notes of a commit of notes as git writes them, so that none but those of one batch are in memory.
 *
 * @throws Fault when git stops early.
 */
export async function* listNotes(
  git: Git,
  directory: string,
  tip: string,
): AsyncGenerator<readonly ListedNote[]> {
  const listing = git.stream(directory, ["ls-tree", "-r", "-z", "--full-tree", tip]);
  let rest = Buffer.alloc(0);
  let batch: ListedNote[] = [];
  try {
    for await (const chunk of listing.chunks) {
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let nul = bytes.indexOf(0); nul !== -1; nul = bytes.indexOf(0, from)) {
        const note = parseEntry(decodeGitText(bytes.subarray(from, nul)));
        from = nul + 1;
        if (note) batch.push(note);
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      rest = Buffer.from(bytes.subarray(from, from + entryMax));
    }
  } catch (error) {
    listing.stop();
    await listing.ended().catch(() => undefined);
    throw error;
  }
  await listing.ended();
  if (batch.length > 0) yield batch;
}

const batchSize = 2000;
/** Longer entries are no notes. */
const entryMax = 4096;

/** Parses `mode SP type SP id TAB path`; git spreads many notes over folders by the first digits of the commit. */
function parseEntry(line: string): ListedNote | undefined {
  const [, sha, path = ""] = /^100\d+ blob ([0-9a-f]+)\t([0-9a-f/]+)$/.exec(line) ?? [];
  const commit = path.replaceAll("/", "");
  return sha && commit.length === sha.length ? { commit, sha } : undefined;
}
