import type { Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { newDatabase } from "../../postgres/database.ts";

const places = new Map<string, Promise<string>>();

/** Opens a database for each place; in place of memory, a new one. */
export async function openPostgresAt(
  place: string,
  { now }: { readonly now: () => Date },
): Promise<Pool> {
  if (place === ":memory:") places.delete(place);
  if (!places.has(place)) places.set(place, newDatabase());
  const url = (await places.get(place)) ?? "";
  return openPostgresPool({ url, connectionsMax: 4 }, { now });
}
