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
  lastDay: createDaySchema("Of their last work in the repository."),
  reason,
});

const UnnamedKnower = createComponent("UnnamedKnower", {
  login: createTextSchema("For the profile."),
  share: createShareSchema("Of what is known of them."),
  lastDay: createDaySchema("Of their last change."),
  reason,
});

const DriftingRule = createComponent("DriftingRule", {
  file: createForeignTextSchema("The ownership file."),
  line: createCountSchema("Line in it, from 1."),
  pattern: createForeignTextSchema("As written, or the folder."),
  files: createCountSchema("Files for which the rule is in force."),
  owners: createForeignTextListSchema("An owner.", "As written."),
  departed: Type.Array(DepartedOwner, {
    description: "Owners who have left, or no longer know these files.",
  }),
  unnamed: Type.Array(UnnamedKnower, {
    description: "Who knows a quarter or more, and is no owner.",
  }),
  unknown: createForeignTextListSchema("An owner.", "Whom no history shows; not judged."),
  teams: createForeignTextListSchema("A team.", "Teams; not judged."),
});
export type DriftingRule = Static<typeof DriftingRule>;

/** @package */
export const OwnershipFiles = createComponent(
  "OwnershipFiles",
  {
    files: createForeignTextListSchema("A path.", "Such as CODEOWNERS."),
    rules: createCountSchema("Rules in force for these files."),
    judged: createCountSchema("Of these, judged: rules for no other files."),
    drifting: createDescribedObject("Rules that history contradicts.", {
      total: createCountSchema("Rules that history contradicts."),
      rules: Type.Array(DriftingRule, {
        description: "The first 100, in the order of files and lines.",
      }),
    }),
  },
  "Ownership files held against history.",
);
export type OwnershipFiles = Static<typeof OwnershipFiles>;
