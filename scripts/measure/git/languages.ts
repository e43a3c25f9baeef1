import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { readContents } from "../../../src/ingest/git/repository/contents.ts";
import { readTree } from "../../../src/ingest/git/repository/objects.ts";
import type { Linguist } from "../../../src/ingest/linguist/linguist.ts";
import { UnusableInput } from "../measurement.ts";
import { Agreement } from "./agreement.ts";
import { type Exception, findException } from "./exceptions.ts";

interface LanguagesFound {
  /** Files at HEAD, without the differences that an exception allows. */
  readonly agreement: Agreement;
  readonly excepted: number;
  readonly misses: readonly string[];
}

/** @returns the version of Ruby's Linguist; undefined where it is not installed. */
export function findRubyLinguist(): string | undefined {
  const asked = spawnSync("ruby", [
    "-e",
    'require "linguist"; require "rugged"; print Linguist::VERSION',
  ]);
  return asked.status === 0 ? asked.stdout.toString() : undefined;
}

/** Compares the language of each file at HEAD with what Ruby's Linguist says of the same blob. */
export async function compareLanguages(
  directory: string,
  { linguist, exceptions }: { linguist: Linguist; exceptions: readonly Exception[] },
): Promise<LanguagesFound> {
  const git = openGit();
  const { files } = await readTree(git, { directory, head: "HEAD" });
  const contents = await readContents(git, directory, files, linguist);
  const kindOf = linguist.forTree(
    files.map(({ path }) => path),
    contents,
  );
  const theirs = askLinguist(directory);
  const agreement = new Agreement("git.languages.agreement", 0.99);
  const misses: string[] = [];
  let excepted = 0;
  for (const { path } of files) {
    const pair = { path, ours: kindOf(path).dialect ?? "-", theirs: theirs.get(path) ?? "-" };
    const agrees = pair.ours === pair.theirs;
    if (!agrees && findException(exceptions, pair)) excepted += 1;
    else agreement.count(agrees);
    if (!agrees) misses.push(inWords(pair, findException(exceptions, pair)));
  }
  return { agreement, excepted, misses };
}

function askLinguist(directory: string): ReadonlyMap<string, string> {
  const asked = spawnSync("ruby", [join(import.meta.dir, "linguist.rb"), directory], {
    maxBuffer: 1 << 30,
  });
  if (asked.status !== 0) throw new UnusableInput(`${directory}: ${asked.stderr}`);
  const [, ...records] = asked.stdout.toString().split("\0");
  return new Map(
    records.map((record) => {
      const tab = record.lastIndexOf("\t");
      return [record.slice(0, tab), record.slice(tab + 1)];
    }),
  );
}

function inWords(
  { path, ours, theirs }: { path: string; ours: string; theirs: string },
  exception: Exception | undefined,
): string {
  const allowed = exception ? ` (excepted: ${exception.reason})` : "";
  return `${path}: Roster says ${ours}, Linguist ${theirs}${allowed}`;
}
