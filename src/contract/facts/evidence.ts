import { type Static, Type } from "../schema.ts";
import { ByMonth } from "./commits.ts";

/**
 * Something a developer's own commits touched, as a raw name: the vocabulary decides later which
 * skill or role it speaks for, so a better vocabulary needs no second reading of history.
 */
export const Evidence = Type.Object(
  {
    kind: Type.Unsafe<EvidenceKind>({
      type: "string",
      enum: ["import", "manifest", "language", "path", "readme"],
      description:
        "import: code that uses a package; manifest: the package was added to a manifest, or is named by a tool's own file " +
        "that was edited (a workflow, a Dockerfile); " +
        "language: lines of it; path: a kind of file; readme: named in a README.",
    }),
    name: Type.String({
      minLength: 1,
      maxLength: 214,
      description:
        "import and manifest: ecosystem:package (npm:react, pypi:django, go:github.com/spf13/cobra, docker:...); " +
        "language: Linguist's name; path: a path class of the vocabulary; readme: a skill id.",
    }),
    commits: Type.Integer({ minimum: 0, description: "Own counted commits with it." }),
    lines: Type.Optional(
      Type.Integer({ minimum: 0, description: "Lines changed, capped per commit." }),
    ),
    months: ByMonth,
    repositories: Type.Optional(
      Type.Array(Type.String({ description: "Its name." }), {
        maxItems: 5,
        description: "Some of the repositories it is seen in.",
      }),
    ),
  },
  { additionalProperties: false, title: "Evidence" },
);
export type EvidenceKind = "import" | "manifest" | "language" | "path" | "readme";
export type Evidence = Static<typeof Evidence>;
