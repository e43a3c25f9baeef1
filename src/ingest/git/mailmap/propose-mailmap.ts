/** Proposes rows for a repository's mailmap that show each person under one name and address. */
import { isUtf8 } from "node:buffer";
import { Fault } from "../../../contract/fault.ts";
import { identifyRemembered, type RememberedSources } from "../erase/identify-remembered.ts";
import { formatFileDiff, splitFileLines } from "../file-diff.ts";
import { checkVersion, decodeGitText, type Git, type GitOptions, openGit } from "../git-command.ts";
import { buildCommunity } from "../identify/community.ts";
import { type KnownClone, listMentions } from "../ledger/locations.ts";
import { openKnownClone } from "../repository/open-repository.ts";
import type { FoundRepository } from "../repository/view.ts";
import { composeMailmap, type HistoryIdentity } from "./compose-mailmap.ts";

interface MailmapSources extends GitOptions, RememberedSources {
  readonly clone: Pick<KnownClone, "id" | "directory" | "path">;
}

/** @throws Fault when the repository cannot be read, or its mailmap is no regular file. */
export async function proposeMailmap(sources: MailmapSources) {
  const [git, { clone }] = [openGit(sources), sources];
  await checkVersion(git);
  const repository = await openKnownClone(git, clone.directory ?? clone.path);
  try {
    const file = await readMailmapFile(git, repository);
    const history = await readHistory(git, repository);
    const lines = (file.before ?? []).map((line) => decodeGitText(Buffer.from(line, "latin1")));
    const everybody = await identifyHistory(history, sources);
    const { rows, suggestions, ...counts } = composeMailmap(everybody, lines);
    const end = lines[0]?.endsWith("\r") ? "\r" : "";
    const added = [...rows, ...suggestions.map((row) => `# perhaps: ${row}`)].map((text) => ({
      bytes: Buffer.from(text + end).toString("latin1"),
      at: undefined,
    }));
    return {
      /** A diff for `git apply`; undefined when there is nothing to propose. */
      diff: formatFileDiff({ ...file, lines: [...file.lines, ...added] }),
      /** The commit for which the diff was made. */
      head: repository.head,
      ...{ rows: rows.length, suggestions: suggestions.length, ...counts },
    };
  } finally {
    repository.close();
  }
}

async function readMailmapFile(git: Git, { directory, head }: FoundRepository) {
  const path = ".mailmap";
  const entry = (await git.read(directory, ["ls-tree", head, path])).toString();
  if (entry === "") return { path, before: undefined, lines: [], isEnded: true };
  const [, sha] = /^100\d+ blob (\w+)/.exec(entry) ?? [];
  if (!sha) throw new Fault("refused", `${path} is not a regular file, so git does not read it.`);
  const content = await git.read(directory, ["cat-file", "blob", sha]);
  return splitFileLines(path, content.toString("latin1"));
}

/** Reads names and addresses of all authors in the history of HEAD, latest commit first. Applies the repository's mailmap. */
async function readHistory(git: Git, { directory, head }: FoundRepository) {
  const settings = ["-c", "mailmap.file=", "-c", `mailmap.blob=${head}:.mailmap`];
  const command = [...settings, "log", "--format=%an%x00%ae%x00%aN%x00%aE", head];
  const log = await git.read(directory, command);
  const sums = new Map<string, number>();
  for (const line of log.toString("latin1").split("\n").slice(0, -1)) {
    sums.set(line, (sums.get(line) ?? 0) + 1);
  }
  return [...sums].map(([line, commits]): HistoryIdentity => {
    const fields = line.split("\0").map((field) => Buffer.from(field, "latin1"));
    // Turns fields that are not UTF-8 into hexadecimal digits, which match no known author.
    const texts = fields.map((field) => field.toString(isUtf8(field) ? "utf8" : "hex"));
    const [name = "", email = "", shownName = "", shownEmail = ""] = texts;
    return { name, email, shown: { name: shownName, email: shownEmail }, commits };
  });
}

/** Identifies the people in a history by what the ledger knows. Erased people are left out. */
async function identifyHistory(
  history: readonly HistoryIdentity[],
  { clone, ...sources }: MailmapSources,
): Promise<readonly HistoryIdentity[]> {
  const { context, identified } = await identifyRemembered(sources);
  const { people, partsOf, firstNames } = identified;
  const spellings = new Map<string, number>();
  for (const { name, email, rawEmail, spelling } of listMentions(sources.ledger, [clone.id])) {
    spellings.set([name, email, rawEmail].join("\0"), spelling);
  }
  const near = partsOf([...spellings.values()].flatMap((one) => people.personOf(one) ?? []));
  const { identityOf, personOf } = buildCommunity(context, near, firstNames);
  return history.map((one) => {
    const spelling = spellings.get([one.shown.name, one.shown.email, one.email].join("\0"));
    const author = spelling !== undefined && identityOf(spelling);
    return author ? { ...one, author, person: personOf(author) } : one;
  });
}
