/** Finds skills in text that people write about themselves, where "go" is mostly a verb. */
import ambiguous from "../../seed/vocabulary/ambiguous.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import { normalise } from "./normalise.ts";
import type { Skill } from "./skills.ts";

/** The number of characters to read. READMEs describe their subject at the beginning. */
const charactersRead = 20_000;
const wordsOfName = 5;
/** Names up to this length are found only if they are listed, because short names are ambiguous. */
const shortLength = 3;

/**
 * Creates a reader of free text. The longest name at a position wins. Names on the "never" list are never found. Names on the
 * "capital" list are found only with a capital: React, not "react to".
 */
export function createTextReader(byName: ReadonlyMap<string, Skill>) {
  const { never, capital, short } = ambiguousNames();

  function skillAt(text: string, words: readonly Word[], from: number) {
    for (let count = Math.min(wordsOfName, words.length - from); count > 0; count--) {
      const last = words[from + count - 1] as Word;
      const written = text.slice((words[from] as Word).start, last.end);
      // A name does not continue across a comma, a line break or the end of a sentence.
      if (count > 1 && /[,;|!?()[\]\n\r•·]|\.\s|\s[-–—/&+]\s/.test(written)) continue;
      const key = normalise(written);
      const skill = byName.get(key);
      if (!skill) continue;
      // "next" may be an ordinary word; "Next.js" cannot.
      if (key.length < written.length && /js$/i.test(written)) return [skill, count] as const;
      if (never.has(key)) continue;
      if (key.length <= shortLength && !short.has(key) && !capital.has(key)) continue;
      if (capital.has(key) && written === written.toLowerCase()) continue;
      return [skill, count] as const;
    }
    return undefined;
  }

  return (text: string): readonly Skill[] => {
    const part = text.slice(0, charactersRead);
    const words = wordsOf(part);
    const found = new Set<Skill>();
    for (let at = 0; at < words.length; ) {
      const match = skillAt(part, words, at);
      if (match) found.add(match[0]);
      at += match ? match[1] : 1;
    }
    return [...found];
  };
}

/** Whether a name without context, such as the name of a repository, may mean something else. */
export function isAmbiguousName(name: string): boolean {
  const { never, capital, short } = ambiguousNames();
  const key = normalise(name);
  return never.has(key) || (key.length <= shortLength && !short.has(key) && !capital.has(key));
}

interface Word {
  readonly start: number;
  readonly end: number;
}

/** Returns the words of a text. A word may contain signs that occur in names: `C++`, `.NET`, `Node.js`. */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  // Addresses and handles do not name skills.
  const plain = text.replace(
    /(?<!\S)(?=\S+@\S)\S+|\b(?:https?:\/\/|www\.)\S+|(?<!\w)@[\w-]+/g,
    (address) => ",".repeat(address.length),
  );
  for (const { 0: word, index } of plain.matchAll(/\.?[\p{L}\p{N}][\p{L}\p{N}+#.]*/gu)) {
    words.push({ start: index, end: index + word.replace(/(?<!\.)\.+$/, "").length });
  }
  return words;
}

type Lists = Readonly<Record<"never" | "capital" | "short", Set<string>>>;

let read: Lists | undefined;

function ambiguousNames(): Lists {
  read ??= readLists();
  return read;
}

function readLists(): Lists {
  const lists: Lists = { never: new Set(), capital: new Set(), short: new Set() };
  for (const line of readListLines(ambiguous)) {
    const [kind = "", names = ""] = line.split(" = ");
    if (!Object.hasOwn(lists, kind))
      throw new Error(`the list of ambiguous names has no "${kind}"`);
    for (const name of names.split(", ")) lists[kind as keyof Lists].add(name);
  }
  return lists;
}
