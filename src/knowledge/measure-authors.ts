/** Measures the earlier work of a change's authors in its repository. */
import { createAnswerCache } from "./answer-cache.ts";
import type { KnownShare } from "./describe-reviewers.ts";
import type { MeasureModules } from "./first-knowers.ts";
import { measureHandover } from "./handover.ts";
import { findReviewDay } from "./history-end.ts";
import { type Knowledge, measureKnowledge, type PersonKnowledge } from "./measure-knowledge.ts";
import { selectPaths } from "./select-files.ts";

interface AuthorsQuestion {
  /** The repository's id. */
  readonly repository: number;
  /** Lower-cased. */
  readonly logins: readonly string[];
  /** UTC days since 1970, as in `KnowledgeAnswer`. */
  readonly asOfDay: number;
  readonly untilDay: number;
}

interface MeasuredAuthors {
  readonly authors: readonly {
    /** Whether the history names the person: as author, co-author, reviewer, or in another trailer. */
    readonly isNamed: boolean;
    /** The person's counted work; undefined if there is none. */
    readonly work: PersonKnowledge | undefined;
    readonly folders: readonly KnownShare[];
  }[];
  /** False if older commits are missing. */
  readonly isWhole: boolean | undefined;
  /** Day of the oldest counted commit. */
  readonly firstDay: number | undefined;
}

/** @returns undefined if the repository was removed meanwhile. */
export function createAuthorsMeasure({ authorship, heads, model }: MeasureModules) {
  const remember = createAnswerCache<MeasuredAuthors>(({ authors }) => authors.length);
  return async (question: AuthorsQuestion): Promise<MeasuredAuthors | undefined> => {
    const { repository, logins } = question;
    const edition = await authorship.edition();
    const { modelVersion, knowledge: constants } = model();
    const stored = await heads.open(repository, edition);
    if (!stored) return undefined;
    const { head } = stored;
    return remember(`${edition} ${modelVersion}`, JSON.stringify(question), async () => {
      const named = new Set(head.logins);
      // If all authors are new, no files are read.
      const paths = logins.some((login) => named.has(login)) ? [""] : [];
      const { files } = await selectPaths(stored, paths);
      const measuring = { asOfDay: findReviewDay(head, question), constants };
      const knowledge = measureKnowledge([{ repository, head, files }], measuring);
      const known = logins.map(async (login) => {
        const person = knowledge.people.findIndex((one) => one.login === login);
        const work = knowledge.people[person];
        const { knownShareMin } = constants.files;
        const folders = work ? await listFolders(knowledge, person, knownShareMin) : [];
        return { isNamed: named.has(login), work, folders };
      });
      const { isWhole, day } = head.columns;
      return { authors: await Promise.all(known), isWhole, firstDay: day[0] };
    });
  };
}

const foldersMax = 3;

/**
 * @param shareMin people with a smaller share do not count as knowing a folder.
 * @returns the folders in which the person knows the most files.
 */
async function listFolders(knowledge: Knowledge, person: number, shareMin: number) {
  const { folders } = await measureHandover(knowledge, new Set([person]));
  const known = folders.filter(({ share }) => share >= shareMin);
  known.sort((a, b) => b.share * b.files - a.share * a.files || (a.path < b.path ? -1 : 1));
  return known.slice(0, foldersMax).map(({ path, share }) => ({ path, share }));
}
