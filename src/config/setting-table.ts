/** The structure of a table of settings, and what is derived from it. */
import type { SettingForm } from "./parse-setting.ts";

interface Declaration {
  /** Name in the file, if it differs from the name in the table. */
  readonly key?: string;
  readonly env: string;
  /** Name of the flag, if it differs from the variable's name; false: there is no flag. */
  readonly flag?: string | false;
  /** Also read from the file that `<env>_FILE` names. */
  readonly secret?: true;
  /** Placeholder of the value in help; default: that of the form. A setting without one is a switch. */
  readonly takes?: string;
  readonly default?: string;
  /** A value to show as an example; for a setting without a default. */
  readonly example?: string;
  readonly help: string;
  readonly form: SettingForm<unknown>;
}

export type SettingTable = { readonly [name: string]: Declaration | SettingTable };

/** One setting, under its name in the file; dots are TOML tables. */
export interface Setting extends Omit<Declaration, "flag"> {
  readonly key: string;
  /** The flag, including its hyphens. */
  readonly flag: string | undefined;
}

/** The values of a table's settings: one without a default may be `undefined`. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { form: SettingForm<infer Value> }
    ? Table[Name] extends { default: string }
      ? Value
      : Value | undefined
    : ValuesOf<Table[Name]>;
};

/** Lists the settings in the order of the table, each with its name in the file. */
export function listSettings(table: SettingTable, prefix = ""): readonly Setting[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const path = prefix + name;
    if (!isDeclaration(entry)) return listSettings(entry, `${path}.`);
    const takes = entry.takes ?? entry.form.takes;
    return [{ key: path, ...entry, ...(takes && { takes }), flag: nameFlag(entry, takes) }];
  });
}

/**
 * Names the flag. A secret has none, since every process can read a command line. If a switch is on by default, its
 * flag turns it off.
 */
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

/** @param values values by variable; `undefined` for a setting without one. */
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
