/** Stores on databases of their own, closed after each test. */
import { afterEach } from "bun:test";
import type { ControlEvents, ControlStore } from "../../../src/control/control-store.ts";
import { openPostgresControlStore } from "../../../src/control/postgres/postgres-control-store.ts";
import { newDatabase, runAsSuperuser } from "../../postgres/database.ts";

const opened = new Set<ControlStore>();

/** Call at a test file's top level. */
export function closeStoresAfterEach(): void {
  afterEach(async () => {
    await Promise.all([...opened].map((one) => one.close()));
  });
}

export interface StoreOptions {
  /** Default: an empty database. */
  readonly url?: string;
  /** Whose clock chooses the windows; default: the tests' own. */
  readonly clock?: "caller" | "database";
}

export async function openStore(
  events: ControlEvents = {},
  { url: given, clock = "caller" }: StoreOptions = {},
): Promise<ControlStore> {
  const url = given ?? (await takeEmpty());
  const control = await openPostgresControlStore({ url, connectionsMax: 4, clock }, events);
  const store: ControlStore = {
    ...control,
    close: async () => {
      if (!opened.delete(store)) return;
      await control.close();
      if (given === undefined) used.push(url);
    },
  };
  opened.add(store);
  return store;
}

/** Making a database takes a second where the disk is busy: those of stores that are closed are emptied instead. */
const used: string[] = [];

async function takeEmpty(): Promise<string> {
  const url = used.pop();
  if (url === undefined) return newDatabase();
  // Not by TRUNCATE, which waits for the disk; triggers and foreign keys do not apply to a replica.
  await runAsSuperuser(
    url,
    "SET session_replication_role = replica",
    `DO $$ DECLARE name regclass; BEGIN
      FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'control'::regnamespace AND relkind = 'r'
        AND relname <> 'form' LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
    END $$`,
  );
  return url;
}
