import { describeRule } from "../../../contract/complaint.ts";
import type { TSchema } from "../../../contract/schema.ts";
import { DataTable } from "../look/lists.tsx";

interface FieldTableProperties {
  readonly schema: TSchema;
  /** The accessible name of the table. */
  readonly name: string;
  /** Whether the fields are input of a call. If so, the table shows the rules for their values, not only the types. */
  readonly isInput?: true;
}

/** Shows the fields of an object in a table. The fields of an inner object follow the field that contains it. */
export function FieldTable({ schema, name, isInput }: FieldTableProperties) {
  return (
    <DataTable
      class="fields"
      scrolls={name}
      columns={[
        ["Field", ({ path }) => <code>{path}</code>],
        [
          isInput ? "Value" : "Type",
          ({ type, isRequired }) => (
            <>
              {type}
              {isInput && isRequired && <strong> (required)</strong>}
            </>
          ),
          "small",
        ],
        ["Description", ({ description }) => description, "small free"],
      ]}
      rows={listFields(schema, isInput ? describeRule : describeType)}
    />
  );
}

/** Lists the fields of an object and of its inner objects. `path` is written as `results[].login`. */
function listFields(
  schema: TSchema,
  describe: (schema: TSchema) => string,
  before = "",
): readonly { path: string; type: string; isRequired: boolean; description: string }[] {
  const properties: Readonly<Record<string, TSchema>> = schema["properties"] ?? {};
  const required: readonly string[] = schema["required"] ?? [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = before + name;
    const inner = field["type"] === "array" ? (field["items"] as TSchema) : field;
    const own = {
      path,
      type: describe(field),
      isRequired: required.includes(name),
      description: field.description ?? "",
    };
    return [own, ...listFields(inner, describe, field === inner ? `${path}.` : `${path}[].`)];
  });
}

function describeType(schema: TSchema): string {
  const { type, format, items } = schema;
  const values: unknown =
    schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(", ");
  if (type === "array") return `list of ${describeType(items as TSchema)}`;
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(describeType).join(" or ");
  return String(format ?? type ?? "any");
}
