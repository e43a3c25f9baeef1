import type { Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { newDatabase, runAsSuperuser } from "../../postgres/database.ts";

const places = new Map<string, Promise<string>>();
/** Making a database takes longer than all else that a test does: those of pools that are closed are used again. */
const used: string[] = [];

/** Opens a database for each place; in place of memory, an empty one. */
export async function openPostgresAt(
  place: string,
  { now }: { readonly now: () => Date },
): Promise<Pool> {
  const isEmpty = place === ":memory:";
  if (!isEmpty && !places.has(place)) places.set(place, newDatabase());
  const url = isEmpty ? await takeEmpty() : ((await places.get(place)) ?? "");
  const pool = await openPostgresPool({ url, connectionsMax: 4 }, { now });
  let isOpen = true;
  const close = async () => {
    await pool.close();
    if (isEmpty && isOpen) used.push(url);
    isOpen = false;
  };
  return { ...pool, close };
}

async function takeEmpty(): Promise<string> {
  const url = used.pop();
  if (url === undefined) return newDatabase();
  await runAsSuperuser(url, "SET client_min_messages = warning", "DROP SCHEMA pool CASCADE");
  return url;
}
