/** Who wrote the lines of files, as `git blame` says, by people of a pool. */
import { spawn } from "node:child_process";
import type { Facts } from "../../src/contract/people/facts.ts";
import { normaliseAddress } from "../../src/identity/address.ts";
import { splitNameWords } from "../../src/identity/name-words.ts";
import { decodeGitText } from "../../src/ingest/git/git-command.ts";
import type { Pool } from "../../src/pool/pool.ts";

/** Lines by author; the author is a login of the pool in lower case, or an address that the pool does not know. */
export type BlamedLines = ReadonlyMap<string, number>;

export type FindAuthor = (name: string, address: string) => string;

/** @returns who an author is: the person with the address, or the only one with the name. */
export async function readAuthorFinder(pool: Pool): Promise<FindAuthor> {
  const byAddress = new Map<string, string>();
  const byName = new Map<string, Set<string>>();
  for await (const batch of pool.facts()) {
    for (const facts of batch) {
      const login = facts.login.toLowerCase();
      for (const { address } of facts.emails) byAddress.set(normaliseAddress(address), login);
      for (const name of listNames(facts)) {
        const key = toNameKey(name);
        if (key) byName.set(key, (byName.get(key) ?? new Set()).add(login));
      }
    }
  }
  return (name, address) => {
    const [only, ...others] = byName.get(toNameKey(name)) ?? [];
    const ofName = others.length === 0 ? only : undefined;
    return byAddress.get(normaliseAddress(address)) ?? ofName ?? `<${address}>`;
  };
}

function listNames({ profile, otherNames = [] }: Facts): readonly string[] {
  const { name } = profile ?? {};
  return [...(name ? [name] : []), ...otherNames];
}

function toNameKey(name: string): string {
  return splitNameWords(name).join(" ");
}

/**
 * Asks without changes of white space; copies from other files are not followed.
 *
 * @param revision by default the newest commit.
 * @returns undefined for a binary file, and where objects are missing.
 */
export async function blame(
  repository: string,
  path: string,
  findAuthor: FindAuthor,
  revision = "HEAD",
): Promise<BlamedLines | undefined> {
  const args = [
    ...["-c", "safe.directory=*", "-C", repository],
    ...["blame", "-w", "-p", revision, "--", path],
  ];
  const git = spawn("git", args, { stdio: ["ignore", "pipe", "ignore"] });
  const parts: Buffer[] = [];
  git.stdout.on("data", (part: Buffer) => parts.push(part));
  const code = await new Promise((resolve) => git.on("close", resolve));
  const said = Buffer.concat(parts);
  return code !== 0 || said.includes(0)
    ? undefined
    : readPorcelain(decodeGitText(said), findAuthor);
}

/** Each commit states its author once, before the first of its lines. */
function readPorcelain(text: string, findAuthor: FindAuthor): BlamedLines {
  const authors = new Map<string, string>();
  const lines = new Map<string, number>();
  let [commit, name] = ["", ""];
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      const author = authors.get(commit) ?? "";
      lines.set(author, (lines.get(author) ?? 0) + 1);
    } else if (/^[0-9a-f]{40,64} \d/.test(line)) commit = line.slice(0, line.indexOf(" "));
    else if (line.startsWith("author ")) name = line.slice("author ".length);
    else if (line.startsWith("author-mail <")) {
      authors.set(commit, findAuthor(name, line.slice("author-mail <".length, -1)));
    }
  }
  return lines;
}
