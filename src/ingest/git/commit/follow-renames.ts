/**
 * Finds the file of the newest tree that a path became. If there are several, the file after the fewest renames is chosen.
 * @param history.renames pairs of path numbers in a flat list: from, to, from, to.
 */
export function followRenames(
  newestPaths: Iterable<string>,
  { paths, renames }: { readonly paths: readonly string[]; readonly renames: readonly number[] },
): (path: string) => string | undefined {
  const sources = new Map<string, string[]>();
  for (let at = 0; at < renames.length; at += 2) {
    const [from, to] = [paths[renames[at] ?? -1], paths[renames[at + 1] ?? -1]];
    if (from === undefined || to === undefined) continue;
    sources.getOrInsertComputed(to, () => []).push(from);
  }
  let edge = [...newestPaths].sort();
  const found = new Map(edge.map((path) => [path, path]));
  while (edge.length > 0) {
    const next: string[] = [];
    for (const path of edge) {
      const newest = found.get(path);
      for (const from of [...(sources.get(path) ?? [])].sort()) {
        if (newest === undefined || found.has(from)) continue;
        found.set(from, newest);
        next.push(from);
      }
    }
    edge = next;
  }
  return (path) => found.get(path);
}
