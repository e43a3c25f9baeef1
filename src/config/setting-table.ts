/** The structure of the tables that declare settings, and functions that read them. */
import type { SettingForm } from "./parse-setting.ts";

interface Declaration {
  /** Name of the setting in the settings file, if it differs from its name here. */
  readonly key?: string;
  readonly env: string;
  /** Name of the flag, if it differs from the variable's name; false if there is no flag. */
  readonly flag?: string | false;
  /** A secret has no flag, is masked, and can also be read from the file that `<env>_FILE` names. */
  readonly secret?: true;
  /** Placeholder of the value in help; default: the one of `form`. A setting without a placeholder is a switch. */
  readonly takes?: string;
  readonly default?: string;
  /** An example value, for a setting that has no default. */
  readonly example?: string;
  readonly help: string;
  readonly form: SettingForm<unknown>;
}

export type SettingTable = { readonly [name: string]: Declaration | SettingTable };

/** A setting. Its key is its name in the settings file, with a dot after each TOML table. */
export interface Setting extends Omit<Declaration, "flag"> {
  readonly key: string;
  /** The flag, including its hyphens. */
  readonly flag: string | undefined;
}

/** The values of the settings in a table. Values of settings without a default may be undefined. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { form: SettingForm<infer Value> }
    ? Table[Name] extends { default: string }
      ? Value
      : Value | undefined
    : ValuesOf<Table[Name]>;
};

/** Lists the settings in the order of the table. */
export function listSettings(table: SettingTable, prefix = ""): readonly Setting[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const path = prefix + name;
    if (!isDeclaration(entry)) return listSettings(entry, `${path}.`);
    const takes = entry.takes ?? entry.form.takes;
    return [{ key: path, ...entry, ...(takes && { takes }), flag: nameFlag(entry, takes) }];
  });
}

/** A secret has no flag, since all processes can read a command line. A switch that is on by default has a `--no-` flag. */
function nameFlag(
  { env, flag, secret, default: fallback }: Declaration,
  takes: string | undefined,
): string | undefined {
  if (secret || flag === false) return undefined;
  const name = env
    .replace(/^ROSTER_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return flag ?? (takes === undefined && fallback === "true" ? `--no-${name}` : `--${name}`);
}

/** @param values the values by environment variable. */
export function buildValues<Table extends SettingTable>(
  table: Table,
  values: ReadonlyMap<string, unknown>,
): ValuesOf<Table> {
  const filled = Object.entries(table).map(([name, entry]) => [
    name,
    isDeclaration(entry) ? values.get(entry.env) : buildValues(entry, values),
  ]);
  return Object.freeze(Object.fromEntries(filled));
}

function isDeclaration(entry: Declaration | SettingTable): entry is Declaration {
  return "form" in entry;
}
