/** Proposes changes of a repository's CODEOWNERS file, or a new file. */
import type { OwnersProposal, PresentOwners } from "../../../contract/people/owners-proposal.ts";
import { formatFileDiff } from "../file-diff.ts";
import {
  listIgnoredLines,
  type OwnersFile,
  type ReadingOptions,
  readOwnersFile,
  resolveOwnersFile,
} from "./owners-file.ts";
import type { OwnerLookup } from "./resolve-owners.ts";
import {
  applyOwnersProposal,
  countProposed,
  createNotedCheck,
  formatFolderPattern,
} from "./write-owners.ts";

interface OwnersContext extends ReadingOptions {
  readonly clone: { readonly directory: string; readonly forge: string | undefined };
  readonly people: OwnerLookup;
}

interface ProposingContext extends OwnersContext {
  /** The most rows to add. Folders with the highest weight come first. */
  readonly rowsMax: number;
  /** Computes what history proposes, given the current content of the file. */
  readonly propose: (present: PresentOwners) => Promise<OwnersProposal>;
}

/** Reads the ownership file that is to be checked. @throws Fault */
export async function readPresentOwners(context: OwnersContext) {
  const file = await readOwnersFile(context.clone, context);
  return { head: file.head, isNew: !file.before, ...describeFile(file, context) };
}

function describeFile(file: OwnersFile, { people, clone }: OwnersContext): PresentOwners {
  // An address may contain a login, even if no history has the address.
  const toNames = (one: string) =>
    one.startsWith("@")
      ? [one]
      : [...one.split(/[^\w-]+/), ...people.holdersOf(one).map(({ login }) => login.toLowerCase())];
  return {
    ...{ file: file.path, paths: file.paths },
    recent: file.recent && new Set(file.recent.flatMap(toNames)),
    rules: resolveOwnersFile(file, people, clone.forge),
    ignored: listIgnoredLines(file),
    canName: (folder) => formatFolderPattern(folder, file) !== undefined,
    isNoted: createNotedCheck(file),
  };
}

const roundsMax = 100;

/** Repeats proposals until none changes the file, because new rows affect other rows. @throws Fault */
export async function proposeOwnersFile(context: ProposingContext) {
  const { clone, people, rowsMax, propose } = context;
  let file = await readOwnersFile(clone, context);
  const { path, head } = file;
  const present = describeFile(file, context);
  for (let round = 0; ; round++) {
    const rules = resolveOwnersFile(file, people, clone.forge);
    const proposal = await propose({ ...present, rules, isNoted: createNotedCheck(file) });
    const most = Math.max(0, rowsMax - countProposed(file));
    const taken = new Set(proposal.folders.toSorted((a, b) => b.weight - a.weight).slice(0, most));
    const folders = proposal.folders.filter((one) => taken.has(one));
    const next = applyOwnersProposal(file, { ...proposal, folders }, clone.forge);
    if (next.lines.every((line, at) => line === file.lines[at]) || round === roundsMax) {
      return {
        /** Path of the file, and the commit from which it was read. */
        ...{ path, head },
        /** A diff for `git apply`; undefined when history proposes nothing. */
        diff: formatFileDiff(next),
        /** Number of folders that get no row because of the limit. */
        left: proposal.folders.length - folders.length,
        nameless: proposal.nameless,
      };
    }
    file = next;
  }
}
