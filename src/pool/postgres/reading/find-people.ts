/** Finds people in the table `findable`. */
import { type SQL, sql } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import {
  type AskedPeople,
  type Fit,
  keyTags,
  listNear,
  type NearTexts,
  nearBelow,
  type PeopleFinder,
  type PeopleFound,
  type PeopleQuery,
  rankFit,
  readAskedPeople,
  toPeopleKey,
} from "../../finding.ts";
import { prepareFindables } from "./prepare-findables.ts";

export function createPeopleFinder(database: PostgresDatabase): PeopleFinder {
  const prepare = () => prepareFindables(database);
  return {
    prepare,
    async find(query) {
      const asked = readAskedPeople(query.text);
      for (;;) {
        const found = await database.read((orm) =>
          orm.transaction(async (statements) => {
            await statements.execute(planning);
            const exact = await find(statements, asked, query, noNear);
            if (!exact || exact.total >= nearBelow) return exact;
            return find(statements, asked, query, listNear(asked));
          }),
        );
        if (found) return found;
        await prepare();
      }
    },
  };
}

/** Each text gets its own plan, because the best plan for a rare name is the worst for a single letter. */
const planning = sql`SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '32MB', true)`;

const noNear: NearTexts = { logins: new Set(), words: [] };

interface FoundRow {
  readonly isUnprepared: boolean;
  readonly total: number;
  readonly rowId: number | null;
  readonly rank: number;
}

/** @returns undefined if rows must be prepared first. */
async function find(
  orm: Statements,
  asked: AskedPeople,
  { canSeeUnpublished, limit, offset }: PeopleQuery,
  near: NearTexts,
): Promise<PeopleFound | undefined> {
  const condition = writeCondition(asked, canSeeUnpublished, near);
  if (!condition) return { total: 0, hits: [] };
  const rows = (await orm.execute(sql`
    WITH found AS MATERIALIZED (
      SELECT row_id, score, names, ${writeRank(asked, canSeeUnpublished, near)} AS rank
      FROM pool.findable WHERE ${condition}
    ), shown AS MATERIALIZED (
      SELECT * FROM found WHERE rank IS NOT NULL
      AND NOT EXISTS (SELECT FROM pool.developer AS d JOIN pool.import AS i ON i.id = d.import_id
        WHERE d.row_id = found.row_id AND i.revision IS NULL)
      AND NOT EXISTS (SELECT FROM pool.developer AS d JOIN pool.import AS i ON i.id = d.superseded_by
        WHERE d.row_id = found.row_id AND i.revision IS NOT NULL)
    )
    SELECT counted.total, page.row_id AS "rowId", page.rank,
      EXISTS (SELECT FROM pool.findable WHERE names IS NULL) AS "isUnprepared"
    FROM (SELECT count(*)::int AS total FROM shown) AS counted
    LEFT JOIN (
      SELECT row_id, rank, score, names FROM shown
      ORDER BY rank, score DESC, names LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true
    ORDER BY page.rank, page.score DESC, page.names`)) as unknown as readonly FoundRow[];
  const [{ total, isUnprepared }] = rows as [FoundRow];
  if (isUnprepared) return undefined;
  return {
    total,
    hits: rows.flatMap(({ rowId, rank }) =>
      rowId === null ? [] : [{ rowId, matched: toPeopleKey(rank) }],
    ),
  };
}

/**
 * Returns a condition that the indexes can answer. It selects all people who match, and perhaps others. Undefined means that
 * nobody can match.
 */
