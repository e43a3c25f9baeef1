/** Finds what reads a file by the file's name. */

/** Rows of one kind of files, with what reads each. Keys may hold several names, between spaces. */
export interface FileTable<Reader> {
  readonly byName?: Readonly<Record<string, Reader>>;
  /** Patterns of file names, the first of which decides. */
  readonly byPattern?: readonly (readonly [RegExp, Reader])[];
  /** Patterns of whole paths, for files that their folder tells; they come before names. */
  readonly byPath?: readonly (readonly [RegExp, Reader])[];
}

/** @returns the reader of a path; undefined for other files. @package */
export function joinFileTables<Reader>(
  ...tables: readonly FileTable<Reader>[]
): (path: string) => Reader | undefined {
  // A map instead of an object, since a file may be called `constructor`.
  const byName = new Map(
    tables.flatMap((table) =>
      Object.entries(table.byName ?? {}).flatMap(([names, reader]) =>
        names.split(" ").map((name) => [name, reader] as const),
      ),
    ),
  );
  const byPath = tables.flatMap((table) => table.byPath ?? []);
  const byPattern = tables.flatMap((table) => table.byPattern ?? []);
  return (path) => {
    const base = path.slice(path.lastIndexOf("/") + 1);
    const match = (rows: typeof byPath, text: string) =>
      rows.find(([each]) => each.test(text))?.[1];
    return match(byPath, path) ?? byName.get(base) ?? match(byPattern, base);
  };
}

/** Lists the folders that a path is in, the nearest first, without the top. @package */
export function listParents(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    found.push(path.slice(0, at));
  }
  return found;
}
