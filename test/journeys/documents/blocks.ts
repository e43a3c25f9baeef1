/** What a document tells its reader to type, and what it says comes out: its fenced blocks, command by command. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Block {
  /** What stands behind the fence: `sh`, `text`, `json`; empty where nothing does. */
  readonly language: string;
  readonly text: string;
}

export interface Pasted {
  readonly commands: readonly string[];
  /** What the document shows below it, as `text`. */
  readonly shown?: string;
}

const root = join(import.meta.dir, "../../..");
export const readDocument = (path: string): string => readFileSync(join(root, path), "utf8");

export function listBlocks(page: string): readonly Block[] {
  const fenced = page.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm);
  return [...fenced].map(([, , language = "", text = ""]) => ({ language, text }));
}

export function listPasted(page: string): readonly Pasted[] {
  const blocks = listBlocks(page);
  return blocks.flatMap(({ language, text }, at) => {
    if (language !== "sh") return [];
    const next = blocks[at + 1];
    return {
      commands: splitCommands(text),
      ...(next?.language === "text" && { shown: next.text }),
    };
  });
}

/** A command goes on behind a backslash, and inside quotes. @returns commands without the remarks on them. */
export function splitCommands(text: string): readonly string[] {
  const commands: string[] = [];
  let begun = "";
  for (const line of text.split("\n")) {
    const { typed, isOpen } = dropRemark(begun + line);
    if (!isOpen && typed !== "") commands.push(typed);
    begun = isOpen ? `${begun}${line}\n` : "";
  }
  if (begun !== "") throw new Error(`a command that does not end: ${begun}`);
  return commands;
}

function dropRemark(line: string) {
  let quote = "";
  for (const [at, letter] of [...line].entries()) {
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "#" && /^$|\s/.test(line[at - 1] ?? "")) {
      return { typed: line.slice(0, at).trim(), isOpen: false };
    }
  }
  return { typed: line.trim(), isOpen: quote !== "" || line.endsWith("\\") };
}

/**
 * What may differ between what a document shows and what comes: numbers, dates and times, widths of columns, and whatever it
 * leaves out as `...`, in a line or lines. @returns whether the lines come, one after the other.
 */
export function isShown(shown: string, came: string): boolean {
  const even = (text: string) =>
    text
      .replace(/\b\d{1,2} [A-Z][a-z]{2} (?=\d{4}\b)/g, "")
      .replace(/\d+(?:[.,:T-]\d+)*Z?/g, "0")
      .replace(/[ \t]+/g, " ");
  const pattern = even(shown)
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .map((line) =>
      line === "..." ? "(?:.*\n)*" : ` ?${line.split("...").map(RegExp.escape).join(".*")} ?\n`,
    );
  return new RegExp(`^${pattern.join("")}`, "m").test(`${even(came)}\n`);
}

/** Names what a terminal would take for a command: a block that is marked as none must not begin so. */
export const beginsWithCommand = (text: string): boolean =>
  /^(?:\$ |sudo |\.\/|scripts\/|(?:roster|curl|git|npx|npm|docker|systemctl|cd|export|apt(?:-get)?|ssh-keygen|jq) )/.test(
    text,
  );
