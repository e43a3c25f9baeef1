import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { normaliseAddress } from "../../../src/identity/address.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { readListLines } from "../../../src/vocabulary/list-lines.ts";
import { readExpectedColleagues } from "../expected-authors.ts";
import { openIngestedSearch } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { atLeast, toShare } from "../rows.ts";
import { ask } from "./people.ts";

/** A page of so many is looked at. */
const resultsLooked = 10;

export const measurement = defineMeasurement({
  about: "Thirty searches by role, skill and filter over one half of expected-colleagues.tsv.",
  takes: "PATH...",
  options: { half: "C" },
  run: ({ paths, half }) => truthOfSearches(paths, half),
});

/** A row of expected-searches.tsv. */
interface ExpectedSearch {
  readonly role: string;
  readonly skill: string;
  readonly filter: string;
  readonly value: string;
  /** Where the work of whoever is right mostly is; nobody is right where there are none. */
  readonly repositories: readonly string[];
  /** As `owner/name#rank`: who must be among the first ten. */
  readonly expected: readonly string[];
}

/**
 * Searches one pool of all the repositories, as of today. `searches.precision` is the share of the results on first pages that are
 * right; `searches.expected` that of the people who must be there and are.
 */
async function truthOfSearches(paths: readonly string[], half: string): Promise<Findings> {
  const { pool, search, close } = await openIngestedSearch(paths);
  try {
    const people = await readPeople(pool);
    const loginOf = findLogins(paths, half, people);
    const judged: Awaited<ReturnType<typeof judgeSearch>>[] = [];
    for (const wanted of readExpectedSearches(half)) {
      judged.push(await judgeSearch(wanted, { search, pool, people, loginOf }));
    }
    const sum = (of: "right" | "shown" | "there" | "named") =>
      judged.reduce((all, one) => all + one[of], 0);
    return {
      rows: [
        atLeast(0.9, toShare("searches.precision", sum("right"), sum("shown"))),
        toShare("searches.expected", sum("there"), sum("named")),
      ],
      counts: `${judged.length} searches of ${people.size} people`,
      listing: judged.map(({ listing }) => listing),
      misses: judged.flatMap(({ misses }) => misses),
    };
  } finally {
    await close();
  }
}

interface Known {
  /** Names, most commits first. */
  readonly repositories: readonly string[];
  readonly addresses: readonly string[];
}

async function readPeople(pool: Pool): Promise<ReadonlyMap<string, Known>> {
  const facts: Facts[] = (await Array.fromAsync(pool.facts())).flat();
  return new Map(
    facts.map(({ login, repositories, emails }) => {
      const addresses = emails.map(({ address }) => address);
      return [login, { addresses, repositories: repositories.map(({ name }) => name) }];
    }),
  );
}

/** @returns finds the login of an expected colleague, as `owner/name#rank`, by the address of the commit. */
function findLogins(
  paths: readonly string[],
  half: string,
  people: ReadonlyMap<string, Known>,
): (colleague: string) => string | undefined {
  const ofAddress = new Map(
    [...people].flatMap(([login, { addresses }]) =>
      addresses.map((each) => [each, login] as const),
    ),
  );
  const repositories = findRepositories(paths).flatMap((place) =>
    "directory" in place ? [place] : [],
  );
  const logins = new Map<string, string>();
  for (const { repository, rank, commit, half: of } of readExpectedColleagues()) {
    const [owner = "", name = ""] = repository.split("/");
    const place = repositories.find(
      ({ directory }) => directory.includes(owner) && directory.includes(name),
    );
    if (of !== half || !place) continue;
    const address = ask(place.directory, ["log", "-1", "--format=%aE", commit]).trim();
    const login = ofAddress.get(normaliseAddress(address));
    if (login !== undefined) logins.set(`${repository}#${rank}`, login);
  }
  return (colleague) => logins.get(colleague);
}

interface Around {
  readonly search: SearchIndex;
  readonly pool: Pool;
  readonly people: ReadonlyMap<string, Known>;
  readonly loginOf: (colleague: string) => string | undefined;
}

async function judgeSearch(
  { role, skill, filter, value, repositories, expected }: ExpectedSearch,
  { search, pool, people, loginOf }: Around,
) {
  const { hits } = await search.find({
    ...{ location: "worldwide", role, skills: [skill], maxResults: resultsLooked, offset: 0 },
    ...(filter === "language" && { languages: [value] }),
    ...(filter === "repository" && { repositories: [value] }),
    ...(filter === "activeSince" && { activeSince: value }),
  });
  const cards = await pool.writtenCards(hits.map(({ rowId }) => rowId));
  const found = cards.map((card) => {
    // As it is written in JSON.
    const login: string = card ? JSON.parse(card.login) : "";
    const [main = ""] = people.get(login)?.repositories ?? [];
    return { login, main, isRight: repositories.some((one) => main.endsWith(one)) };
  });
  const isThere = (colleague: string) => found.some(({ login }) => login === loginOf(colleague));
  const wrong = found.filter(({ isRight }) => !isRight);
  const absent = expected.filter((colleague) => !isThere(colleague));
  const asked = `${role} ${skill} ${filter === "none" ? "" : `${filter} ${value}`}`.trim();
  return {
    shown: found.length,
    right: found.length - wrong.length,
    named: expected.length,
    there: expected.length - absent.length,
    listing: `${asked}: ${found.length - wrong.length} of ${found.length}, ${expected.length - absent.length} of ${expected.length} expected`,
    misses: [
      ...wrong.map(({ main }) => `${asked}: somebody of ${main}`),
      ...absent.map((colleague) => `${asked}: without ${colleague}`),
    ],
  };
}

function readExpectedSearches(half: string): readonly ExpectedSearch[] {
  const text = readFileSync(join(import.meta.dir, "..", "expected-searches.tsv"), "utf8");
  const list = (column: string) => (column === "-" ? [] : column.split(" "));
  return readListLines(text).flatMap((line) => {
    const [role = "", skill = "", filter = "", value = "", where = "-", named = "-", , of] =
      line.split("\t");
    if (of !== half) return [];
    return [{ role, skill, filter, value, repositories: list(where), expected: list(named) }];
  });
}
