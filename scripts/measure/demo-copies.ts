/**
 * Files of as many people as wanted, each in the form that `export` writes. `demo-copies.ts FILE PEOPLE` writes one in a process of its
 * own: the peak memory of a child is at least what its parent had when it was started.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../src/contract/people/facts.ts";

/** In parts: a child's peak memory is at least what its parent had when it was started. */
const linesPerPart = 1000;

export function writePeople(file: string, people: number): void {
  const demo = readDemo();
  writeFileSync(file, "");
  for (let from = 0; from < people; from += linesPerPart) {
    appendFileSync(file, writeLines(demo, from, Math.min(people, from + linesPerPart)));
  }
}

/** The login of every so many of them, in their order, as `writePeople` writes it. */
export function listLogins(people: number, every: number): readonly string[] {
  const logins = readDemo().map((line) => (JSON.parse(line) as Facts).login);
  return Array.from({ length: Math.floor(people / every) }, (_, n) =>
    nameCopy(logins[(n * every) % logins.length] as string, n * every, logins.length),
  );
}

function readDemo(): readonly string[] {
  const packed = readFileSync(join(import.meta.dir, "../../seed/demo.jsonl.zst"));
  return Bun.zstdDecompressSync(packed).toString().trim().split("\n");
}

/**
 * Repeats the demo people as often as needed. Each copy has its own names, addresses, words and repositories, and a third of
 * the people have a location of their own, so that caches help no more than they would with real people.
 */
function writeLines(demo: readonly string[], from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const at = from + index;
    const facts = JSON.parse(demo[at % demo.length] ?? "") as Facts;
    const { profile, repositories, emails, accounts } = facts;
    const { bio, location } = profile;
    const own = nameCopy(facts.login, at, demo.length);
    return JSON.stringify({
      ...{ ...facts, login: own, source: "bench" },
      emails: emails.map((email, n) => ({ ...email, address: `${own}.${n}@example.org` })),
      ...(accounts && {
        accounts: accounts.map((one, n) => ({ ...one, login: own, id: String(10 * at + n) })),
      }),
      profile: {
        ...profile,
        ...(profile.profileUrl !== undefined && { profileUrl: `https://example.org/${own}` }),
        ...(bio !== undefined && { bio: `${bio} I am ${own}.` }),
        ...(location !== undefined && { location: at % 3 === 0 ? `${location}, ${at}` : location }),
      },
      repositories: repositories.map((one) => ({ ...one, name: `${one.name}-${at}` })),
    } satisfies Facts);
  });
  return `${lines.join("\n")}\n`;
}

function nameCopy(login: string, at: number, demo: number): string {
  return `${login}-${Math.floor(at / demo)}`;
}

if (import.meta.main) {
  const [file = "", people = ""] = process.argv.slice(2);
  writePeople(file, Number(people));
}
