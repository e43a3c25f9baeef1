/**
 * The schema library, through one door: Elysia 2 moves to another package name,
 * and then this file is all that changes. `Type.*` only, never the framework's
 * coercing `t.*`: one object is validator, TypeScript type, OpenAPI and MCP schema.
 */
import { type TSchema, TypeRegistry } from "@sinclair/typebox";

export {
  type Static,
  type TObject,
  type TSchema,
  Type,
} from "@sinclair/typebox";
export { TypeCompiler } from "@sinclair/typebox/compiler";
export { Value, ValueErrorType } from "@sinclair/typebox/value";

/** Enums are written `Type.Unsafe` with JSON Schema's `enum`; the compiled validators must be told how to check one. */
TypeRegistry.Set<TSchema>("Unsafe", (schema, value) => {
  const values: unknown = schema["enum"];
  if (!Array.isArray(values)) throw new Error("Type.Unsafe is for enums only.");
  return values.includes(value);
});
