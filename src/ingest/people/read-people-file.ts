/** Reads a people file (CSV or JSONL) into rows. */

import { type CsvError, parse } from "csv-parse/sync";
import { describeMismatch } from "../../contract/complaint.ts";
import { Fault } from "../../contract/fault.ts";
import { gatherBytes } from "../../contract/gather-bytes.ts";
import { findEncoding } from "../../contract/marked-text.ts";
import { parseObject } from "../parse-facts.ts";
import { readBytes } from "../read-bytes.ts";
import { readLines } from "../read-lines.ts";
import type { RejectedLine } from "../refusal.ts";
import { addCell, type Cells, type Column, columns, findColumn } from "./columns.ts";
import { type PeopleRow, readRow } from "./read-row.ts";

export type PeopleFormat = "csv" | "jsonl";

export interface PeopleReading {
  /** Encoding of a CSV file; default: UTF-8. */
  readonly encoding?: "utf-8" | "windows-1252" | "utf-16le";
  /** The column that each unusual name in the file means. */
  readonly meanings?: ReadonlyMap<string, Column>;
}

export type PeopleFile = Awaited<ReturnType<typeof readPeopleFile>>;

interface RawRow {
  readonly line: number;
  /** The row's cells, or a complaint about the row. */
  readonly cells: readonly (readonly [name: string, text: string])[] | string;
}

/**
 * @param path a file, plain or compressed with gzip or zstd; `-` is standard input.
 * @param source the source of the data, such as `people:hr`.
 * @returns the rows, the rejections, the number of rows that are not blank, and the names of unknown columns.
 * @throws Fault when the file is missing, damaged or too large, or has no column of addresses or logins.
 */
export async function readPeopleFile(
  path: string,
  format: PeopleFormat,
  source: string,
  { encoding = "utf-8", meanings = new Map() }: PeopleReading = {},
) {
  const { bytes } = await readBytes(path);
  const find: FindColumn = (name) => meanings.get(name.trim()) ?? findColumn(name);
  const tooLarge = () =>
    new Fault("refused", `${path} is larger than ${fileBytesMax / mebibyte} MiB.`);
  const gather = () => gatherBytes(bytes, fileBytesMax, tooLarge);
  const raw =
    format === "csv"
      ? readCsv(path, decode(path, await gather(), encoding), find)
      : readJsonLines(bytes);
  const rows: PeopleRow[] = [];
  const rejections: RejectedLine[] = [];
  const unknown = new Set<string>();
  let count = 0;
  for await (const { line, cells } of raw) {
    count += 1;
    if (typeof cells === "string") {
      rejections.push({ line, reason: cells });
      continue;
    }
    const read = readRow(line, toCells(cells, unknown, find), source);
    if ("row" in read) rows.push(read.row);
    else rejections.push({ line, ...read.complaint });
  }
  return { count, rows, rejections, unknownColumns: [...unknown] };
}

type FindColumn = (name: string) => Column | undefined;

function toCells(
  raw: readonly (readonly [string, string])[],
  unknown: Set<string>,
  find: FindColumn,
): Cells {
  const cells = new Map<Column, string>();
  for (const [name, text] of raw) {
    const column = find(name);
    if (column) addCell(cells, column, text);
    else unknown.add(name);
  }
  return cells;
}

const mebibyte = 2 ** 20;
const fileBytesMax = 256 * mebibyte;

function* readCsv(path: string, decoded: string, find: FindColumn): Generator<RawRow> {
  // Converts line ends to `\n`, because the parser counts `\r\n` as two lines.
  const [text, stated] = readPreamble(decoded.replace(/\r\n?/g, "\n"));
  const [header, ...records] = parseCsv(path, text, stated ?? findDelimiter(text));
  const names = (header?.cells ?? []).map((name) => name.trim());
  if (!names.some((name) => keyColumns.has(find(name)))) {
    const known = columns.join(", ");
    const found = names.length > 0 ? `only ${describeNames(names)}` : "nothing";
    const message = `${path} names no column email or login in its first line, ${found}. Name columns of ${known}, separated by commas, semicolons, tabs or bars, or say what a column means: --map NAME=email.`;
    throw new Fault("refused", message);
  }
  for (const { line, cells } of records) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    yield {
      line,
      cells:
        cells.length === names.length
          ? cells.map((cell, at) => [names[at] ?? "", cell] as const)
          : `has ${cells.length} cells, and the first line names ${names.length}`,
    };
  }
}

