/** The part of the answer of `who_knows` about ownership files. */
import {
  createForeignText,
  createDaySchema as day,
  markComponent,
  type Static,
  Type,
} from "../schema.ts";
import { createCountSchema, createForeignTextSchema } from "./developer.ts";

const strict = { additionalProperties: false } as const;
const reason = createForeignText("sentence", "Why, in one sentence.");
const owner = (description: string) => createForeignTextSchema(description);

const DepartedOwner = Type.Object(
  {
    owner: owner("As written in the file."),
    login: Type.String({ description: "Who that is." }),
    lastDay: day("Day of their last work anywhere in the repository."),
    reason,
  },
  { ...strict, ...markComponent("DepartedOwner") },
);

const UnnamedKnower = Type.Object(
  {
    login: Type.String({ description: "For the profile." }),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of all that is known of the rule's files.",
    }),
    lastDay: day("Day of their last change to these files."),
    reason,
  },
  { ...strict, ...markComponent("UnnamedKnower") },
);

const DriftingRule = Type.Object(
  {
    file: createForeignTextSchema("The ownership file."),
    line: createCountSchema("Line in it, from 1."),
    pattern: createForeignTextSchema(
      "As written; for OWNERS files and components the folder, empty for the whole repository.",
    ),
    files: createCountSchema("Files for which the rule is in force."),
    owners: Type.Array(owner("An owner."), { description: "As written." }),
    departed: Type.Array(DepartedOwner, {
      description: "Owners who have left, or no longer know these files.",
    }),
    unnamed: Type.Array(UnnamedKnower, {
      description: "Who knows a quarter of these files or more, and is no owner.",
    }),
    unknown: Type.Array(owner("An owner."), {
      description: "Owners whom no history shows. They are not judged.",
    }),
    teams: Type.Array(owner("A team."), {
      description: "Teams, whose members no repository tells. They are not judged.",
    }),
  },
  { ...strict, ...markComponent("DriftingRule") },
);
export type DriftingRule = Static<typeof DriftingRule>;

/** @package */
export const OwnershipFiles = Type.Object(
  {
    files: Type.Array(createForeignTextSchema("A path."), {
      description: "Ownership files with a rule in force for these files, such as CODEOWNERS.",
    }),
    rules: createCountSchema("Rules in force for these files."),
    judged: createCountSchema(
      "Of these, rules for no other files: only they are held against history.",
    ),
    drifting: Type.Object(
      {
        total: createCountSchema("Rules that history contradicts."),
        rules: Type.Array(DriftingRule, {
          description: "The first 100, in the order of files and lines.",
        }),
      },
      { ...strict, description: "Rules that history contradicts." },
    ),
  },
  {
    ...strict,
    ...markComponent("OwnershipFiles"),
    description: "What ownership files say, held against what history says.",
  },
);
export type OwnershipFiles = Static<typeof OwnershipFiles>;
