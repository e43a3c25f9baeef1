import { readFileSync } from "node:fs";

/** A difference from the installed Linguist that is not a mistake of Roster. */
export interface Exception {
  readonly pattern: string;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  readonly reason: string;
}

const header = "path\tours\ttheirs\treason";

/**
 * Reads the list of exceptions: `path`, `ours`, `theirs` and `reason`, with tabs between them. A pattern with `*` matches
 * the name of a file in any folder; languages are alternatives separated by `|`, and `-` means no language.
 *
 * @throws an Error that names a line of another form.
 */
export function readExceptions(file: string): Exception[] {
  const [first, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  if (first !== header) throw new Error(`${file}:1: the first line must be the header, with tabs.`);
  return lines.flatMap((line, at) => {
    if (line.startsWith("#")) return [];
    const [pattern = "", ours = "", theirs = "", reason = "", ...rest] = line.split("\t");
    if (!pattern || !ours || !theirs || !reason || rest.length > 0) {
      throw new Error(`${file}:${at + 2}: four columns are needed, none of them empty.`);
    }
    return [{ pattern, ours: ours.split("|"), theirs: theirs.split("|"), reason }];
  });
}

/** @returns the first exception that allows this difference. */
export function findException(
  exceptions: readonly Exception[],
  file: { readonly path: string; readonly ours: string; readonly theirs: string },
): Exception | undefined {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  return exceptions.find(
    ({ pattern, ours, theirs }) =>
      ours.includes(file.ours) && theirs.includes(file.theirs) && fits(pattern, name),
  );
}

function fits(pattern: string, name: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  const end = rest.join("*").toLowerCase();
  return name.startsWith(start) && name.slice(start.length).toLowerCase().endsWith(end);
}