function writeCondition(
  asked: AskedPeople,
  canSeeUnpublished: boolean,
  near: NearTexts,
): SQL | undefined {
  const { login, words } = asked;
  const terms = [
    ...(login === undefined
      ? []
      : [`${quote(keyTags.human + login)}:*`, quote(keyTags.other + login)]),
    ...(words.length === 0 ? [] : [words.map((word) => `${quote(word)}:*`).join(" & ")]),
    ...[...near.logins].map((each) => quote(keyTags.human + each)),
    ...near.words.map(({ near, others }) =>
      [`(${[...near].map(quote).join(" | ")})`, ...others.map((word) => `${quote(word)}:*`)].join(
        " & ",
      ),
    ),
  ];
  const keys = listExactKeys(asked, canSeeUnpublished).map(([key]) => key);
  const parts = [
    ...(terms.length === 0
      ? []
      : [sql`array_to_tsvector(string_to_array(names, ' ')) @@ ${terms.join(" | ")}::tsquery`]),
    ...(keys.length === 0 ? [] : [sql`exact_keys && ${toArray(keys)}`]),
  ];
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, sql` OR `)})`;
}

function listExactKeys(
  { login, account, address }: AskedPeople,
  canSeeUnpublished: boolean,
): readonly (readonly [key: string, fit: Fit])[] {
  const keys: [string, Fit][] = [];
  if (login !== undefined) keys.push([keyTags.formerLogin + login, "former login"]);
  if (account !== undefined) keys.push([keyTags.account + account, "account"]);
  if (address === undefined) return keys;
  keys.push([keyTags.published + address, "e-mail"]);
  if (canSeeUnpublished) keys.push([keyTags.unpublished + address, "e-mail"]);
  return keys;
}

/** Returns the rank of a row's best match. Null means that the row does not match. */
function writeRank(asked: AskedPeople, canSeeUnpublished: boolean, near: NearTexts): SQL {
  const { login, wholeName } = asked;
  const cases: (readonly [SQL, Fit])[] = [];
  if (login !== undefined) {
    const logins = [keyTags.human + login, keyTags.other + login];
    cases.push([sql`split_part(names, ' ', 1) = ANY (${toArray(logins)})`, "login"]);
  }
  for (const [key, fit] of listExactKeys(asked, canSeeUnpublished))
    cases.push([sql`${key} = ANY (exact_keys)`, fit]);
  cases.push(...writeNameCases(asked.words, wholeName));
  if (login !== undefined)
    cases.push([sql`starts_with(names, ${keyTags.human + login})`, "beginning of login"]);
  if (near.logins.size > 0) {
    const logins = [...near.logins].map((each) => keyTags.human + each);
    cases.push([sql`split_part(names, ' ', 1) = ANY (${toArray(logins)})`, "near login"]);
  }
  for (const { near: words, others } of near.words) {
    const isNear = sql`${ownWords} && ${toArray([...words])}`;
    cases.push([all([isNear, ...areBeginnings(others)]), "near words"]);
  }
  const whens = cases.map(
    ([condition, fit]) =>
      sql`WHEN ${condition} THEN CASE WHEN starts_with(names, ${keyTags.human})
        THEN ${rankFit(fit, true)}::int ELSE ${rankFit(fit, false)}::int END`,
  );
  return sql`CASE ${sql.join(whens, sql` `)} END`;
}

/** Each word of the text must begin a different word of the name: `jo jo` matches "Jo Jones", but not "Jo Smith". */
function writeNameCases(
  words: readonly string[],
  wholeName: string | undefined,
): readonly (readonly [SQL, Fit])[] {
  if (words.length === 0 || wholeName === undefined) return [];
  const wholes = all(
    [...new Set(words)].map((word) => {
      const times = words.filter((each) => each === word).length;
      if (times === 1) return sql`position(${` ${word} `} IN names || ' ') > 0`;
      return sql`cardinality(array_positions(${ownWords}, ${word})) >= ${times}::int`;
    }),
  );
  return [
    [all([wholes, sql`${wholeName} = ANY (exact_keys)`]), "whole name"],
    [wholes, "words"],
    [all(areBeginnings(words)), "beginnings"],
  ];
}

function areBeginnings(words: readonly string[]): readonly SQL[] {
  return [...new Set(words)].map((word) => {
    const times = words.filter((each) => each.startsWith(word)).length;
    if (times === 1) return sql`position(${` ${word}`} IN names) > 0`;
    // Counts the occurrences of the word: deleting them all makes the names shorter.
    const start = ` ${word}`;
    return sql`length(names) - length(replace(names, ${start}, '')) >= ${times}::int * length(${start})`;
  });
}

const ownWords = sql`string_to_array(names, ' ')`;
const all = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` AND `)})`;

function toArray(texts: readonly string[]): SQL {
  return sql`ARRAY[${sql.join(
    texts.map((text) => sql`${text}::text`),
    sql`, `,
  )}]`;
}

/** Quotes a word for a `tsquery`. */
function quote(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
