/** The part of the answer of `who_knows` about ownership files. */

import {
  createCountSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
  createSentenceSchema,
  createShareSchema,
  createTextSchema,
} from "../field-schemas.ts";
import {
  createComponent,
  createDaySchema,
  createDescribedObject,
  type Static,
  Type,
} from "../schema.ts";

const reason = createSentenceSchema("Why, in one sentence.");

const DepartedOwner = createComponent("DepartedOwner", {
  owner: createForeignTextSchema("As written in the file."),
  login: createTextSchema("Who that is."),
  lastDay: createDaySchema("Day of their last work anywhere in the repository."),
  reason,
});

const UnnamedKnower = createComponent("UnnamedKnower", {
  login: createTextSchema("For the profile."),
  share: createShareSchema("Share of all that is known of the rule's files."),
  lastDay: createDaySchema("Day of their last change to these files."),
  reason,
});

const DriftingRule = createComponent("DriftingRule", {
  file: createForeignTextSchema("The ownership file."),
  line: createCountSchema("Line in it, from 1."),
  pattern: createForeignTextSchema(
    "As written; for OWNERS files and components the folder, empty for the whole repository.",
  ),
  files: createCountSchema("Files for which the rule is in force."),
  owners: createForeignTextListSchema("An owner.", "As written."),
  departed: Type.Array(DepartedOwner, {
    description: "Owners who have left, or no longer know these files.",
  }),
  unnamed: Type.Array(UnnamedKnower, {
    description: "Who knows a quarter of these files or more, and is no owner.",
  }),
  unknown: createForeignTextListSchema(
    "An owner.",
    "Owners whom no history shows. They are not judged.",
  ),
  teams: createForeignTextListSchema(
    "A team.",
    "Teams, whose members no repository tells. They are not judged.",
  ),
});
export type DriftingRule = Static<typeof DriftingRule>;

/** @package */
export const OwnershipFiles = createComponent(
  "OwnershipFiles",
  {
    files: createForeignTextListSchema(
      "A path.",
      "Ownership files with a rule in force for these files, such as CODEOWNERS.",
    ),
    rules: createCountSchema("Rules in force for these files."),
    judged: createCountSchema(
      "Of these, rules for no other files: only they are held against history.",
    ),
    drifting: createDescribedObject("Rules that history contradicts.", {
      total: createCountSchema("Rules that history contradicts."),
      rules: Type.Array(DriftingRule, {
        description: "The first 100, in the order of files and lines.",
      }),
    }),
  },
  "What ownership files say, held against what history says.",
);
export type OwnershipFiles = Static<typeof OwnershipFiles>;
