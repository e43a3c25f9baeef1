import { readFileSync } from "node:fs";
import { classifyByName, findBotClue } from "../../../src/ingest/git/identify/author-class.ts";
import type { AuthorIdentity } from "../../../src/ingest/git/identify/author-identity.ts";
import { readAuthors } from "../git/read-authors.ts";
import { identifyDigests } from "../ingested-community.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, type Row, toShare } from "../rows.ts";

const bar = 0.98;

export const measurement = defineMeasurement({
  about: "Classes of authors, against labelled logins.",
  takes: "FILE [PATH...]",
  run: ({ paths: [file = "", ...paths] }) => truthOfBots(file, paths),
});

interface Labelled {
  readonly login: string;
  readonly isBot: boolean;
}

interface Verdict extends Labelled {
  readonly isTaken: boolean;
}

/**
 * Compares the classes of authors with labelled logins of GitHub: by name alone, which cannot reveal most bots, and also
 * by behaviour for authors with five commits or more in the histories. `bots.looked` is the share of bots that are
 * examined further because of their name or a word in it. Files are not read, so lock files and manifests play no part.
 * @param file lines `login,1` or `login,bot` for a bot, and `login,0` or `login,human` for a human; other lines are
 * skipped.
 * @param paths clones, bare mirrors, or folders that contain some.
 */
export async function truthOfBots(file: string, paths: readonly string[]): Promise<Findings> {
  const labelled = readLabels(file);
  const byName = labelled.map((one): Verdict => {
    const { class: kind } = classifyByName(toAuthor(one.login));
    return { ...one, isTaken: kind === "bot" || kind === "assistant" };
  });
  const bots = byName.filter(({ isBot }) => isBot);
  const looked = bots.filter(({ login, isTaken }) => isTaken || findBotClue(toAuthor(login)));
  const known = paths.length > 0 ? judgeByBehaviour(labelled, paths) : [];
  return {
    rows: [
      ...rowsOf("bots.name", byName),
      toShare("bots.looked", looked.length, bots.length),
      ...(known.length > 0 ? rowsOf("bots.behaviour", known) : []),
    ],
    counts:
      `${labelled.length} labelled logins, ${bots.length} bots; ${countOf(byName)} by name alone; ` +
      `${known.length} with commits: ${countOf(known)}`,
    misses: [...byName, ...known]
      .filter(({ isBot, isTaken }) => isBot !== isTaken)
      .map(
        ({ login, isBot }) =>
          `${isBot ? "a bot, and not taken for one" : "a human, taken for a bot"}: ${login}`,
      ),
  };
}

function readLabels(file: string): readonly Labelled[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UnusableInput(`${file} cannot be read`);
  }
  const found = text.split(/\r?\n/).flatMap((line): Labelled[] => {
    const [, login = "", label = ""] =
      /^"?([^",;\t]+)"?[,;\t]"?(1|0|bot|human)"?$/i.exec(line) ?? [];
    return login && !titles.has(login.toLowerCase())
      ? [{ login, isBot: /^(1|bot)$/i.test(label) }]
      : [];
  });
  if (found.length === 0) throw new UnusableInput(`${file} has no line \`login,bot\``);
  return found;
}

const titles = new Set(["account", "author", "contributor", "login", "name"]);

function toAuthor(login: string): { readonly name: string; readonly emails: readonly string[] } {
  return { name: login, emails: [`${login}@users.noreply.github.com`] };
}

/** Judges the authors who have a labelled login as their account or whole name, and five commits or more. */
function judgeByBehaviour(labelled: readonly Labelled[], paths: readonly string[]): Verdict[] {
  const read = repositoriesAt(paths).map((path) => readAuthors(path, "followed"));
  const community = identifyDigests(read);
  const found = new Map<string, AuthorIdentity[]>();
  for (const identity of community.everybody.flatMap(({ person }) => person.identities)) {
    for (const login of new Set([identity.account?.login, identity.name])) {
      if (!login) continue;
      const key = login.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), identity]);
    }
  }
  return labelled.flatMap(({ login, isBot }) => {
    const authors = found.get(login.toLowerCase()) ?? [];
    const commits = authors.reduce((sum, one) => sum + one.commits, 0);
    if (commits < commitsMin) return [];
    const humans = authors.filter((one) => community.personOf(one).classified.class === "human");
    const ofHumans = humans.reduce((sum, one) => sum + one.commits, 0);
    return [{ login, isBot, isTaken: ofHumans < commits / 2 }];
  });
}

const commitsMin = 5;

function rowsOf(name: string, verdicts: readonly Verdict[]): Row[] {
  const right = verdicts.filter(({ isBot, isTaken }) => isBot && isTaken).length;
  const taken = verdicts.filter(({ isTaken }) => isTaken).length;
  const bots = verdicts.filter(({ isBot }) => isBot).length;
  return [
    atLeast(bar, toShare(`${name}.precision`, right, taken)),
    toShare(`${name}.recall`, right, bots),
  ];
}

function countOf(verdicts: readonly Verdict[]): string {
  const taken = verdicts.filter(({ isTaken }) => isTaken);
  return `${taken.length} taken for bots, ${taken.filter(({ isBot }) => !isBot).length} of them humans`;
}
