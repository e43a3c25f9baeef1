/** Finds all rows of one person, so that they can be erased. */
import { asc, gt } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import { fetchRows, type Work } from "../../../queries/work.ts";
import { type Identifier, listIdentifiers, listNames, toLoginKey } from "../../identifiers.ts";
import { unpackText } from "../pack-developer.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { isNamed } from "./names.ts";

/** Everything that the pool's file has about one person, in visible, replaced and staged rows. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  readonly rowIds: Set<number>;
  /** In lower case. They are not followed, because another developer may have such a login now. */
  readonly formerLogins: Set<string>;
  /** Names in their rows, which a reason must not contain. */
  readonly names: Set<string>;
  /** The newest row that was examined, of any person. */
  newestRowId: number;
}

/**
 * Follows identifiers from row to row until no row adds one: two logins from two sources are one person
 * if they share an address.
 */
export async function gatherRows(
  { read }: PoolContext,
  seed: Iterable<Identifier>,
): Promise<GatheredRows> {
  const gathered = startGathering(seed);
  for (;;) {
    const before = gathered.identifiers.size;
    const mention = createMentionPattern(gathered.identifiers);
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last;
      last = await read((rows) => gatherSome(rows, gathered, { mention, after }));
    }
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Examines the rows that were added since.
 *
 * @returns false when one of them adds an identifier: then all rows must be examined again.
 */
export function* gatherNewerRows(rows: PoolQueries, gathered: GatheredRows): Work<boolean> {
  const before = gathered.identifiers.size;
  const mention = createMentionPattern(gathered.identifiers);
  for (let last: number | undefined = gathered.newestRowId; last !== undefined; ) {
    last = yield* gatherSome(rows, gathered, { mention, after: last });
  }
  return gathered.identifiers.size === before;
}

/**
 * Examines the next rows that may be the person's. Most others are excluded by their text alone, without parsing it.
 *
 * @returns the last of them; undefined when there is none.
 */
function* gatherSome(
  rows: PoolQueries,
  gathered: GatheredRows,
  { mention, after }: { readonly mention: RegExp; readonly after: number },
): Work<number | undefined> {
  const dossiers = yield* readDossiers(rows, after);
  for (const { rowId, facts } of dossiers) {
    gathered.newestRowId = Math.max(gathered.newestRowId, rowId);
    const text = unpackText(facts);
    if (mention.test(text)) gatherRow(gathered, { rowId, facts: JSON.parse(text) as Facts });
  }
  return dossiers.at(-1)?.rowId;
}

const rowsAtOnce = 500;

/** The facts of the next rows. */
export function* readDossiers(
  { queries, tables: { dossiers } }: PoolQueries,
  after: number,
): Work<readonly { readonly rowId: number; readonly facts: Uint8Array }[]> {
  return yield* fetchRows(
    queries
      .select({ rowId: dossiers.rowId, facts: dossiers.facts })
      .from(dossiers)
      .where(gt(dossiers.rowId, after))
      .orderBy(asc(dossiers.rowId))
      .limit(rowsAtOnce),
  );
}

function startGathering(seed: Iterable<Identifier>): GatheredRows {
  return {
    identifiers: new Set(seed),
    rowIds: new Set(),
    formerLogins: new Set(),
    names: new Set(),
    newestRowId: 0,
  };
}

/** Adds the row if it is the person's. */
function gatherRow(
  gathered: GatheredRows,
  { rowId, facts }: { rowId: number; facts: Facts },
): void {
  const { identifiers, rowIds, formerLogins, names } = gathered;
  const own = listIdentifiers(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const login of facts.formerLogins ?? []) formerLogins.add(toLoginKey(login));
  for (const name of listNames(facts)) names.add(name);
}

/** Facts with an identifier contain its last part: the login, the address or the account's number. */
function createMentionPattern(identifiers: ReadonlySet<Identifier>): RegExp {
  const words = [...identifiers].map((identifier) => {
    const [, before, word = ""] = /([:#/])([^:#/]+)$/.exec(identifier) ?? [];
    // Characters that JSON escapes or that have an ambiguous lower case may be written differently in the text.
    if (!/^[ !#-[\]-~]+$/.test(word)) return "";
    return before === "#" ? `${RegExp.escape(word)}[+-]` : RegExp.escape(word);
  });
  return words.includes("") ? /(?:)/ : new RegExp(words.join("|"), "i");
}

/** Whether a text names the person. */
export function isPersonNamed(text: string, { identifiers, names }: GatheredRows): boolean {
  const addresses = [...identifiers]
    .filter((identifier) => !identifier.startsWith("account:"))
    .map((identifier) => identifier.slice(identifier.indexOf(":") + 1));
  return isNamed(text, [...names, ...addresses]);
}
