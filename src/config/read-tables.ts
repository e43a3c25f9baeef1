/** Reads lists of tables in the settings file, such as `[[sources]]`. Each error names the wrong entry and setting. */
import { describeUnknown, findNearest, findViolation } from "../contract/complaint.ts";
import { addRule, type Static, type TObject, Type } from "../contract/schema.ts";

/** @package */
export const createText = (rule: string, pattern = "\\S") =>
  addRule(rule, Type.String({ pattern }));
/** @package */
export const createWhole = (min: number, max: number) =>
  addRule(`a whole number from ${min} to ${max}`, Type.Integer({ minimum: min, maximum: max }));
/** @package */
export const entryId = createText(
  "small letters, digits, dots and dashes",
  "^[a-z0-9][a-z0-9.-]{0,59}$",
);

/** @package @throws Error that names the wrong entry. */
export function readTables<Entry extends { readonly id: string }>(
  name: string,
  value: unknown,
  read: (table: Record<string, unknown>) => Entry,
): readonly Entry[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${name} must be written as [[${name}]]`);
  const ids = new Set<string>();
  return value.map((table, index) => {
    try {
      const entry = read(table);
      if (ids.has(entry.id)) throw new Error(`the id "${entry.id}" is used twice`);
      ids.add(entry.id);
      return entry;
    } catch (error) {
      throw new Error(`${name}, entry ${index + 1}: ${(error as Error).message}`);
    }
  });
}

/** @package @throws Error for a setting that none of the schemas has. */
export function refuseUnknownSettings(schemas: readonly TObject[], table: object): void {
  const known = schemas.flatMap(({ properties }) => Object.keys(properties));
  for (const name of Object.keys(table)) {
    if (known.includes(name)) continue;
    throw new Error(describeUnknown("setting", name, findNearest(name, known)));
  }
}

/** @package Checks the settings one by one, so that a wrong setting is reported before a missing setting. */
export function readTable<Schema extends TObject>(schema: Schema, table: unknown): Static<Schema> {
  for (const [name, property] of Object.entries(schema.properties)) {
    const wrong = findViolation(Type.Object({ [name]: property }), table);
    if (wrong) throw new Error(`${wrong.field} must be ${wrong.rule}`);
  }
  return table as Static<Schema>;
}
