import { setImmediate } from "node:timers/promises";
import { limits } from "../contract/limits.ts";
import { writeCard, writeDeveloper } from "../contract/people/developer.ts";
import { Problem } from "../contract/problem.ts";
import { createEnumSchema, createObject, type Static, Type } from "../contract/schema.ts";
import type { Pool } from "../pool/pool.ts";
import { readAnalysis } from "./analyze-profile.ts";
import { defineOperation } from "./operation.ts";

/** The forms of a person in an export: the answer of `get_developer` or of `analyze_profile`. */
export const exportKinds = ["profile", "analysis"] as const;
type ExportKind = (typeof exportKinds)[number];

/** JSON texts, one for each person. A batch is read when it is asked for. */
export type PeopleLines = AsyncGenerator<readonly string[], void>;

const ExportRequest = createObject({
  kind: Type.Optional(
    createEnumSchema(
      exportKinds,
      "What each line holds: the data of get_developer (profile, the default) or of analyze_profile (analysis).",
    ),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.textLengthMax,
      description: "Login of the last line that you have. Only people behind it are sent.",
    }),
  ),
});

export const exportPeople = defineOperation({
  name: "export_people",
  command: "export",
  summary: "Read everybody at once, one line of JSON for each person",
  description:
    "Streams every developer as JSON Lines, in the order of the lower-case login. If the stream ends too early, ask again with " +
    "after, the login of the last whole line. Only for API keys of administrators. Costs one call.",
  scope: "profile",
  isAddition: true,
  isForPrograms: true,
  method: "GET",
  path: "/v1/export",
  input: ExportRequest,
  output: Type.Unsafe<PeopleLines>({ type: "string", format: "binary" }),
  example: { kind: "profile", after: "ada-example" },
  async run({ kind = "profile", after = "" }: Static<typeof ExportRequest>, modules, caller) {
    if (!(await modules.accounts.canSeeUnpublished(caller))) {
      const message = "Only API keys of administrators may export everybody.";
      throw new Problem("unauthorized", { message, status: 403 });
    }
    return streamPeople(modules.pool, kind, after);
  },
});

const peopleAtOnce = 100;

/** Streams all people whose login in lower case comes after the given one. Whoever goes in the meantime is left out. */
export async function* streamPeople(
  pool: Pick<Pool, "loginsAfter" | "findCards" | "findWrittenAnalyses">,
  kind: ExportKind,
  after: string,
): PeopleLines {
  for (let last: string | undefined = after; last !== undefined; ) {
    const logins: readonly string[] = await pool.loginsAfter(last, peopleAtOnce);
    const lines = await (kind === "profile" ? readCards : readAnalyses)(pool, logins);
    if (lines.length > 0) yield lines;
    last = logins.at(-1);
    // Lets other calls in, because the file database answers at once.
    await setImmediate();
  }
}

type ReadLines = (
  pool: Pick<Pool, "findCards" | "findWrittenAnalyses">,
  logins: readonly string[],
) => Promise<readonly string[]>;

/** Reads cards anew, so that the cache of those that are often asked for stays. */
const readCards: ReadLines = async (pool, logins) => {
  const cards = await pool.findCards(logins);
  // A login that was given up meanwhile may find another person.
  return cards.flatMap((card, at) =>
    card?.login === logins[at] && card ? [writeDeveloper(writeCard(card))] : [],
  );
};

const readAnalyses: ReadLines = async (pool, logins) => {
  const found = (await pool.findWrittenAnalyses(logins)).map((text) => text && readAnalysis(text));
  return found.flatMap((analysis, at) =>
    analysis && analysis.profile.login === logins[at] ? [JSON.stringify(analysis)] : [],
  );
};
