import { type PeopleWork, preparePeopleWork } from "../../src/ingest/git/assemble/people-work.ts";
import { describeRepositories } from "../../src/ingest/git/describe/describe.ts";
import { readIdentityContext } from "../../src/ingest/git/erase/identify-remembered.ts";
import { buildCommunity, type Community } from "../../src/ingest/git/identify/community.ts";
import type { IdentifiedPeople } from "../../src/ingest/git/identify/identified-people.ts";
import { identifyAuthors } from "../../src/ingest/git/identify/identify.ts";
import type { IdentityRules } from "../../src/ingest/git/identify/rules.ts";
import type { Ledger } from "../../src/ingest/ingest.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";

interface Rules {
  readonly rules: IdentityRules;
  readonly asOf: string;
  readonly vocabulary: Pick<Vocabulary, "subjectsOf" | "textSkills">;
}

/** Identifies the authors of counted repositories as `ingest git` does, all of them as one community. */
export function identifyEverybody(ledger: Ledger, rules: IdentityRules): Community {
  return identify(ledger, rules).community;
}

/** Identifies the authors, and prepares what their facts are assembled from. */
export function preparePeople(
  ledger: Ledger,
  { rules, asOf, vocabulary }: Rules,
): { readonly community: Community; readonly work: PeopleWork; readonly people: IdentifiedPeople } {
  const { context, people, community } = identify(ledger, rules);
  const known = { sqlite: ledger.sqlite, people, asOf, ...context };
  const repositories = describeRepositories(known);
  return { community, people, work: preparePeopleWork({ ...known, repositories }, vocabulary) };
}

function identify(ledger: Ledger, rules: IdentityRules) {
  const context = readIdentityContext(ledger, rules);
  const { people, partsOf } = identifyAuthors(context, new Map());
  return { context, people, community: buildCommunity(context, partsOf(people.all)) };
}
