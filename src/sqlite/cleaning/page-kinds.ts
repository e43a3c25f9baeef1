/**
 * Finds out what each page of a database is for, from what the file says of itself: https://www.sqlite.org/fileformat2.html.
 * Only pages inside the trees are read, about one in a hundred.
 */
import type { FileBytes } from "./file-bytes.ts";

/** @package */
export interface Layout {
  readonly pageSize: number;
  /** Bytes of a page that SQLite uses. */
  readonly usable: number;
  /** Pages have numbers from 1 to this. */
  readonly pages: number;
}

/** @package Of a page; `rest` is what the other kinds leave: the pages of values too long for a cell. */
export const kinds = {
  rest: 0,
  tableTree: 1,
  indexTree: 2,
  /** Lists free pages. */
  trunk: 3,
  free: 4,
  /** A leaf of a table that names nobody, but may have long values. */
  impersonal: 5,
  /** Written by SQLite alone, and without anything of a row; or of a table that names nobody. */
  other: 6,
} as const;

/** @package By the number of the page. */
export type PageKinds = Uint8Array;

/** A file that is not laid out as SQLite does it. @package */
export class UnknownLayout extends Error {
  override readonly name = "UnknownLayout";
}

/** @package @param pages as SQLite counts them. */
export function readLayout(file: FileBytes, pages: number): Layout {
  const header = readHeader(file);
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65536 : stated;
  const usable = pageSize - header.readUInt8(20);
  if (usable < 480 || pages < 1) throw new UnknownLayout("the header is none of a database");
  return { pageSize, usable, pages };
}

/** @package A tree, by its first page. */
export interface Tree {
  readonly root: number;
  /** Whether it never held anything of a person. */
  readonly isImpersonal: boolean;
}

/** @package @throws UnknownLayout */
export function classifyPages(file: FileBytes, layout: Layout, trees: readonly Tree[]): PageKinds {
  const found = new Uint8Array(layout.pages + 1);
  const claim = (page: number, kind: number): void => {
    if (page < 1 || page > layout.pages || found[page] !== kinds.rest) {
      throw new UnknownLayout(`page ${page} belongs to more than one thing`);
    }
    found[page] = kind;
  };
  const header = readHeader(file);
  // Where SQLite locks the file, a page holds nothing.
  const lockPage = 2 ** 30 / layout.pageSize + 1;
  if (lockPage <= layout.pages) claim(lockPage, kinds.other);
  if (header.readUInt32BE(52) > 0) {
    // A file that can give pages back has maps of who uses each page.
    const perMap = Math.floor(layout.usable / 5) + 1;
    for (let page = 2; page <= layout.pages; page += perMap) {
      const map = page === lockPage ? page + 1 : page;
      if (map <= layout.pages) claim(map, kinds.other);
    }
  }
  for (const tree of [schemaTree, ...trees]) claimTree(file, layout, { ...tree, claim });
  claimFree(file, layout, { first: header.readUInt32BE(32), claim });
  return found;
}

interface Claiming {
  claim(page: number, kind: number): void;
}

const schemaTree: Tree = { root: 1, isImpersonal: false };

/** All leaves of a tree lie equally deep, so one page tells what its level is. */
function claimTree(
  file: FileBytes,
  layout: Layout,
  { root, isImpersonal, claim }: Claiming & Tree,
): void {
  const bytes = Buffer.alloc(layout.pageSize);
  for (let level = [root]; level.length > 0; ) {
    const below: number[] = [];
    for (const page of level) {
      const start = startOf(page);
      // The leaves need not be read, but for the first.
      if (below.length > 0 || page === level[0]) readPage(file, layout, page, bytes);
      const type = bytes.readUInt8(start);
      const isInside = type === 5 || type === 2;
      claim(page, isImpersonal ? chooseImpersonal(type) : chooseKind(type));
      if (isInside) below.push(...listChildren(bytes, start));
      else if (type !== 13 && type !== 10) throw new UnknownLayout(`page ${page} is in no tree`);
    }
    level = below;
  }
}

function chooseKind(type: number): number {
  return (type & 7) === 5 ? kinds.tableTree : kinds.indexTree;
}

/** Only the leaves of a table tell where its long values begin. */
function chooseImpersonal(type: number): number {
  return type === 13 ? kinds.impersonal : kinds.other;
}

function listChildren(bytes: Buffer, start: number): readonly number[] {
  const cells = bytes.readUInt16BE(start + 3);
  const children = Array.from({ length: cells }, (_, at) =>
    bytes.readUInt32BE(bytes.readUInt16BE(start + 12 + 2 * at)),
  );
  return [...children, bytes.readUInt32BE(start + 8)];
}

function claimFree(
  file: FileBytes,
  layout: Layout,
  { first, claim }: Claiming & { readonly first: number },
): void {
  const bytes = Buffer.alloc(layout.pageSize);
  for (let trunk = first; trunk !== 0; trunk = bytes.readUInt32BE(0)) {
    claim(trunk, kinds.trunk);
    readPage(file, layout, trunk, bytes);
    for (let at = 8; at < endOfTrunk(bytes, layout); at += 4) {
      claim(bytes.readUInt32BE(at), kinds.free);
    }
  }
}

/** @package @returns where the numbers of free pages end. */
export function endOfTrunk(page: Buffer, { usable }: Layout): number {
  const end = 8 + 4 * page.readUInt32BE(4);
  if (end > usable) throw new UnknownLayout("a list of free pages is too long");
  return end;
}

/** @package Where the header of a page of a tree begins: the first page has that of the file before it. */
export function startOf(page: number): number {
  return page === 1 ? fileHeaderBytes : 0;
}

const fileHeaderBytes = 100;

function readHeader(file: FileBytes): Buffer {
  const header = Buffer.alloc(fileHeaderBytes);
  file.read(header, 0);
  return header;
}

function readPage(file: FileBytes, { pageSize }: Layout, page: number, into: Buffer): void {
  file.read(into, (page - 1) * pageSize);
}
