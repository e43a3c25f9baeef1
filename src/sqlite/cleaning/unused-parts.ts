/**
 * Finds the bytes of a page that SQLite does not read: between the list of cells and the cells, in free blocks, on free
 * pages, behind the end of a long value. Between two cells up to three bytes may be lost; SQLite has overwritten them when it
 * deleted what was there.
 */
import { endOfTrunk, kinds, type Layout, startOf, UnknownLayout } from "./page-kinds.ts";

/** A page within bytes that were read, and what to do with what is found in it; one object for all pages, since they are many. @package */
export interface PageVisit {
  bytes: Buffer;
  /** Where the page begins in the bytes. */
  at: number;
  page: number;
  readonly layout: Layout;
  /** Takes a part of the page that holds nothing. */
  readonly isUnused: (from: number, to: number) => void;
  /** Takes the first page of a long value, and how many bytes of it are on this page and those that follow. */
  readonly hasLongValue: (first: number, bytes: number) => void;
}

/** Types of pages. A cell of a leaf of a table has a row id. */
const tableLeaf = 13;
const indexLeaf = 10;

/** @package */
export function examineFreePage(
  { bytes, at, layout, isUnused }: Pick<PageVisit, "bytes" | "at" | "layout" | "isUnused">,
  kind: number,
): void {
  const page = bytes.subarray(at, at + layout.pageSize);
  isUnused(kind === kinds.trunk ? endOfTrunk(page, layout) : 0, layout.usable);
}

/** @package @throws UnknownLayout when the page is none of a tree of this kind. */
export function examineTreePage(visit: PageVisit, kind: number): void {
  const { bytes, at, page, layout, isUnused } = visit;
  const start = startOf(page);
  const header = at + start;
  const type = bytes.readUInt8(header);
  const leaf = kind === kinds.tableTree ? tableLeaf : indexLeaf;
  // The pages inside the tree have the type of its leaves but for one bit.
  if (type !== leaf && type !== leaf - 8)
    throw new UnknownLayout(`page ${page} is of another tree`);
  const cells = bytes.readUInt16BE(header + 3);
  // 65536 does not fit.
  const content = bytes.readUInt16BE(header + 5) || 65536;
  const pointers = start + (type === leaf ? 8 : 12);
  const gap = pointers + 2 * cells;
  if (gap > content || content > layout.usable) {
    throw new UnknownLayout(`page ${page} has no room for its cells`);
  }
  isUnused(gap, content);
  visitFreeBlocks(visit, { first: bytes.readUInt16BE(header + 1), content });
  if (type !== tableLeaf - 8) visitCells(visit, { pointers, cells, type });
}

/** Each free block begins with the place of the next one and its own size. */
function visitFreeBlocks(
  { bytes, at, page, layout, isUnused }: PageVisit,
  { first, content }: { readonly first: number; readonly content: number },
): void {
  let end = content;
  for (let block = first; block !== 0; block = bytes.readUInt16BE(at + block)) {
    const size = bytes.readUInt16BE(at + block + 2);
    if (block < end || size < 4 || block + size > layout.usable) {
      throw new UnknownLayout(`page ${page} has impossible free blocks`);
    }
    end = block + size;
    isUnused(block + 4, end);
  }
}

function visitCells(
  { bytes, at, page, layout, hasLongValue }: PageVisit,
  cell: { readonly pointers: number; readonly cells: number; readonly type: number },
): void {
  const { usable } = layout;
  const { pointers, cells, type } = cell;
  const childBytes = type === tableLeaf || type === indexLeaf ? 0 : 4;
  const localMax = type === tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const localMin = Math.floor(((usable - 12) * 32) / 255) - 23;
  for (let n = 0; n < cells; n++) {
    const pointer = at + pointers + 2 * n;
    const start = ((bytes[pointer] as number) << 8) | (bytes[pointer + 1] as number);
    let position = at + start + childBytes;
    // Most values are short, and one byte tells.
    if ((bytes[position] as number) < 0x80) continue;
    const size = readNumber(bytes, position);
    if (size <= localMax) continue;
    position = skipNumber(bytes, position);
    if (type === tableLeaf) position = skipNumber(bytes, position);
    const fitting = localMin + ((size - localMin) % (usable - 4));
    const local = fitting <= localMax ? fitting : localMin;
    if (position + local + 4 > at + usable) {
      throw new UnknownLayout(`page ${page} has a cell without an end`);
    }
    hasLongValue(bytes.readUInt32BE(position + local), size - local);
  }
}

/** Reads a number of one to nine bytes: seven bits in each, eight in the ninth. */
function readNumber(bytes: Buffer, at: number): number {
  let value = 0;
  for (let n = 0; n < 8; n++) {
    const byte = bytes[at + n] as number;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value * 256 + (bytes[at + 8] as number);
}

/** @returns where such a number ends. */
function skipNumber(bytes: Buffer, at: number): number {
  let end = at;
  while (end < at + 8 && (bytes[end] as number) >= 0x80) end++;
  return end + 1;
}
