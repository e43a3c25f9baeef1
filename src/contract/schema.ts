/**
 * The schema library, through one door: Elysia 2 moves to another package name,
 * and then this file is all that changes. `Type.*` only, never the framework's
 * coercing `t.*`: one object is validator, TypeScript type, OpenAPI and MCP schema.
 */
export {
  type Static,
  type TObject,
  type TSchema,
  Type,
} from "@sinclair/typebox";
export { TypeCompiler } from "@sinclair/typebox/compiler";
export { Value, ValueErrorType } from "@sinclair/typebox/value";
