/**
 * Overwrites with zeros what lies in a database file and SQLite does not read. Every byte that SQLite reads stays as it is and
 * is not written either, so a process that reads meanwhile sees no difference, and one that is killed here leaves a sound file.
 *
 * A page in a database takes two bytes of memory, and 1 MB of the file are read at a time.
 */

import type { FileBytes } from "./file-bytes.ts";
import { kinds, type Layout, type PageKinds, UnknownLayout } from "./page-kinds.ts";
import { examineFreePage, examineTreePage, type PageVisit } from "./unused-parts.ts";

const bytesAtOnce = 2 ** 20;
/** So many pages that need not be read are read all the same between others: that is faster than two reads. */
const pagesBetween = 8;

/**
 * Call it while nothing else can write the file, and its log is empty.
 *
 * @package
 * @throws UnknownLayout when a page is not as SQLite leaves it.
 */
export function cleanPages(file: FileBytes, layout: Layout, pageKinds: PageKinds): void {
  const { pageSize, pages } = layout;
  const zeros = Buffer.alloc(pageSize);
  const chains = createChains(layout, pageKinds);
  const clear = (page: number, from: number, to: number) =>
    file.write(zeros.subarray(0, to - from), (page - 1) * pageSize + from);
  const all = Buffer.alloc(Math.max(pageSize, Math.min(bytesAtOnce, pages * pageSize)));
  const visited: PageVisit = {
    ...{ bytes: all, at: 0, page: 0, layout, hasLongValue: chains.begin },
    isUnused(from, to) {
      const { bytes, at, page } = visited;
      const isZero = bytes.compare(zeros, 0, to - from, at + from, at + to) === 0;
      if (!isZero) clear(page, from, to);
    },
  };
  const uncleaned = { hasLongValue: chains.count, isUnused() {} };
  for (const { first, count } of listRuns(pageKinds, Math.floor(all.length / pageSize))) {
    visited.bytes = all.subarray(0, count * pageSize);
    file.read(visited.bytes, (first - 1) * pageSize);
    for (let n = 0; n < count; n++) {
      const kind = pageKinds[first + n] as number;
      if (!isRead(kind)) continue;
      visited.page = first + n;
      visited.at = n * pageSize;
      if (kind !== kinds.impersonal) visit(visited, kind);
      else examineTreePage({ ...visited, ...uncleaned }, kinds.tableTree);
    }
  }
  for (const { page, from, to } of chains.findRests(file)) clear(page, from, to);
}

/** Whether it is looked for the unused parts of such a page, or for the beginning of long values. */
function isRead(kind: number): boolean {
  return kind !== kinds.rest && kind !== kinds.other;
}

/** Pages that are read at once. */
function* listRuns(pageKinds: PageKinds, pagesMax: number) {
  for (let first = 1; first < pageKinds.length; first++) {
    if (!isRead(pageKinds[first] as number)) continue;
    let last = first;
    for (let page = first; page < pageKinds.length && page < first + pagesMax; page++) {
      if (isRead(pageKinds[page] as number)) last = page;
      else if (page - last > pagesBetween) break;
    }
    yield { first, count: last - first + 1 };
    first = last;
  }
}

function visit(visited: PageVisit, kind: number): void {
  // The first page has the header and the definitions of tables, and nothing of a row.
  if (visited.page === 1) return;
  if (kind === kinds.tableTree || kind === kinds.indexTree) examineTreePage(visited, kind);
  else examineFreePage(visited, kind);
}

/** The pages of values too long for a cell. */
interface Chains {
  /** Notes where such a value begins. */
  begin(first: number, bytes: number): void;
  /** Notes one that need not be looked at. */
  count(first: number, bytes: number): void;
  /** @returns what is written behind the ends of the values. */
  findRests(file: FileBytes): Iterable<Rest>;
}

interface Rest {
  readonly page: number;
  readonly from: number;
  readonly to: number;
}

/** A page of a long value begins with the number of the page that follows, or 0. */
const linkBytes = 4;

function createChains({ pageSize, usable, pages }: Layout, pageKinds: PageKinds): Chains {
  const begun: { readonly first: number; readonly bytes: number }[] = [];
  const isSeen = new Uint8Array(pages + 1);
  let unseen = pageKinds.reduce((sum, kind) => (kind === kinds.rest ? sum + 1 : sum), 0) - 1;
  const take = (page: number): void => {
    if (page < 1 || page > pages || isSeen[page] !== 0 || pageKinds[page] !== kinds.rest) {
      throw new UnknownLayout(`page ${page} is in no value, or in two`);
    }
    isSeen[page] = 1;
    unseen -= 1;
  };
  return {
    begin: (first, bytes) => void begun.push({ first, bytes }),
    count(_, bytes) {
      unseen -= Math.ceil(bytes / (usable - linkBytes));
    },
    *findRests(file) {
      const [page, zeros] = [Buffer.alloc(pageSize), Buffer.alloc(pageSize)];
      const link = page.subarray(0, linkBytes);
      for (const { first, bytes } of begun) {
        let [at, left] = [first, bytes];
        for (; left > usable - linkBytes; left -= usable - linkBytes) {
          take(at);
          file.read(link, (at - 1) * pageSize);
          at = link.readUInt32BE(0);
        }
        take(at);
        file.read(page, (at - 1) * pageSize);
        if (link.readUInt32BE(0) !== 0)
          throw new UnknownLayout(`page ${at} goes on without an end`);
        const from = linkBytes + left;
        if (page.compare(zeros, 0, usable - from, from, usable) !== 0)
          yield { page: at, from, to: usable };
      }
      if (unseen !== 0) throw new UnknownLayout(`${unseen} pages belong to nothing`);
    },
  };
}
