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

const reason = createSentenceSchema("Reason in one sentence.");

const DepartedOwner = createComponent("DepartedOwner", {
  owner: createForeignTextSchema("Owner, as written in the file."),
  login: createTextSchema("Login of the owner."),
  lastDay: createDaySchema("Day of the owner's last work in the repository."),
  reason,
});

const UnnamedKnower = createComponent("UnnamedKnower", {
  login: createTextSchema("Login of the person."),
  share: createShareSchema("Share of the knowledge of these files, 0 to 1."),
  lastDay: createDaySchema("Day of the person's last change."),
  reason,
});

const DriftingRule = createComponent("DriftingRule", {
  file: createForeignTextSchema("The ownership file."),
  line: createCountSchema("Line number in the file, from 1."),
  pattern: createForeignTextSchema("Pattern as written, or the folder."),
  files: createCountSchema("Number of files for which the rule applies."),
  owners: createForeignTextListSchema("An owner.", "Owners, as written in the file."),
  departed: Type.Array(DepartedOwner, {
    description: "Owners who left or no longer know these files.",
  }),
  unnamed: Type.Array(UnnamedKnower, {
    description: "People who know at least 25 % of these files but are not owners.",
  }),
  unknown: createForeignTextListSchema("An owner.", "Owners without any known work; not checked."),
  teams: createForeignTextListSchema("A team.", "Owning teams; not checked."),
});

/** @package */
export const OwnershipFiles = createComponent(
  "OwnershipFiles",
  {
    files: createForeignTextListSchema("A path.", "Paths of ownership files, such as CODEOWNERS."),
    rules: createCountSchema("Number of rules that apply to these files."),
    judged: createCountSchema("Number of rules checked: those that apply to no other files."),
    drifting: createDescribedObject("Rules that the history contradicts.", {
      total: createCountSchema("Number of these rules."),
      rules: Type.Array(DriftingRule, {
        description: "The first 100 rules, by file and line.",
      }),
    }),
  },
  "Ownership files, compared with the history.",
);
export type OwnershipFiles = Static<typeof OwnershipFiles>;
