/** What the stored people were identified by, and the first names among them. */
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { FirstNames, findFirstNames } from "../identity/join-by-name.ts";
import { type IdentifiedPeople, replaceIdentified } from "./write-people.ts";

export interface IdentityState {
  /** Digest of all rules but the statements about who is who. */
  readonly general: string;
  /** Each statement about who is who: its digest, and the keys of the links of those whom it names. */
  readonly statements: readonly { readonly digest: string; readonly keys: readonly number[] }[];
  /** Fingerprint of the accounts of forges; absent when there are none. */
  readonly forges?: string;
}

export interface IdentityRows {
  /** Runs a change in one transaction. */
  change<Result>(act: () => Result): Result;
  state(): IdentityState | undefined;
  setState(state: IdentityState): void;
  /** First names of everybody who was identified. */
  firstNames(): FirstNames;
  /**
   * Says which first names some spellings have now; those without an entry have none.
   *
   * @returns words that are first names since, or are none any more.
   */
  setFirstNames(
    spellings: Iterable<number>,
    words: ReadonlyMap<number, ReturnType<typeof findFirstNames>>,
  ): readonly string[];
  /** @returns the spellings that belong to another person now, or to one who is told of in another way. */
  savePeople(found: IdentifiedPeople): ReadonlySet<number>;
  /** Has the figures and authors of a repository renewed; of every one when none is named. */
  dueRepositories(repository?: number): void;
}

/** @package */
export function openIdentityRows({ sqlite }: Database): IdentityRows {
  return {
    change: (act) => sqlite.transact(act),
    state() {
      const text = sqlite.readValue<string>`SELECT identified FROM ledger_state`;
      return text ? (JSON.parse(text) as IdentityState) : undefined;
    },
    setState(state) {
      sqlite.execute`INSERT INTO ledger_state (id, identified) VALUES (1, ${JSON.stringify(state)})
        ON CONFLICT (id) DO UPDATE SET identified = excluded.identified`;
    },
    firstNames() {
      const known = new Map<string, { of_full: number; alone: number } | null>();
      const read = sqlite.query<{ of_full: number; alone: number }, [string]>(
        "SELECT of_full, alone FROM first_name WHERE word = ?",
      );
      const find = (word: string) => known.getOrInsertComputed(word, () => read.get(word));
      return {
        ofFullNames: { has: (word) => (find(word)?.of_full ?? 0) > 0 },
        alone: { has: (word) => (find(word)?.alone ?? 0) > 0 },
      };
    },
    setFirstNames: (spellings, words) => setFirstNames(sqlite, spellings, words),
    savePeople: (found) => replaceIdentified(sqlite, found),
    dueRepositories(repository) {
      if (repository === undefined) sqlite.run("UPDATE repository SET is_due = 1");
      else sqlite.execute`UPDATE repository SET is_due = 1 WHERE id = ${repository}`;
    },
  };
}

interface Change {
  ofFull: number;
  alone: number;
}

function setFirstNames(
  sqlite: Connection,
  spellings: Iterable<number>,
  words: ReadonlyMap<number, ReturnType<typeof findFirstNames>>,
): readonly string[] {
  const stored = sqlite.query<{ first_full: string | null; first_alone: string | null }, [number]>(
    "SELECT first_full, first_alone FROM spelling WHERE id = ?",
  );
  const store = sqlite.query("UPDATE spelling SET first_full = ?, first_alone = ? WHERE id = ?");
  const changes = new Map<string, Change>();
  const changeOf = (word: string): Change =>
    changes.getOrInsertComputed(word, () => ({ ofFull: 0, alone: 0 }));
  for (const id of spellings) {
    const before = stored.get(id);
    if (!before) continue;
    const { ofFullName, alone = [] } = words.get(id) ?? {};
    const [full, single] = [ofFullName ?? null, alone.length > 0 ? alone.join(" ") : null];
    if (before.first_full === full && before.first_alone === single) continue;
    if (before.first_full !== null) changeOf(before.first_full).ofFull -= 1;
    if (full !== null) changeOf(full).ofFull += 1;
    for (const word of before.first_alone?.split(" ") ?? []) changeOf(word).alone -= 1;
    for (const word of alone) changeOf(word).alone += 1;
    store.run(full, single, id);
  }
  return [...changes]
    .filter(([word, change]) => countWord(sqlite, word, change))
    .map(([word]) => word);
}

/** @returns whether the word has become a first name, or is none any more. */
function countWord(sqlite: Connection, word: string, { ofFull, alone }: Change): boolean {
  const read = sqlite.query<{ of_full: number; alone: number }, [string]>(
    "SELECT of_full, alone FROM first_name WHERE word = ?",
  );
  const before = read.get(word) ?? { of_full: 0, alone: 0 };
  const after = { ofFull: before.of_full + ofFull, alone: before.alone + alone };
  if (after.ofFull <= 0 && after.alone <= 0) {
    sqlite.execute`DELETE FROM first_name WHERE word = ${word}`;
  } else {
    sqlite.execute`INSERT OR REPLACE INTO first_name (word, of_full, alone)
      VALUES (${word}, ${after.ofFull}, ${after.alone})`;
  }
  return before.of_full > 0 !== after.ofFull > 0 || before.alone > 0 !== after.alone > 0;
}
