/** Finds the spellings that one link connects with a spelling. */
import type { Connection } from "../../../sqlite/connection.ts";
import { areLinked, isWithinRepository, type Reach } from "../identity/links.ts";

/** @package It remembers what it has read of keys and repositories, so it holds for one search. */
export function createNeighbourSearch(sqlite: Connection) {
  const links = sqlite.query<{ key: number; reach: Reach }, [number]>(
    "SELECT key, reach FROM link WHERE spelling_id = ?",
  );
  const holders = sqlite.query<{ id: number; reach: Reach }, [number]>(
    "SELECT spelling_id AS id, reach FROM link WHERE key = ?",
  );
  const same = sqlite.query<{ id: number }, [number]>(
    "SELECT other AS id FROM same_commit WHERE one = ?1 UNION SELECT one FROM same_commit WHERE other = ?1",
  );
  // Whoever was one person is looked at together, also when nothing links them any more.
  const person = sqlite.query<{ id: number | null }, [number]>(
    "SELECT person_id AS id FROM spelling WHERE id = ?",
  );
  const joined = sqlite.query<{ id: number }, [number]>(
    "SELECT id FROM spelling WHERE person_id = ?",
  );
  const names = sqlite.query<{ name: string }, [number]>(
    `SELECT DISTINCT repository.name FROM work JOIN repository ON repository.id = work.repository_id
     WHERE work.spelling_id = ?`,
  );
  const known = new Map<number, readonly string[]>();
  const repositoriesOf = (spelling: number): readonly string[] =>
    known.getOrInsertComputed(spelling, () => names.all(spelling).map(({ name }) => name));
  /** People, and keys that need no repository in common: the others were found with the first who has it. */
  const donePeople = new Set<number>();
  const done = new Map<Reach, Set<number>>();
  const byKey = new Map<number, ReadonlyMap<string, readonly Holder[]>>();
  /** Those who have a key, by repository. */
  const holdersIn = (key: number) =>
    byKey.getOrInsertComputed(key, () => {
      const found = new Map<string, Holder[]>();
      for (const holder of holders.all(key)) {
        for (const name of repositoriesOf(holder.id)) {
          found.getOrInsertComputed(name, () => []).push(holder);
        }
      }
      return found;
    });
  return {
    neighbours(spelling: number): ReadonlySet<number> {
      const found = new Set(same.all(spelling).map(({ id }) => id));
      const one = person.get(spelling)?.id ?? undefined;
      if (one !== undefined && !donePeople.has(one)) {
        donePeople.add(one);
        for (const { id } of joined.all(one)) found.add(id);
      }
      for (const { key, reach } of links.all(spelling)) {
        if (!isWithinRepository(reach)) {
          const doneKeys = done.getOrInsertComputed(reach, () => new Set());
          if (doneKeys.has(key)) continue;
          doneKeys.add(key);
          for (const other of holders.all(key)) {
            if (areLinked(reach, other.reach)) found.add(other.id);
          }
          continue;
        }
        const inRepositories = holdersIn(key);
        for (const name of repositoriesOf(spelling)) {
          for (const other of inRepositories.get(name) ?? []) {
            if (other.id !== spelling && areLinked(reach, other.reach)) found.add(other.id);
          }
        }
      }
      return found;
    },
  };
}

interface Holder {
  readonly id: number;
  readonly reach: Reach;
}
