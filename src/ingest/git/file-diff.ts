/** Changes a file of a repository line by line, and formats the change as a unified diff. */

/** A line without its line end. Each byte is one character, because the encoding is unknown. */
interface FileLine {
  readonly bytes: string;
  /** Index of the line in the file before the change; undefined for a new line. */
  readonly at: number | undefined;
}

export interface ChangedFile {
  readonly path: string;
  /** The lines in the repository; undefined if the file does not exist there. */
  readonly before: readonly string[] | undefined;
  readonly lines: readonly FileLine[];
  readonly isEnded: boolean;
}

/** @param content the file, one character per byte. */
export function splitFileLines(path: string, content: string): ChangedFile {
  const isEnded = content === "" || content.endsWith("\n");
  const before = content.split("\n").slice(0, isEnded ? -1 : undefined);
  return { path, before, lines: before.map((bytes, at) => ({ bytes, at })), isEnded };
}

const contextLines = 3;
const noEnd = "\\ No newline at end of file";

interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** @returns a diff for `git apply`, as bytes; undefined when nothing changed. */
export function formatFileDiff({ path, before, lines, isEnded }: ChangedFile): Buffer | undefined {
  const old = before ?? [];
  const all = listDiffLines(old, lines, isEnded);
  const changed = [...all.keys()].filter((at) => all[at]?.sign !== " ");
  if (changed.length === 0) return undefined;
  const isNear = all.map((_, at) => changed.some((one) => Math.abs(one - at) <= contextLines));
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let at = 0, end = 0; at < all.length; at = end) {
    while (end < all.length && isNear[end] === isNear[at]) end += 1;
    const hunk = all.slice(at, end);
    const olds = hunk.filter(({ sign }) => sign !== "+").length;
    const news = hunk.filter(({ sign }) => sign !== "-").length;
    if (isNear[at]) {
      const from = `-${olds === 0 ? oldLine - 1 : oldLine},${olds}`;
      const to = `+${news === 0 ? newLine - 1 : newLine},${news}`;
      hunks.push(`@@ ${from} ${to} @@`, ...hunk.map(({ sign, text }) => sign + text));
    }
    oldLine += olds;
    newLine += news;
  }
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(before ? [`--- a/${path}`] : ["new file mode 100644", "--- /dev/null"]),
    `+++ b/${path}`,
  ];
  return Buffer.from([...head, ...hunks, ""].join("\n"), "latin1");
}

function listDiffLines(old: readonly string[], lines: readonly FileLine[], isEnded: boolean) {
  const all: DiffLine[] = [];
  const last = old.length - 1;
  let next = 0;
  let added: DiffLine[] = [];
  const write = (sign: DiffLine["sign"], at: number): void => {
    const text = old[at] ?? "";
    all.push({ sign, text: at === last && !isEnded ? `${text}\n${noEnd}` : text });
  };
  const flush = (to: number): void => {
    for (; next < to; next++) write("-", next);
    all.push(...added);
    added = [];
  };
  for (const [number, { bytes, at }] of lines.entries()) {
    // A last line without a line end counts as changed when lines follow, because it then gets a line end.
    const isKept = at !== undefined && (at < last || isEnded || number === lines.length - 1);
    if (!isKept) added.push({ sign: "+", text: bytes });
    else {
      flush(at);
      write(" ", at);
      next = at + 1;
    }
  }
  flush(old.length);
  return all;
}
