import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeUnknown, findNearest } from "../contract/complaint.ts";
import { Fault } from "../contract/fault.ts";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { readTextFile } from "../contract/text-file.ts";
import { type CopySettings, readCopies } from "./copies.ts";
import { type Receiver, readReceivers } from "./notify.ts";
import { readProviders } from "./providers.ts";
import { settings } from "./settings.ts";
import { readSources, type SourceSettings } from "./sources.ts";

/** The content of roster.toml. */
export interface SettingsFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
  readonly providers: readonly IdentityProvider[];
  readonly sources: readonly SourceSettings[];
  readonly copies: readonly CopySettings[];
  readonly notify: readonly Receiver[];
}

/**
 * @param named path of the file that a flag or variable names. Without it, roster.toml in the data folder is read if it exists.
 * @throws Fault that names the file and the wrong setting.
 */
export function readSettingsFile(
  named: string | undefined,
  data: string,
  env: Readonly<Record<string, string | undefined>>,
): SettingsFile | undefined {
  const path = named ?? join(data, "roster.toml");
  if (!existsSync(path)) {
    if (named) throw new Fault("configuration", `the settings file ${named} does not exist`);
    return undefined;
  }
  const text = readTextFile(path, `the settings file ${path} cannot be read`);
  let table: Record<string, unknown>;
  try {
    table = Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Fault("configuration", `${path} is not valid TOML: ${(error as Error).message}`);
  }
  // Lists of tables are read separately.
  const take = (name: string, from: unknown = table) => {
    const parent = from as Record<string, unknown>;
    const { [name]: list } = parent;
    delete parent[name];
    return list;
  };
  let lists: Pick<SettingsFile, "providers" | "sources" | "copies" | "notify">;
  try {
    lists = {
      providers: readProviders(take("providers", table["signIn"] ?? {}), path),
      sources: readSources(take("sources"), path, env),
      copies: readCopies(take("copies", table["backup"] ?? {})),
      notify: readReceivers(take("notify")),
    };
  } catch (error) {
    throw new Fault("configuration", `${path}: ${(error as Error).message}`);
  }
  const values = new Map<string, string>();
  flatten(table, "", values);
  for (const key of values.keys()) {
    if (settings.some((setting) => setting.key === key)) continue;
    const meant = findNearest(
      key,
      settings.map((setting) => setting.key),
    );
    throw new Fault("configuration", `${path}: ${describeUnknown("setting", key, meant)}`);
  }
  return { path, values, ...lists };
}

function flatten(table: Record<string, unknown>, prefix: string, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      flatten(value as Record<string, unknown>, `${prefix}${key}.`, into);
    } else {
      // The values of a list are separated by commas, as in a flag.
      into.set(prefix + key, String(value));
    }
  }
}
