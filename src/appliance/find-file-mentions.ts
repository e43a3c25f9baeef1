import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { parseSelector } from "../identity/selector.ts";

/** Returns the lines of the operator's files that name the person, such as `aliases.txt:12`. */
export async function findFileMentions(
  { aliasFile, classFile }: Config["identity"],
  names: readonly string[],
  isCovered: (selector: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const paths = [aliasFile, classFile].filter((path) => path !== undefined);

  const anyName = new RegExp(
    `(?<![\\p{L}\\p{N}])(${names.map(RegExp.escape).join("|")})(?![\\p{L}\\p{N}])`,
    "iu",
  );
  const isMention = async (line: string) => {
    if (names.length > 0 && anyName.test(line)) return true;
    return (await Promise.all(listSelectors(line).map(isCovered))).includes(true);
  };
  const mentions: string[] = [];
  for (const path of paths) {
    for (const [at, line] of readLines(path).entries()) {
      if (await isMention(line)) mentions.push(`${path}:${at + 1}`);
    }
  }
  return mentions;
}

/** Reads the lines of a file. An unreadable file counts as empty, because it must not stop an erasure. */
function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Returns the addresses and logins between angle brackets. */
function listSelectors(line: string): readonly string[] {
  return [...line.matchAll(/<[^<>]+>/g)].flatMap(([text]) => {
    const selector = parseSelector(text);
    return selector?.account?.login ?? selector?.address ?? [];
  });
}
