/** Finds what a file declares about itself: its interpreter (`#!`), and its mode in Emacs or Vim. */

/** @returns the name of the interpreter without its path and minor version: `python3` for `/usr/bin/python3.9`. @package */
export function findInterpreter(content: string): string | undefined {
  if (!content.startsWith("#!")) return undefined;
  const line = takeFirstLines(content, 1)[0] ?? "";
  const [command = "", ...words] = line.slice(2).trim().split(/\s+/);
  let program: string | undefined = command.slice(command.lastIndexOf("/") + 1);
  if (program === "env") program = words.find((word) => !/^-|=/.test(word));
  program = program?.replace(/\.\d+$/, "");
  if (program === "sh") {
    const executed = takeFirstLines(content, 5)
      .map((text) => /exec (\w+)[\s"']+\$0[\s"']+\$@/.exec(text)?.[1])
      .find(Boolean);
    program = executed ?? program;
  }
  if (program === "osascript" && /-l\s?/.test(line)) return undefined;
  return program?.slice(program.lastIndexOf("/") + 1) || undefined;
}

/** @returns the mode that a modeline of Emacs or Vim names. Modelines are in the first or last five lines. @package */
export function findModeline(content: string): string | undefined {
  const head = takeFirstLines(content, 5);
  if (head.some((line) => line.includes("UseVimball"))) return undefined;
  const lines = [...head, ...takeLastLines(content, 5)];
  return firstOf(lines, emacsMode) ?? firstOf(lines, vimFileType);
}

function emacsMode(line: string): string | undefined {
  const start = line.indexOf("-*-");
  const end = start === -1 ? -1 : line.indexOf("-*-", start + 3);
  if (end === -1) return undefined;
  const inside = line.slice(start + 3, end);
  if (!inside.includes(":")) return /^[ \t]*([^:;\s]+)[ \t]*$/.exec(inside)?.[1];
  return /(?:^|[ \t;])mode[ \t]*:[ \t]*([^:;\s]+)(?=[ \t;]|$)/i.exec(inside)?.[1];
}

function vimFileType(line: string): string | undefined {
  const start = /(?:(?:^|[ \t])(?:vi|[vV]im(?:[<=>]?[0-9]+)?)|[ \t]ex):(.*)/s.exec(line)?.[1];
  if (start === undefined) return undefined;
  const set = /^[ \t]*set?[ \t]/.test(start);
  const end = set ? start.indexOf(":") : start.length;
  if (end === -1) return undefined;
  return /[ \t:](?:filetype|ft|syntax)[ \t]*=(\w+)(?=$|\s|:)/.exec(` ${start.slice(0, end)}`)?.[1];
}

function firstOf(lines: readonly string[], find: (line: string) => string | undefined) {
  const found = lines.values().map((line) => find(line.slice(0, lineMax)));
  return found.find(Boolean)?.toLowerCase();
}

/** The longest line that is searched for a modeline, in characters. */
const lineMax = 1000;

/** @package */
export function takeFirstLines(content: string, count: number): string[] {
  return content.split("\n", count).map((line) => line.replace(/\r$/, ""));
}

/** Returns the last lines. A line feed at the end of the text begins no line. @package */
export function takeLastLines(content: string, count: number): string[] {
  const lines = content.replace(/\n$/, "").split("\n").slice(-count);
  return lines.map((line) => line.replace(/\r$/, ""));
}
