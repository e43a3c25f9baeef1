/** Changes as git can store them, with names and contents that resemble the syntax of a diff. */
import fc from "fast-check";
import { anyBytes, fromText } from "../bytes.ts";
import { weighted } from "../weighted.ts";

export interface FileState {
  /** Bytes, as are the contents. */
  readonly path: string;
  readonly mode: "100644" | "100755" | "120000";
  readonly lines: readonly string[];
  readonly isCutOff: boolean;
}

/** Damage to the patch before it is read. */
export type Spoiling =
  | { readonly kind: "cut" | "repeat"; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: string };

export interface Change {
  readonly before: readonly FileState[];
  readonly after: readonly FileState[];
  /** The other parent, if the change is a merge. */
  readonly merged: readonly FileState[] | undefined;
  readonly settings: readonly string[];
  readonly flags: readonly string[];
  readonly hasReturns: boolean;
  /** Lines before the patch, such as the head of a mail. */
  readonly preamble: readonly string[];
  readonly spoilings: readonly Spoiling[];
  /** Whether the program itself also reads it, which takes longer. */
  readonly isRun: boolean;
}

const headerLike = [
  ...["--- a/x", "+++ b/x", "-- a/x", "++ b/x", "---", "- -- ", "@@ -1 +1 @@", "@@@ -1 -1 +1 @@@"],
  ...["diff --git a/x b/x", "diff --cc x", "rename from x", "rename to y", "index 1..2", ""],
  ...["Binary files a/x and b/x differ", "GIT binary patch", "\\ No newline at end of file", "\r"],
];
const part = weighted(
  [4, fc.constantFrom("a", "b", "c", "i", "w", "x", "y", "src", "x y", "1", "dev", "null")],
  [2, fc.constantFrom(" ", " x", "x ", "x b", "a x", "--- a", "2024-01-01 +0000")],
  [1, fc.constantFrom('"', 'q"x', "back\\slash", "\ttab", "line\nend", "end\r", "\\303")],
  [1, fc.constantFrom("ü", "日本", "é ").map(fromText)],
  [1, anyBytes(6).map((bytes) => bytes.replace(/[\0/]/g, ""))],
);
const path = fc
  .array(
    part.filter((name) => name !== "" && !/^\.+$/.test(name) && !/git/i.test(name)),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join("/"));
const line = weighted(
  [3, fc.constantFrom(...headerLike)],
  [3, fc.nat(9).map((number) => `line ${number}`)],
  [1, anyBytes(8).map((bytes) => bytes.replaceAll("\n", ""))],
);
const file = fc.record<FileState>({
  path,
  mode: fc.constantFrom("100644", "100644", "100644", "100755", "120000"),
  lines: fc.array(line, { maxLength: 12 }),
  isCutOff: fc.boolean(),
});
const files = fc.array(file, { maxLength: 5 });

/** Files before and after an edit: some stay, and some are edited, moved, copied or removed. */
const changed = files.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.array(
      fc.tuple(fc.nat(), fc.constantFrom("edit", "move", "copy", "mode"), path, line, fc.nat()),
      { maxLength: 4 },
    ),
    files,
  ),
);

type Edit = readonly [at: number, what: string, to: string, added: string, where: number];

function applyEdits(before: readonly FileState[], edits: readonly Edit[]): FileState[] {
  const after = [...before];
  for (const [at, what, to, added, where] of edits) {
    const one = after[at % Math.max(1, after.length)];
    if (!one) continue;
    const lines = one.lines.toSpliced(where % (one.lines.length + 1), where % 2, added);
    if (what === "edit") after[at % after.length] = { ...one, lines };
    if (what === "move") after[at % after.length] = { ...one, path: to };
    if (what === "copy") after.push({ ...one, path: to, lines });
    if (what === "mode") after[at % after.length] = { ...one, mode: "100755" };
  }
  return after;
}

const flagSets = [
  ...[[], ["--no-prefix"], ["-R"], ["-R", "--no-prefix"], ["--no-renames"], ["-C", "-C"]],
  ...[["-U0"], ["-U99"], ["--binary"], ["--src-prefix=old/", "--dst-prefix=new/"], ["-B", "-M"]],
  ...[["--full-index", "--patch-with-stat"], ["-D"], ["--text"], ["--patience"]],
];

const spoiling: fc.Arbitrary<Spoiling> = fc.oneof(
  fc
    .tuple(fc.constantFrom("cut" as const, "repeat" as const), fc.nat(), fc.nat(60))
    .map(([kind, at, length]) => ({ kind, at, length })),
  fc
    .tuple(
      fc.nat(),
      fc.oneof(
        anyBytes(5),
        fc.constantFrom("\n", " ", '"', "\t", "@@", "diff --git ", "--- ", "/"),
      ),
    )
    .map(([at, bytes]) => ({ kind: "insert" as const, at, bytes })),
);
const spoilings: fc.Arbitrary<readonly Spoiling[]> = fc.oneof(
  fc.constant([]),
  fc.array(spoiling, { minLength: 1, maxLength: 3 }),
);
const settings = ["core.quotePath=false", "diff.mnemonicPrefix=true", "diff.noprefix=true"];
/** Git lists copies into a merge but shows no patch of them. */
const flagsOfMerges: readonly (readonly string[])[] = [[], ["--no-prefix"], ["-U0"]];

export const changes: fc.Arbitrary<Change> = fc
  .record({
    states: changed,
    merged: fc.option(
      fc.array(fc.tuple(fc.nat(), fc.constant("edit"), path, line, fc.nat()), { maxLength: 3 }),
      {
        nil: undefined,
        freq: 4,
      },
    ),
    settings: fc.subarray(settings),
    flags: fc.constantFrom(...flagSets),
    hasReturns: fc.boolean(),
    preamble: fc.array(
      fc.constantFrom("From 1 Mon", "---", "words", " a | 2 +-", "--- x", "+ x", ""),
      {
        maxLength: 4,
      },
    ),
    spoilings,
    // Starting a process takes as long as a hundred cases.
    isRun: weighted([100, fc.constant(false)], [1, fc.constant(true)]),
  })
  .map(({ states: [before, edits, others], merged, ...rest }) => {
    const after = [...applyEdits(before, edits), ...others];
    if (!merged) return { ...rest, before, after, merged };
    const flags = flagsOfMerges[rest.flags.length] ?? [];
    return { ...rest, flags, before, after, merged: applyEdits(before, merged) };
  });
