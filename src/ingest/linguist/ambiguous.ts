/**
 * Chooses a language for extensions that several languages share. Most of these extensions have one dominant language. For a few,
 * the other files of the repository decide.
 */
import choices from "../../../seed/git/ambiguous-extensions.json" with { type: "json" };

/** Numbers of a repository's files by language. Only files whose language is certain are counted. */
export interface LanguageCensus {
  readonly byLanguage: ReadonlyMap<string, number>;
  /** For each extension that several languages share, the language of most files with the extension. */
  readonly byExtension: ReadonlyMap<string, string>;
}

/** @package */
export function chooseLanguage(
  extension: string,
  candidates: readonly string[],
  census: LanguageCensus,
  popular: readonly string[],
): string | undefined {
  if (candidates.length === 1) return candidates[0];
  const ofOthers = census.byExtension.get(extension);
  if (ofOthers !== undefined && candidates.includes(ofOthers)) return ofOthers;
  const contested = contests[extension];
  if (contested) return findMost(contested, census) ?? usual[extension];
  return (
    usual[extension] ??
    findMost(Object.fromEntries(candidates.map((name) => [name, [name]])), census) ??
    candidates.find((name) => popular.includes(name))
  );
}

/** @returns the language whose listed neighbours have the most files in the repository; undefined if they have no files. */
function findMost(
  neighbours: Readonly<Record<string, readonly string[]>>,
  { byLanguage }: LanguageCensus,
): string | undefined {
  let [best, most]: [string | undefined, number] = [undefined, 0];
  for (const [language, names] of Object.entries(neighbours)) {
    const files = names.reduce((sum, name) => sum + (byLanguage.get(name) ?? 0), 0);
    if (files > most) [best, most] = [language, files];
  }
  return best;
}

/** The longest file name that any file system allows. */
const nameMax = 255;

/** Yields the extensions of a file name in lower case, longest first: `.blade.php`, then `.php`. @package */
export function* listExtensions(name: string): Generator<string> {
  const base = name.slice(-nameMax);
  let dot = base.indexOf(".", 1);
  while (dot !== -1) {
    yield base.slice(dot).toLowerCase();
    dot = base.indexOf(".", dot + 1);
  }
}

/** Tries the extensions of a file name, longest first. @returns the first entry found, and its extension. @package */
export function findByExtension<Entry>(entries: ReadonlyMap<string, Entry>, name: string) {
  for (const extension of listExtensions(name)) {
    const entry = entries.get(extension);
    if (entry !== undefined) return { extension, entry };
  }
  return undefined;
}

const usual: Readonly<Record<string, string>> = choices.usual.languages;

/** The possible languages of each extension. Each possible language has a list of languages that often occur together with it. */
const contests: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  choices.contested.languages;
