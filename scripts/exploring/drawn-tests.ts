/** Finds the tests that draw their cases or have a longer form. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const marks = /\b(?:drawSeeds?\(|isLong\b|rounds\(|fc\.(?:assert|check)\()/;
/** They define the marks. */
const owners = ["random.ts", "long.ts"];

/**
 * @param path a file or folder.
 * @returns the test files in it that use a seed or the long form, themselves or through a file of tests that they import; sorted.
 */
export function findDrawnTests(path: string): string[] {
  const known = new Map<string, boolean>();
  const draws = (file: string): boolean => {
    const seen = known.get(file);
    if (seen !== undefined) return seen;
    // Files that import each other end here.
    known.set(file, false);
    const source = readFileSync(file, "utf8");
    const imported = [...source.matchAll(/ from "(\.[^"]+\.tsx?)"/g)]
      .map(([, name]) => join(dirname(file), name as string))
      .filter((name) => !owners.includes(basename(name)) && !/\/(?:src|scripts)\//.test(name))
      .filter((name) => existsSync(name));
    const found = marks.test(source) || imported.some(draws);
    known.set(file, found);
    return found;
  };
  if (!existsSync(path)) return [];
  const files = statSync(path).isDirectory()
    ? [...new Bun.Glob("**/*.test.ts").scanSync({ cwd: path, absolute: true })]
    : [path];
  return files.filter((file) => !file.includes("/node_modules/") && draws(file)).sort();
}
