/** Maps files to readers. A key is a list of file names, patterns such as `*.mk`, or ends of paths such as `meta/main.yml`. */
export type FileTable<Reader> = Readonly<Record<string, Reader>>;

/** @package Joins tables. The end of a path takes precedence over a file name, and a file name over a pattern. */
export function joinFileTables<Reader>(
  ...tables: readonly FileTable<Reader>[]
): (path: string) => Reader | undefined {
  const rows = tables.flatMap((table) =>
    Object.entries(table).flatMap(([names, reader]) =>
      names.split(" ").map((name) => ({ name, reader, pattern: toPattern(name) })),
    ),
  );
  const ends = rows.filter(({ name }) => name.includes("/"));
  const patterns = rows.filter(({ name }) => /^[^/]*[*{[][^/]*$/.test(name));
  // Uses a map, because a file may be called `constructor`.
  const byName = new Map(rows.map(({ name, reader }) => [name, reader]));
  return (path) => {
    if (isTestData(path)) return undefined;
    const base = path.slice(path.lastIndexOf("/") + 1);
    const found = ends.find(({ pattern }) => pattern.test(path))?.reader ?? byName.get(base);
    return found ?? patterns.find(({ pattern }) => pattern.test(base))?.reader;
  };
}

/** @package Whether the file is data that a test reads. */
export function isTestData(path: string): boolean {
  return /\b(testdata|\w+_SUITE_data|(t|tests?)\/(data|(.+\/)?(fixtures|samples|mocks)))\//.test(
    path,
  );
}

function toPattern(name: string): RegExp {
  const source = name
    .replace(/[.+]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replace(/\{([^{}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`);
  return new RegExp(`(?:^|/)${source}$`);
}

/** @package Lists the folders that contain a path, innermost first. The root is left out. */
export function listParents(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    found.push(path.slice(0, at));
  }
  return found;
}
