import { basename, dirname, resolve } from "node:path";
import { toDayNumber } from "../../../src/ingest/git/commit/day-number.ts";
import { fingerprintText } from "../../../src/ingest/git/commit/fingerprints.ts";
import { type Spelling, toSpelling } from "../../../src/ingest/git/commit/spelling.ts";
import { parseSignatures } from "../../../src/ingest/git/credit/signatures.ts";
import { decodeGitText } from "../../../src/ingest/git/git-command.ts";
import { toSubjectTemplate } from "../../../src/ingest/git/read/assess-message.ts";
import {
  countBehaviour,
  countDate,
  createTally,
  type Tally,
} from "../../../src/ingest/git/tally/author-tally.ts";
import type { RepositoryDigest } from "../../../src/ingest/git/tally/digest-repository.ts";
import { askGit } from "./ask-git.ts";

const trailers = "%(trailers:key=Co-authored-by,valueonly,separator=%x1f)";

/**
 * Reads who wrote which commit and when, without files. That is enough to identify people, at a tenth of the cost of an
 * ingest.
 * @param mailmap whether to apply the repository's own mailmap to authors; it is not applied to co-authors.
 */
export function readAuthors(path: string, mailmap: "hidden" | "followed"): RepositoryDigest {
  const repository = nameRepository(path).replace("+", "/");
  const author = mailmap === "hidden" ? "%an%x01%ae" : "%aN%x01%aE";
  const log = askGit(path, [
    ...["-c", "mailmap.file=", "-c", "mailmap.blob=HEAD:.mailmap"],
    ...["log", "-z", `--format=${author}%x01%ae%x01%at%x01%P%x01${trailers}%x01%s`, "HEAD"],
  ]);
  const tallies = new Map<Spelling, Tally>();
  const shared: RepositoryDigest["shared"][number][] = [];
  const found = new Map<string, Spelling>();
  const identityOf = (author: string, email: string, rawEmail: string): Spelling => {
    const texts = [decode(author).trim(), decode(email), decode(rawEmail)] as const;
    const [name, address, rawAddress] = texts;
    return found.getOrInsertComputed(texts.join("\x01"), () =>
      toSpelling({ name, email: address, rawEmail: rawAddress }, repository),
    );
  };
  let [commits, merges] = [0, 0];
  for (const line of log.toString("latin1").split("\0").filter(Boolean)) {
    const [
      author = "",
      email = "",
      raw = "",
      seconds = "",
      parents = "",
      named = "",
      subject = "",
    ] = line.split("\x01");
    const identity = identityOf(author, email, raw);
    const tally = tallies.get(identity) ?? createTally();
    tallies.set(identity, tally);
    commits += 1;
    if (parents.includes(" ")) {
      merges += 1;
      continue;
    }
    const day = toDayNumber(Number(seconds));
    tally.commits += 1;
    if (day === undefined) continue;
    countDate(tally, Number(seconds));
    const template = toSubjectTemplate(decode(subject));
    countBehaviour(tally, Number(BigInt.asUintN(32, fingerprintText(template))), false);
    const coAuthors = named
      .split("\x1f")
      .flatMap(parseSignatures)
      .map(({ name, email }) => identityOf(name, email, email));
    if (coAuthors.length === 0) tally.days.push(day);
    else shared.push({ day, author: identity, coAuthors, agents: [], isUnassisted: false });
  }
  return { name: repository, commits, merges, tallies, shared, credits: [], ...listUncounted() };
}

/** @returns what is not read: it needs files. */
function listUncounted() {
  const ownership: RepositoryDigest["ownership"] = [];
  return {
    ...{ forge: undefined, owner: undefined, language: undefined, ownership },
    ...{ missing: undefined, isLacking: false, authors: new Map(), sameCommit: [] },
    ...{ elsewhere: 0, forgotten: 0, incomplete: 0, lastDay: undefined },
    ...{ mentions: [], sharedAuthors: [] },
  };
}

/** @returns the name of the folder that contains the mirror or clone. */
export function nameRepository(path: string): string {
  const folder = basename(resolve(path));
  return folder === "repo" || folder === ".git" ? basename(dirname(resolve(path))) : folder;
}

function decode(latin1: string): string {
  return decodeGitText(Buffer.from(latin1, "latin1"));
}
