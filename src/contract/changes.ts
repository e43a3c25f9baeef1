/** The request and the answer of `get_changes`. */
import { createRangeSchema, createTextSchema } from "./field-schemas.ts";
import { limits } from "./limits.ts";
import {
  addRule,
  createComponent,
  createEnumSchema,
  createObject,
  type Static,
  Type,
} from "./schema.ts";

export const ChangesRequest = createObject({
  since: Type.Optional(
    addRule(
      "the `next` of an earlier answer",
      Type.String({
        pattern: "^[0-9]{1,15}(-[0-9]{1,15}){6}$",
        description: "The next of the answer before. Without it, everybody is listed as new.",
      }),
    ),
  ),
  limit: createRangeSchema("Number of changes", [1, limits.changesMax], limits.changesMax),
});

export const ChangedLogin = createComponent("PersonChange", {
  login: createTextSchema("The login that the change is about."),
  change: createEnumSchema(
    ["new", "changed", "renamed", "removed", "erased"],
    "What happened. new and changed: read the login. renamed: delete formerLogin, read login. removed and erased: delete the login.",
  ),
  formerLogin: Type.Optional(createTextSchema("Of a renamed one, the login that is gone.")),
});
export type ChangedLogin = Static<typeof ChangedLogin>;

export const ChangesData = createComponent("ChangesData", {
  changes: Type.Array(ChangedLogin, {
    description: "Changes to apply in this order. A login may be there more than once.",
  }),
  hasMore: Type.Boolean({
    description: "Whether to ask again at once. changes may be empty even if there are more.",
  }),
  next: Type.Optional(
    createTextSchema("What to send as since next time. Missing only with startAnew."),
  ),
  startAnew: Type.Optional(
    createEnumSchema(
      ["restored", "expired", "erased"],
      "Present if changes cannot tell what the copy lacks: ask without since, and delete everybody who is not listed. restored: the " +
        "data is an older copy. expired: the changes are kept no longer. erased: somebody was erased.",
    ),
  ),
});
export type ChangesData = Static<typeof ChangesData>;
export type NewStart = NonNullable<ChangesData["startAnew"]>;
