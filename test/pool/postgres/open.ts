import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import type { Pool } from "../../../src/pool/pool.ts";
import { createPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { newDatabase, runAsSuperuser } from "../../postgres/database.ts";

const places = new Map<string, Promise<string>>();
const first = readFileSync(
  join(import.meta.dir, "../../../src/pool/postgres/migrations/0000_first.sql"),
  "utf8",
);

async function create() {
  const url = await newDatabase();
  await runAsSuperuser(url, ...first.split("--> statement-breakpoint"));
  return url;
}

export async function openPostgresAt(
  place: string,
  options: { readonly now: () => Date },
): Promise<Pool> {
  let url = place === ":memory:" ? undefined : places.get(place);
  if (!url) {
    url = create();
    if (place !== ":memory:") places.set(place, url);
  }
  const client = new SQL(await url, { max: 4 });
  return createPostgresPool(
    {
      orm: drizzle({ client }) as never,
      name: "postgres",
      async reserve() {
        const reserved = await client.reserve();
        return {
          orm: drizzle({ client: reserved as never }) as never,
          release: () => reserved.release(),
        };
      },
      close: () => client.close(),
    },
    options,
  );
}
