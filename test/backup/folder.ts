/** A data folder with invented people, accounts and an erasure, as a server leaves it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { openTestAppliance, testConfig } from "../appliance.ts";
import { makeFolder } from "../temporary-folder.ts";

export const testVersion = "0.0.0-test";
export const now = () => new Date("2026-11-22T10:11:12.000Z");

export interface FilledFolder {
  readonly data: string;
  readonly email: string;
  readonly key: string;
}

export async function fillFolder(parent: string): Promise<FilledFolder> {
  const data = join(parent, "data");
  const appliance = await openTestAppliance({ folder: data });
  const account = await appliance.newAccount("pro");
  await appliance.close();
  return { data, ...account };
}

/** Gives copies of one filled folder, which are of one instance. Call at a test file's top level. */
export function filledFolders(): (parent: string) => Promise<FilledFolder> {
  const template = makeFolder("filled");
  let first: Promise<FilledFolder> | undefined;
  return async (parent) => {
    first ??= fillFolder(template);
    const filled = await first;
    const data = join(parent, "data");
    cpSync(filled.data, data, { recursive: true });
    return { ...filled, data };
  };
}

/** Opens a folder as a command does. */
export const openFolder = (data: string) =>
  openDataFolder(
    testConfig({ data }),
    { now, newId: () => "test", log: pino({ level: "silent" }), version: testVersion },
    { create: false, search: true },
  );
