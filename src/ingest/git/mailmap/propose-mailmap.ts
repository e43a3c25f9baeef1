/** Proposes rows for a repository's mailmap that show each person under one name and address. */
import { isUtf8 } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../contract/fault.ts";
import type { Pool } from "../../../pool/pool.ts";
import { type ChangedFile, formatFileDiff, splitFileLines } from "../file-diff.ts";
import { checkVersion, decodeGitText, type Git, type GitOptions, openGit } from "../git-command.ts";
import { identifyPeople } from "../identify-people.ts";
import { identifyRemembered } from "../identify-remembered.ts";
import {
  type AuthorIdentity,
  createReplacedCheck,
  type Person,
} from "../identity/author-identity.ts";
import { createIdentityRules, type OperatorFiles } from "../identity/rules.ts";
import type { KnownClone, Ledger } from "../ledger/ledger.ts";
import { openKnownClone } from "../repository/open-repository.ts";
import type { FoundRepository } from "../repository/view.ts";
import { splitByCertainty } from "./certain-joins.ts";
import {
  composeMailmap,
  foldCase,
  type HistoryIdentity,
  type MailmapPerson,
  type NamedAddress,
} from "./compose-mailmap.ts";

interface MailmapSources extends GitOptions {
  readonly clone: KnownClone & { readonly directory: string };
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

export interface MailmapProposal {
  /** For `git apply`; undefined where there is nothing to propose. */
  readonly diff: Buffer | undefined;
  /** The commit that it was made from. */
  readonly head: string;
  /** Names with addresses as `git shortlog -sne HEAD` lists them, now and with the change. */
  readonly before: number;
  readonly after: number;
  readonly rows: number;
  readonly suggestions: number;
  /** People whom the mailmap shows in several ways, and others for whom no row can be written. */
  readonly unclear: number;
}

/** @throws Fault when the repository cannot be read, or its mailmap is no regular file. */
export async function proposeMailmap(sources: MailmapSources): Promise<MailmapProposal> {
  const git = openGit(sources);
  await checkVersion(git);
  const repository = await openKnownClone(git, sources.clone.directory);
  try {
    const { head } = repository;
    const file = await readMailmapFile(git, repository);
    const written = await readWritten(git, repository, file);
    const history = await identifyWritten(written, sources);
    const lines = (file.before ?? []).map((line) => decodeGitText(Buffer.from(line, "latin1")));
    const composed = composeMailmap(history, lines);
    const suggestions = composed.suggestions.map((row) => `# perhaps: ${row}`).sort();
    for (let { rows } = composed; ; ) {
      const next = addLines(file, [...rows.map(({ text }) => text).sort(), ...suggestions]);
      const after = await readWritten(git, repository, next);
      const shownAfter = new Map(after.map((one) => [toKey(one), one.shown]));
      const wanted = new Map(rows.flatMap(({ of, shown }) => of.map((one) => [one, shown])));
      // Where git reads a row in another way, whatever the reason, it is left out.
      const wrong = history.everybody.filter((one) => {
        const { name, email } = wanted.get(one) ?? one.shown;
        const shown = shownAfter.get(toKey(one));
        return shown?.name !== name || shown.email !== email;
      });
      if (wrong.length === 0) {
        const parts = history.people
          .flatMap((person) => person.parts)
          .map((part) => part.map((one) => wanted.get(one) ?? one.shown));
        return {
          ...{ head, diff: formatFileDiff(next), rows: rows.length },
          ...{ before: countShown(written), after: countShown(after) },
          suggestions: suggestions.length,
          unclear: parts.filter((part) => new Set(part.map(formatShown)).size > 1).length,
        };
      }
      const addresses = new Set(wrong.map(({ email }) => foldCase(email)));
      rows = rows.filter(({ of }) => of.every(({ email }) => !addresses.has(foldCase(email))));
    }
  } finally {
    repository.close();
  }
}

const formatShown = ({ name, email }: NamedAddress) => `${name} <${email}>`;
const toKey = ({ name, email }: NamedAddress) => `${name}\0${email}`;
const countShown = (all: readonly WrittenIdentity[]) =>
  new Set(all.map(({ shown }) => formatShown(shown))).size;

const path = ".mailmap";

async function readMailmapFile(
  git: Git,
  { directory, head }: Pick<FoundRepository, "directory" | "head">,
): Promise<ChangedFile> {
  const entry = (await git.read(directory, ["ls-tree", head, path])).toString();
  if (entry === "") return { path, before: undefined, lines: [], isEnded: true };
  const [, sha] = /^100\d+ blob (\w+)/.exec(entry) ?? [];
  if (!sha) throw new Fault("refused", `${path} is no regular file, so git does not read it.`);
  const content = await git.read(directory, ["cat-file", "blob", sha]);
  return splitFileLines(path, content.toString("latin1"));
}

function addLines(file: ChangedFile, added: readonly string[]): ChangedFile {
  const end = file.before?.[0]?.endsWith("\r") ? "\r" : "";
  const lines = added.map((text) => Buffer.from(text + end).toString("latin1"));
  return { ...file, lines: [...file.lines, ...lines.map((bytes) => ({ bytes, at: undefined }))] };
}

interface WrittenIdentity extends Omit<HistoryIdentity, "isReplaced" | "properName"> {
  /** Whether it is valid UTF-8: a row with other bytes would make the file a text of no encoding. */
  readonly isText: boolean;
}

/** Reads all names and addresses of authors in the history of HEAD, as this mailmap shows them. */
async function readWritten(
  git: Git,
  { directory, head }: Pick<FoundRepository, "directory" | "head">,
  { lines }: ChangedFile,
): Promise<readonly WrittenIdentity[]> {
  const mailmap = join(directory, "proposed-mailmap");
  writeFileSync(mailmap, Buffer.from(lines.map(({ bytes }) => `${bytes}\n`).join(""), "latin1"));
  const settings = ["-c", `mailmap.file=${mailmap}`, "-c", "mailmap.blob="];
  const format = "--format=%an%x00%ae%x00%aN%x00%aE%x00%at";
  const log = git.stream(directory, [...settings, "log", format, head]);
  const sums = new Map<string, { commits: number; latest: number }>();
  let rest = "";
  for await (const chunk of log.chunks) {
    const text = rest + Buffer.from(chunk).toString("latin1");
    const ended = text.split("\n");
    rest = ended.pop() ?? "";
    for (const line of ended) {
      const end = line.lastIndexOf("\0");
      const sum = sums.getOrInsertComputed(line.slice(0, end), () => ({ commits: 0, latest: 0 }));
      sum.commits += 1;
      sum.latest = Math.max(sum.latest, Number(line.slice(end + 1)));
    }
  }
  await log.ended();
  return [...sums].map(([key, sum]) => {
    const fields = key.split("\0").map((field) => Buffer.from(field, "latin1"));
    const [name = "", email = "", shownName = "", shownEmail = ""] = fields.map(decodeGitText);
    const shown = { name: shownName, email: shownEmail };
    return { name, email, shown, ...sum, isText: fields.every((field) => isUtf8(field)) };
  });
}

/** Identifies them by all that the ledger knows. Who is not known to it, as somebody erased, is no person here. */
async function identifyWritten(
  written: readonly WrittenIdentity[],
  sources: MailmapSources,
): Promise<Parameters<typeof composeMailmap>[0]> {
  const { clone, ledger, pool, files } = sources;
  const remembered = { ...sources, forges: files.forges };
  const { context } = await identifyRemembered(remembered, async () =>
    createIdentityRules(files, await pool.decisions.list()),
  );
  const mentions = ledger.mentions([clone.id]);
  const numbers = new Map(
    mentions.map(({ name, email, rawEmail, spelling }) => [
      [name, email, rawEmail].join("\0"),
      spelling,
    ]),
  );
  const spellings = ledger.spellings.connected(numbers.values());
  const community = identifyPeople(context, spellings, ledger.identity.firstNames());
  const checks = new Map<Person, (name: string) => boolean>();
  const authors = new Map<HistoryIdentity, AuthorIdentity>();
  const everybody = written.map(({ isText, ...one }): HistoryIdentity => {
    const { name, email, shown } = one;
    const number = isText ? numbers.get([shown.name, shown.email, email].join("\0")) : undefined;
    const author = number === undefined ? undefined : community.identityOf(number);
    if (!author) return { ...one, isReplaced: false };
    const person = community.personOf(author);
    const isGone = checks.getOrInsertComputed(person, ({ identities }) =>
      createReplacedCheck(identities),
    );
    const { properName } = author;
    const isReplaced = isGone(name) || (properName !== undefined && properName !== name);
    const identity = { ...one, properName, isReplaced };
    authors.set(identity, author);
    return identity;
  });
  const humans = Map.groupBy(authors.keys(), (one) =>
    community.personOf(authors.get(one) as AuthorIdentity),
  );
  const people = new Map<Person, MailmapPerson>();
  for (const [person, members] of humans) {
    if (person.classified.class !== "human") continue;
    const { parts, isAsked } = splitByCertainty(person);
    const found = parts.map((part) =>
      members.filter((one) => part.has(authors.get(one) as AuthorIdentity)),
    );
    people.set(person, { parts: found.filter(({ length }) => length > 0), isAsked });
  }
  const alike = community.suggestions().flatMap(({ people: [a, b] }) => {
    const [one, other] = [people.get(a), people.get(b)];
    return one && other ? [[one, other] as const] : [];
  });
  return { everybody, people: [...people.values()], alike };
}
