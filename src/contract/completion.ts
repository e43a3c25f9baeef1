/** The request and answer of the completion of repositories and paths. Only pages use it. */
import { createCountSchema, createForeignTextSchema } from "./field-schemas.ts";
import { limits } from "./limits.ts";
import { createObject, type Static, Type } from "./schema.ts";

export const CompletionRequest = createObject({
  repository: Type.String({ maxLength: limits.textLengthMax }),
  path: Type.Optional(Type.String({ maxLength: limits.pathLengthMax })),
});
export type CompletionRequest = Static<typeof CompletionRequest>;

export const CompletionData = Type.Object({
  terms: Type.Array(
    Type.Object({
      name: createForeignTextSchema("Name; a folder ends with a slash."),
      files: Type.Optional(createCountSchema("Number of files in the repository.")),
    }),
  ),
});
export type CompletionData = Static<typeof CompletionData>;
