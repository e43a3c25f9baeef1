/** Writes a proposal into a CODEOWNERS file. New rows come first, because the last matching row counts. */
import { toPrintable } from "../../../contract/foreign-text.ts";
import {
  formatOwnerWord,
  hasTeam,
  listRowWords,
  type OwnersProposal,
  type ProposedChange,
  type ProposedFolder,
  type ProposedOwner,
} from "../../../contract/people/owners-proposal.ts";
import { parseCodeOwners } from "./code-owners.ts";
import type { OwnersFile } from "./owners-file.ts";

/** The beginning of each comment that a proposal adds. Later proposals recognize the comments by it. */
const mark = "# Roster: ";
const pathMax = 1000;

/** @returns a pattern for everything in a folder; undefined if the form or encoding of the file cannot express it. */
export function formatFolderPattern(
  folder: string,
  { form, isUtf8 }: Pick<OwnersFile, "form" | "isUtf8">,
): string | undefined {
  if (folder === "") return "*";
  if (folder.length > pathMax || /[\p{C}\p{Zl}\p{Zp}]|(?! )\s| #/u.test(folder)) return undefined;
  if (!isUtf8 && toBytes(folder) !== folder) return undefined;
  const pattern = `/${folder.replace(/[\\ *?[\]]/g, "\\$&")}/`;
  // Checks that the parser reads the pattern back unchanged.
  const { rules } = parseCodeOwners(`${pattern} @owner`, { file: "", form });
  return rules[0]?.pattern === pattern && rules[0].owners.length === 1 ? pattern : undefined;
}

/** @returns a function that tells whether a comment in the file already says who knows a folder. */
export function createNotedCheck(file: OwnersFile): (folder: string) => boolean {
  const notes = listMarked(file.lines).filter((text) => text.includes(knownBy));
  return (folder) => {
    const pattern = notes.length > 0 && formatFolderPattern(folder, file);
    const start = toBytes(`${mark}${pattern}${knownBy}`);
    return notes.some((text) => text.startsWith(start));
  };
}

const knownBy = " is known by ";

/** Counts the rows and comments for folders that earlier proposals added to the file. */
export function countProposed({ lines }: OwnersFile): number {
  const ofRow = `${mark}known by `;
  return listMarked(lines).filter((text) => text.startsWith(ofRow) || text.includes(knownBy))
    .length;
}

function listMarked(lines: OwnersFile["lines"]): readonly string[] {
  const texts = lines.map(({ bytes }) => bytes.replace(byteOrderMark, ""));
  return texts.filter((text) => text.startsWith(mark));
}

/** @param forge host of the forge; undefined when unknown. */
export function applyOwnersProposal(
  file: OwnersFile,
  proposal: OwnersProposal,
  forge: string | undefined,
): OwnersFile {
  const end = file.lines.some(({ bytes }) => bytes.endsWith("\r")) ? "\r" : "";
  const toLine = (text: string) => ({ bytes: toBytes(text) + end, at: undefined });
  const changeOf = new Map(proposal.changes.map((change) => [change.rule.line - 1, change]));
  const lines: OwnersFile["lines"][number][] = [];
  for (const [at, line] of file.lines.entries()) {
    const change = changeOf.get(at);
    const changed = change && changeRow(line.bytes, change);
    if (changed !== undefined && change) {
      // Removes the comment of an earlier proposal, which no longer applies to the row.
      const [before] = listMarked(lines.slice(-1));
      if (before !== undefined && !before.includes(knownBy)) lines.pop();
      lines.push(toLine(explainChange(change, proposal.asOf)), { bytes: changed, at: undefined });
    } else {
      if (change) lines.push(...markGone(line.bytes, lines, change, proposal.asOf).map(toLine));
      lines.push(line);
    }
  }
  const rows = proposal.folders.flatMap((one) => writeFolder(one, file, proposal.asOf, forge));
  if (rows.length === 0) return { ...file, lines };
  const start = findFirstRow(lines);
  const block = file.lines.length > 0 ? rows : [newFileComment, "", ...rows];
  const isApart = (line: string | undefined) => line === undefined || line.trim() === "";
  lines.splice(
    start,
    0,
    ...(isApart(lines[start - 1]?.bytes) ? [] : [toLine("")]),
    ...block.map(toLine),
    ...(isApart(lines[start]?.bytes) ? [] : [toLine("")]),
  );
  return { ...file, lines: keepByteOrderMark(lines) };
}

const newFileComment =
  "# The last row that matches a file counts. Shares are of what is known of the files.";
const byteOrderMark = "\u00ef\u00bb\u00bf";

/** Moves the byte order mark to the new beginning of the file. */
function keepByteOrderMark(lines: OwnersFile["lines"]): OwnersFile["lines"] {
  const at = lines.findIndex(({ bytes }) => bytes.startsWith(byteOrderMark));
  if (at <= 0) return lines;
  const bare = ({ bytes }: { readonly bytes: string }) => bytes.slice(byteOrderMark.length);
  return lines.map((line, number) => {
    if (number === 0) return { bytes: byteOrderMark + line.bytes, at: undefined };
    return number === at ? { bytes: bare(line), at: undefined } : line;
  });
}

/** @returns the position of the first row or section, or of the comment directly above it; the end if there is none. */
function findFirstRow(lines: OwnersFile["lines"]): number {
  const isComment = (text: string) => text.replace(byteOrderMark, "").trim().startsWith("#");
  const first = lines.findIndex(({ bytes }) => bytes.trim() !== "" && !isComment(bytes));
  if (first === -1) return lines.length;
  return lines.findLastIndex(({ bytes }, at) => at < first && !isComment(bytes)) + 1;
}

function writeFolder(
  { folder, owners }: ProposedFolder<ProposedOwner>,
  file: OwnersFile,
  asOf: string,
  forge = "the forge",
): readonly string[] {
  const pattern = formatFolderPattern(folder, file);
  if (pattern === undefined) return [];
  const words = listRowWords(owners);
  const named = owners.map(({ word, name, share }) =>
    word === undefined
      ? `${clean(name)} (${formatPart(share)}, no account on ${clean(forge)} known)`
      : `${word} (${formatPart(share)})`,
  );
  const rest = `${named.join(", ")}, as of ${asOf}.`;
  if (words.length === 0) return [`${mark}${pattern}${knownBy}${rest}`];
  return [`${mark}known by ${rest}`, `${pattern} ${words.join(" ")}`];
}

/** @returns undefined for a row that must stay, for example a row with teams. */
function changeRow(line: string, { rule, gone, joining }: ProposedChange<ProposedOwner>) {
  if (hasTeam(rule)) return undefined;
  const { pattern, words, rest } = splitRow(line);
  const away = new Set(gone.map(({ owner }) => toBytes(formatOwnerWord(owner))));
  const staying = words.filter(({ word }) => !away.has(word));
  const isChanged = staying.length < words.length || joining.length > 0;
  // A row without owners has the owners of its section.
  if (words.length === 0 || !isChanged || staying.length + joining.length === 0) return undefined;
  const [first] = words;
  const kept = staying.map(({ space, word }, at) => (at === 0 ? first?.space : space) + word);
  const space = staying.length > 0 ? " " : (first?.space ?? " ");
  const added = joining.map(({ word = "" }, at) => (at === 0 ? space : " ") + toBytes(word));
  return pattern + kept.join("") + added.join("") + rest;
}

/** @returns the words of a row, each with the space before it, and the rest: the comment and the line end. */
function splitRow(line: string) {
  const [pattern = ""] = /^[ \t\r]*(?:\\.?|[^ \t\r\\])*/s.exec(line) ?? [];
  const found = line.slice(pattern.length).matchAll(/([ \t\r]+)([^ \t\r#][^ \t\r]*)/gy);
  const words = [...found].map(([, space = "", word = ""]) => ({ space, word }));
  const length = words.reduce((sum, { space, word }) => sum + space.length + word.length, 0);
  return { pattern, words, rest: line.slice(pattern.length + length) };
}

function explainChange({ gone, joining }: ProposedChange<ProposedOwner>, asOf: string): string {
  const without = gone.map(({ owner, reason }) => `${formatOwnerWord(owner)} (${reason})`);
  const beside = joining.map(({ word, share }) => `${word} (knows ${formatPart(share)})`);
  const parts = [
    without.length > 0 && `without ${without.join(", ")}`,
    beside.length > 0 && `with ${beside.join(", ")}`,
  ].filter((part) => part !== false);
  return `${mark}${parts.join("; ")}, as of ${asOf}.`;
}

/** Writes a comment for each owner who should leave the row. Owners of a section get one comment in the whole file. */
function markGone(
  row: string,
  before: OwnersFile["lines"],
  { rule, gone }: ProposedChange<ProposedOwner>,
  asOf: string,
): readonly string[] {
  const isInherited = splitRow(row).words.length === 0;
  const texts = before.map(({ bytes }) => bytes);
  const start = isInherited ? 0 : texts.findLastIndex((text) => !text.startsWith("#")) + 1;
  const above = texts.slice(start);
  return gone.flatMap(({ owner, reason }) => {
    const where = isInherited ? ` of section ${clean(rule.section ?? "")}` : "";
    const begin = `${mark}${formatOwnerWord(owner)}${where}: `;
    const isSaid = above.some((text) => text.startsWith(toBytes(begin)));
    return isSaid ? [] : [`${begin}${reason}, as of ${asOf}.`];
  });
}

function formatPart(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const nameMax = 80;

/** Makes a name fit into a line of the file. */
function clean(name: string): string {
  return toPrintable(name).replace(/\s+/g, " ").trim().slice(0, nameMax);
}

/** Encodes as UTF-8, one character per byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
