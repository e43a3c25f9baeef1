import type { Facts } from "../../../src/contract/people/facts.ts";
import { normaliseAddress } from "../../../src/identity/address.ts";
import { splitNameWords } from "../../../src/identity/name-words.ts";
import { isDefaultName, isNobodyName } from "../../../src/identity/person-name.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { createRandom } from "../../../test/random.ts";
import { readAuthors } from "../git/read-authors.ts";
import { openIngestedSearch } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, toShare } from "../rows.ts";

/** The person must be among so many. */
const resultsLooked = 3;
const bars = { spelling: 0.98, beginning: 0.95, slip: 0.9 };

export const measurement = defineMeasurement({
  about: "Whether people who have several names are found by each, by beginnings and with a slip.",
  takes: "PATH...",
  options: { draws: 500, seed: 1 },
  run: ({ paths, draws, seed }) => truthOfNames(paths, { draws, seed }),
});

/** A spelling in commits, and the person whose address it came with. */
interface Drawn {
  readonly name: string;
  readonly login: string;
}

/**
 * Draws spellings of people whose commits have several, after the mailmaps of their repositories and without names that are
 * nobody's. Each is asked for as it is, by the beginnings of its words, and with one slip of each kind in a word of three
 * letters or more. The person must be among the first three.
 */
async function truthOfNames(
  paths: readonly string[],
  { draws, seed }: { readonly draws: number; readonly seed: number },
): Promise<Findings> {
  const { pool, search, close } = await openIngestedSearch(paths);
  try {
    const draw = createRandom(seed);
    const known = await listSpellings(paths, pool);
    const drawn = drawSome(known, draws, draw);
    const kinds: Record<string, (name: string) => string> = {
      spelling: (name) => name,
      beginning: (name) => cutWords(name, draw),
      missing: (name) => slip(name, draw, () => ""),
      swapped: (name) => slip(name, draw, (letter, next) => next + letter, 2),
      doubled: (name) => slip(name, draw, (letter) => letter + letter),
      wrong: (name) => slip(name, draw, () => alphabet[Math.floor(draw() * 26)] ?? ""),
    };
    const asked = Object.entries(kinds).flatMap(([kind, change]) =>
      drawn.map((one) => ({ kind, ...one, text: change(one.name) })),
    );
    const judged = await Promise.all(
      asked.map(async (one) => ({ ...one, isFound: await isFound(search, pool, one) })),
    );
    return {
      rows: Object.keys(kinds).map((kind) => {
        const own = judged.filter((one) => one.kind === kind);
        const found = own.filter((one) => one.isFound).length;
        const bar = kind === "spelling" || kind === "beginning" ? bars[kind] : bars.slip;
        return atLeast(bar, toShare(`names.${kind}`, found, own.length));
      }),
      counts: `${drawn.length} of ${known.length} spellings of ${new Set(known.map(({ login }) => login)).size} people with several`,
      misses: judged.flatMap(({ isFound, kind, name, text, login }) =>
        isFound ? [] : [`${kind}: ${text} (${name}) is not ${login}`],
      ),
    };
  } finally {
    await close();
  }
}

const alphabet = "abcdefghijklmnopqrstuvwxyz";

async function listSpellings(paths: readonly string[], pool: Pool): Promise<readonly Drawn[]> {
  const facts: Facts[] = (await Array.fromAsync(pool.facts())).flat();
  const humans = facts.filter(({ class: kind = "human" }) => kind === "human");
  const ofAddress = new Map(
    humans.flatMap(({ login, emails }) => emails.map(({ address }) => [address, login] as const)),
  );
  /** By login, then by the words of the name. */
  const spellings = new Map<string, Map<string, string>>();
  for (const path of repositoriesAt(paths)) {
    for (const { name, email } of readAuthors(path, "followed").tallies.keys()) {
      const login = ofAddress.get(normaliseAddress(email));
      const words = splitNameWords(name).join(" ");
      const isName = words !== "" && !name.includes("@");
      if (login === undefined || !isName || isNobodyName(name) || isDefaultName(name)) continue;
      const own = spellings.getOrInsertComputed(login, () => new Map());
      own.getOrInsert(words, name);
    }
  }
  return [...spellings].flatMap(([login, own]) =>
    own.size < 2 ? [] : [...own.values()].map((name) => ({ name, login })),
  );
}

function drawSome(known: readonly Drawn[], count: number, draw: () => number): readonly Drawn[] {
  const left = [...known];
  const drawn: Drawn[] = [];
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(draw() * left.length), 1));
  }
  return drawn;
}

/** Cuts each word after three letters or more. */
function cutWords(name: string, draw: () => number): string {
  return splitNameWords(name)
    .map((word) => {
      const letters = [...word];
      return letters.slice(0, 3 + Math.floor(draw() * Math.max(0, letters.length - 2))).join("");
    })
    .join(" ");
}

/** Changes so many letters, somewhere in a word of three letters or more. */
function slip(
  name: string,
  draw: () => number,
  change: (letter: string, next: string) => string,
  letters = 1,
): string {
  const words = splitNameWords(name);
  const long = words.flatMap((word, at) => ([...word].length >= 3 ? [at] : []));
  const chosen = long[Math.floor(draw() * long.length)];
  if (chosen === undefined) return name;
  const word = [...(words[chosen] as string)];
  const at = Math.floor(draw() * (word.length - letters + 1));
  const changed = change(word[at] as string, word[at + 1] ?? "");
  word.splice(at, letters, ...changed);
  return words.with(chosen, word.join("")).join(" ");
}

async function isFound(
  search: SearchIndex,
  pool: Pool,
  { text, login }: { readonly text: string; readonly login: string },
): Promise<boolean> {
  const page = { canSeeUnpublished: false, limit: resultsLooked, offset: 0 };
  const { hits } = await search.findPeople({ text, ...page });
  const cards = await pool.cards(hits.map(({ rowId }) => rowId));
  return [...cards.values()].some((card) => card.login === login);
}
