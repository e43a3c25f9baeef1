/**
 * Extensions that several languages claim, where no content is at hand (the file is gone) or it left
 * several open. Most have one meaning that outweighs the others whatever stands beside them; for a
 * few the neighbours decide.
 */
import choices from "../../../seed/git/ambiguous-extensions.json" with { type: "json" };

/** Files per language in one repository, of those whose extension leaves no doubt. */
export type LanguageCensus = ReadonlyMap<string, number>;

/** @package */
export function chooseLanguage(
  extension: string,
  candidates: readonly string[],
  census: LanguageCensus,
  popular: readonly string[],
): string | undefined {
  if (candidates.length === 1) return candidates[0];
  const settled = usual[extension];
  const contested = contests[extension];
  if (!contested) {
    return settled ?? byNeighbours(candidates, census) ?? byPopularity(candidates, popular);
  }
  let best = settled;
  let most = 0;
  for (const [language, neighbours] of Object.entries(contested)) {
    const seen = neighbours.reduce((sum, name) => sum + (census.get(name) ?? 0), 0);
    if (seen > most) [best, most] = [language, seen];
  }
  return best ?? byPopularity(candidates, popular);
}

/** No file system takes a longer name. */
const nameMax = 255;

/** Extensions of a file name, longest first, lower case: `.blade.php`, `.php`. @package */
export function* listExtensions(name: string): Generator<string> {
  const base = name.slice(-nameMax);
  let dot = base.indexOf(".", 1);
  while (dot !== -1) {
    yield base.slice(dot).toLowerCase();
    dot = base.indexOf(".", dot + 1);
  }
}

const usual: Readonly<Record<string, string>> = choices.usual.languages;

/** Where neighbours decide: each reading with the languages whose files speak for it. */
const contests: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  choices.contested.languages;

function byNeighbours(candidates: readonly string[], census: LanguageCensus): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const name of candidates) {
    const seen = census.get(name) ?? 0;
    if (seen > most) [best, most] = [name, seen];
  }
  return best;
}

function byPopularity(
  candidates: readonly string[],
  popular: readonly string[],
): string | undefined {
  return candidates.find((name) => popular.includes(name)) ?? candidates[0];
}