/** Shortens a list of column names for a message. */
const describeNames = (names: readonly string[]) =>
  JSON.stringify(names.slice(0, 10)).slice(1, -1).slice(0, 200);

/**
 * Empties the lines before the column names, such as `sep=;` or `#TYPE`. The line numbers stay the same. Replaces `="text"` by
 * `"text"`.
 * @returns the text, and the delimiter that a line `sep=` names.
 */
function readPreamble(text: string): readonly [text: string, delimiter: string | undefined] {
  const [start = ""] = /^(?:\n|#TYPE\b[^\n]*|sep=[^\n]*)*/i.exec(text) ?? [];
  const rest = text.slice(start.length).replace(/(?<![^\n,;|\t])="/g, '"');
  // Old programs end a file with the character U+001A.
  const own = rest.endsWith("\u001a") ? rest.slice(0, -1) : rest;
  return [start.replace(/[^\n]/g, "") + own, /^sep=(.)/im.exec(start)?.[1]];
}

const keyColumns: ReadonlySet<Column | undefined> = new Set(["email", "login"]);

function parseCsv(path: string, text: string, delimiter: string) {
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => {
      // Subtracts the line breaks inside cells, because the parser gives the line where a record ends.
      const inside = record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
      return { line: info.lines - inside, cells: record };
    });
  } catch (error) {
    const { code, lines } = error as CsvError & { readonly lines?: number };
    if (lines === undefined) throw error;
    const reason =
      code === "CSV_QUOTE_NOT_CLOSED"
        ? "a quote is opened and never closed"
        : "a quote is inside a cell; quote the whole cell, and double the quotes in it";
    throw new Fault("refused", `${path} is not valid CSV at line ${lines}: ${reason}.`);
  }
}

/** Finds the most frequent delimiter of the first line: a comma, semicolon, tab or bar. */
function findDelimiter(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  const header = line.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t", "|"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

type PeopleEncoding = NonNullable<PeopleReading["encoding"]>;

/** Decodes the file. @throws Fault for a binary file, or if the bytes do not fit the encoding. */
function decode(path: string, bytes: Buffer, encoding: PeopleEncoding): string {
  if (bytes.toString("latin1", 0, 4) === "PK\u0003\u0004") {
    throw new Fault("refused", `${path} is a spreadsheet or an archive: save the sheet as CSV.`);
  }
  const marked = findEncoding(bytes);
  const used = marked === "utf-8" ? encoding : marked;
  if (!used.startsWith("utf-16") && bytes.includes(0)) {
    const message = `${path} is not a text, or it is UTF-16 without a byte order mark: then add --encoding utf-16le.`;
    throw new Fault("refused", message);
  }
  const decoder = new TextDecoder(used, { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    if (used !== "utf-8") throw new Fault("refused", `${path} is not ${used}.`);
    const message = `${path} is not UTF-8: line ${findBadLine(bytes)} has letters of another encoding, such as Latin-1 or Windows-1252. Save it as UTF-8, or name its encoding: --encoding windows-1252.`;
    throw new Fault("refused", message);
  }
}

function findBadLine(bytes: Buffer): number {
  const isGood = (line: string) => !Buffer.from(line, "latin1").toString().includes("\ufffd");
  const lines = bytes.toString("latin1").split(/\r\n|[\n\r]/);
  return lines.findIndex((line) => !isGood(line)) + 1;
}

async function* readJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow> {
  for await (const lines of readLines(bytes)) {
    for (const line of lines) {
      const cells = "fault" in line ? line.fault : parseRow(line.text);
      yield { line: line.number, cells };
    }
  }
}

function parseRow(text: string): RawRow["cells"] {
  const line = parseObject(text);
  if ("reason" in line) return line.reason;
  const cells: [string, string][] = [];
  for (const [name, entry] of Object.entries(line.object)) {
    const text = toText(entry);
    // Values of unknown columns may have any type.
    if (text !== undefined) cells.push([name, text]);
    else if (!findColumn(name)) cells.push([name, ""]);
    else return `${name} ${describeMismatch("a text, yes or no, or a list of texts", entry)}`;
  }
  return cells;
}

function toText(value: unknown): string | undefined {
  if (value === null) return "";
  if (Array.isArray(value)) {
    return value.every((each) => typeof each === "string") ? value.join(" ") : undefined;
  }
  return typeof value === "object" ? undefined : String(value);
}
