/** Stores on databases of their own, closed after each test. */
import { afterEach } from "bun:test";
import type { ControlEvents, ControlStore } from "../../../src/control/control-store.ts";
import { openPostgresControlStore } from "../../../src/control/postgres/postgres-control-store.ts";
import { newDatabase } from "../../postgres/database.ts";

const opened: ControlStore[] = [];

/** Call at a test file's top level. */
export function closeStoresAfterEach(): void {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
}

/** @param url default: a fresh database. @param clock whose clock chooses the windows; default: the tests' own. */
export async function openStore(
  url?: string,
  events: ControlEvents = {},
  clock: "caller" | "database" = "caller",
): Promise<ControlStore> {
  const options = { url: url ?? (await newDatabase()), connectionsMax: 4, clock };
  const control = await openPostgresControlStore(options, events);
  opened.push(control);
  return control;
}
