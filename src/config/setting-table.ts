/** Declares settings in tables, and reads the tables. */
import type { SettingForm } from "./parse-setting.ts";

interface Declaration {
  /** The key in the settings file. By default, it is the name in the table. */
  readonly key?: string;
  /** The environment variable. By default, it follows from the key: `ROSTER_BACKUP_EVERY` for `backup.every`. */
  readonly env?: string;
  /** The flag. By default, it follows from the variable's name. `false` means that there is no flag. */
  readonly flag?: string | false;
  /** Whether the value is secret. A secret is masked and has no flag. `<env>_FILE` may name a file with the secret. */
  readonly secret?: true;
  /** The placeholder of the value in help. By default, it is the placeholder of `form`. A switch has none. */
  readonly takes?: string;
  readonly default?: string;
  /** An example value, for a setting that has no default. */
  readonly example?: string;
  readonly help: string;
  readonly form: SettingForm<unknown>;
}

export type SettingTable = { readonly [name: string]: Declaration | SettingTable };

/** A setting. Its key is its name in the settings file, such as `backup.every`. */
export interface Setting extends Omit<Declaration, "flag"> {
  readonly key: string;
  readonly env: string;
  /** The flag, including its hyphens. */
  readonly flag: string | undefined;
}

/** The values of the settings in a table. A setting without a default may have the value undefined. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { form: SettingForm<infer Value> }
    ? Table[Name] extends { default: string }
      ? Value
      : Value | undefined
    : ValuesOf<Table[Name]>;
};

export function listSettings(table: SettingTable, prefix = ""): readonly Setting[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    if (!isDeclaration(entry)) return listSettings(entry, `${prefix}${name}.`);
    const key = entry.key ?? prefix + name;
    const takes = entry.takes ?? entry.form.takes;
    const setting = { ...entry, key, env: entry.env ?? nameVariable(key), ...(takes && { takes }) };
    return [{ ...setting, flag: nameFlag(setting) }];
  });
}

function nameVariable(key: string): string {
  const words = key.replace(/[A-Z]/g, "_$&").replaceAll(".", "_");
  return `ROSTER_${words.toUpperCase()}`;
}

/** Returns the flag of a setting. A switch that is on by default has a flag such as `--no-demo`. A secret has no flag. */
function nameFlag({
  env,
  flag,
  secret,
  takes,
  default: fallback,
}: Declaration & Pick<Setting, "env">): string | undefined {
  if (secret || flag === false) return undefined;
  const name = env
    .replace(/^ROSTER_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return flag ?? (takes === undefined && fallback === "true" ? `--no-${name}` : `--${name}`);
}

export function buildValues<Table extends SettingTable>(
  table: Table,
  values: ReadonlyMap<string, unknown>,
  prefix = "",
): ValuesOf<Table> {
  const filled = Object.entries(table).map(([name, entry]) => [
    name,
    isDeclaration(entry)
      ? values.get(entry.key ?? prefix + name)
      : buildValues(entry, values, `${prefix}${name}.`),
  ]);
  return Object.freeze(Object.fromEntries(filled));
}

function isDeclaration(entry: Declaration | SettingTable): entry is Declaration {
  return "form" in entry;
}
