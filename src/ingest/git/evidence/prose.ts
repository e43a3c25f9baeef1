/** Finds the prose of a repository, such as books and documentation. The README is not prose. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import type { TreeFile } from "../repository/objects.ts";
import { listParents } from "./file-table.ts";

export const proseClass = "prose";

const classesOfProse = new Set([proseClass, "markdown", "restructuredtext", "asciidoc"]);

export const isClassOfProse = (name: string): boolean => classesOfProse.has(name);

export interface ProsePlaces {
  readonly isWhole: boolean;
  readonly has: (path: string) => boolean;
}

export interface PathContext {
  readonly prose: ProsePlaces;
  readonly vocabulary: Pick<Vocabulary, "pathClasses">;
}

export function listPathClasses(path: string, { prose, vocabulary }: PathContext) {
  const classes = vocabulary.pathClasses(path);
  const isWritten = prose.has(path) || (isProse(path) && classes.includes(proseClass));
  if (!isWritten) return classes.filter((name) => !isClassOfProse(name));
  return classes.includes(proseClass) ? classes : [...classes, proseClass];
}

function isProse(path: string): boolean {
  const base = path.slice(path.lastIndexOf("/") + 1);
  return prose.test(base) && !ofTheRepository.test(base);
}

const prose =
  /\.(md|mdx|mdown|markdown|rst|adoc|asciidoc|asc|org|texi|texinfo|textile|rdoc|mediawiki|wiki|dita|typ)$/i;

/** Texts that most repositories have, whatever they contain. */
const ofTheRepository =
  /^(readme|change(s|log)|history|news|releases?|contribut(ing|ors)|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|licen[cs]e|copying|notice|todo|agents|claude|(pull_request|issue)_template)\b/i;

/**
 * Finds places of prose. The repository or a top folder is prose if most of its bytes are prose. A folder of mdBook or GitBook
 * always is prose.
 */
export function findProse(
  files: readonly TreeFile[],
  kindOf: (path: string) => FileClassification,
): ProsePlaces {
  const sums = new Map<string, { prose: number; all: number }>();
  const books = new Set<string>();
  for (const { path, bytes } of files) {
    if (/(^|\/)(book\.toml|SUMMARY\.md)$/.test(path)) books.add(listParents(path)[0] ?? "");
    const { counts, generated, vendored } = kindOf(path);
    const isOfProse = isProse(path);
    if (generated || vendored || !(counts || isOfProse)) continue;
    for (const place of new Set(["", path.slice(0, Math.max(0, path.indexOf("/")))])) {
      const sum = sums.getOrInsertComputed(place, () => ({ prose: 0, all: 0 }));
      sum.all += bytes;
      if (isOfProse) sum.prose += bytes;
    }
  }
  const isMadeOfProse = (place: string): boolean => {
    const { prose, all } = sums.get(place) ?? { prose: 0, all: 0 };
    return prose > all / 2 && prose >= bytesMin;
  };
  const isWhole = isMadeOfProse("") || books.has("");
  const isInBook = (path: string) => listParents(path).some((folder) => books.has(folder));
  const isAtTop = (path: string): boolean => {
    const slash = path.indexOf("/");
    return slash > 0 && isMadeOfProse(path.slice(0, slash));
  };
  return {
    isWhole,
    has(path) {
      const isOfBook = isWhole || isInBook(path);
      return (isOfBook && isChapter.test(path)) || (isProse(path) && (isOfBook || isAtTop(path)));
    },
  };
}

/** A chapter of a book in its own folder: `installation/README.md`. */
const isChapter = /\/readme\.(md|markdown|rst|adoc|asciidoc)$/i;

const bytesMin = 2048;
