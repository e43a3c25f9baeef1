import { openInMemory } from "../../sqlite/read-only.ts";
import type { ControlEvents, ControlStore } from "../control-store.ts";
import { controlFile, createControlStore } from "./sqlite-control-store.ts";
import { instance } from "./tables.ts";

/**
 * Loads a copy of control.db into memory: keys, plans and quotas as the file has them. Calls are counted in the copy, and
 * lost with it.
 *
 * @throws Fault when the file cannot be read.
 */
export function openControlSnapshot(path: string, events: ControlEvents = {}): ControlStore {
  const store = openInMemory(path, controlFile);
  const name = store.orm.select({ name: instance.name }).from(instance).get()?.name ?? "";
  return createControlStore(store, { path: ":memory:", name, events, isMarkStale: false });
}
