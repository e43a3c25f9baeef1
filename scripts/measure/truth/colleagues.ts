import { createAssessor, readShippedModel } from "../../../src/analysis/analysis.ts";
import { normaliseAddress } from "../../../src/identity/address.ts";
import type { Person } from "../../../src/ingest/git/identify/author-identity.ts";
import { createVocabulary, type Vocabulary } from "../../../src/vocabulary/vocabulary.ts";
import {
  compareAuthor,
  describeMiss,
  type ExpectedColleague,
  readExpectedColleagues,
} from "../expected-authors.ts";
import { type IngestedCommunity, ingestCommunity } from "../ingested-community.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { atLeast, toShare } from "../rows.ts";
import { ask, collectFacts, findNewest, listLocations } from "./people.ts";

export const measurement = defineMeasurement({
  about:
    "What colleagues would say of seven hundred people: main role and three skills (half A to I).",
  takes: "PATH...",
  options: { half: "A", ledger: "" },
  run: ({ paths, half, ledger }) => truthOfColleagues(paths, { half, ledger: ledger || undefined }),
});

/**
 * Sends the repositories through the whole ingest as one pool, and holds people against expected-colleagues.tsv, as of the last day
 * of their repository. A skill list counts when one of its skills, which serves no other list, is among the first eight.
 * @param paths the repositories of one half; those that are absent are left out.
 */
function truthOfColleagues(
  paths: readonly string[],
  { half, ledger }: { readonly half: string; readonly ledger: string | undefined },
): Promise<Findings> {
  const vocabulary = createVocabulary();
  const expected = readExpectedColleagues().filter((one) => one.half === half);
  return ingestCommunity(paths, { vocabulary, ledger }, (ingested) =>
    judgeColleagues(paths, expected, { ...ingested, vocabulary }),
  );
}

interface JudgedColleague extends ReturnType<typeof compareAuthor> {
  readonly wanted: ExpectedColleague;
}

function judgeColleagues(
  paths: readonly string[],
  expected: readonly ExpectedColleague[],
  { community, work, repositories, vocabulary }: IngestedCommunity & { vocabulary: Vocabulary },
): Findings {
  const factsOf = collectFacts(community, work);
  const assess = createAssessor(vocabulary, readShippedModel());
  const everybody = community.everybody.flatMap(({ person }) => person.identities);
  const findPerson = (path: string, repository: string, commit: string): Person | undefined => {
    const [name = "", email = ""] = ask(path, ["log", "-1", "--format=%aN%x00%aE", commit])
      .trim()
      .split("\0");
    const found = everybody.find(
      (one) =>
        one.name === name &&
        one.email === normaliseAddress(email) &&
        one.repositories.has(repository),
    );
    return found && community.personOf(found);
  };
  const judged = listLocations(paths, repositories).flatMap((place) => {
    const asOf = new Date(findNewest(place.path) * 1000).toISOString().slice(0, 10);
    return expected
      .filter(({ repository }) => place.name.endsWith(repository))
      .map((wanted): JudgedColleague => {
        const person = findPerson(place.path, place.name, wanted.commit);
        const facts = person && factsOf.get(person);
        if (!facts) {
          return { wanted, role: "nobody", isRole: false, lacking: [...wanted.skills], held: [] };
        }
        const { analysis } = assess({ facts, places: [] }, asOf);
        return { wanted, ...compareAuthor(analysis, wanted, vocabulary) };
      });
  });
  const roles = judged.filter(({ isRole }) => isRole);
  const skilled = judged.filter(({ lacking }) => lacking.length === 0);
  const lists = judged.flatMap(({ wanted }) => wanted.skills).length;
  const lacked = judged.flatMap(({ lacking }) => lacking).length;
  return {
    rows: [
      atLeast(0.94, toShare("colleagues.role", roles.length, judged.length)),
      atLeast(0.9, toShare("colleagues.skills", lists - lacked, lists)),
      toShare("colleagues.all-three", skilled.length, judged.length),
    ],
    counts: `${new Set(judged.map(({ wanted }) => wanted.repository)).size} repositories, ${judged.length} people`,
    listing: judged.map(
      ({ wanted, role, held }) =>
        `${wanted.repository} ${wanted.rank}  ${role}  ${held.join(", ")}`,
    ),
    misses: judged.flatMap(({ wanted, role, isRole, lacking }) => {
      const miss = describeMiss(wanted, { role, isRole, lacking });
      return miss ? [`${wanted.repository} ${wanted.rank}:${miss}`] : [];
    }),
  };
}
