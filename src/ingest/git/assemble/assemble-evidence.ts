/** Joins the evidence of one person from all repositories. */
import type { Evidence } from "../../../contract/people/facts.ts";
import { isSubject, listSubjectPieces } from "../evidence/subjects.ts";
import { type EvidenceTally, joinEvidence } from "../tally/author-tally.ts";
import type { PeopleWork, RepositoryOf } from "./people-work.ts";
import { addTo, compareTexts, sortByKey } from "./sums.ts";

/** The contract's limits on pieces of evidence, and on repositories of each piece. */
const evidenceMax = 1000;
const repositoriesMax = 5;

/** Joins a person's evidence. Subjects of a project count only for people with many commits. */
export function assembleEvidence(work: readonly RepositoryOf[], people: PeopleWork): Evidence[] {
  type Sum = Omit<EvidenceTally, "days"> & {
    linesAround: number;
    readonly repositories: Map<string, number>;
  };
  const sums = new Map<string, Sum>();
  for (const { repository, tallies } of work) {
    const counted = [...joinEvidence(tallies)];
    const pieces = [...counted, ...listSubjectPieces(counted, people.statedSubjects(repository))];
    const languages = pieces.filter(({ kind }) => kind === "language");
    const linesHere = languages.reduce((sum, { lines }) => sum + lines, 0);
    for (const piece of pieces) {
      if (isSubject(piece) && piece.commits < repository.figures.makersFrom) continue;
      const { kind, name } = piece;
      const sum = sums.getOrInsertComputed(`${kind}:${name}`, () => ({
        ...{ kind, name, commits: 0, lines: 0, linesAround: 0 },
        ...{ months: new Map(), repositories: new Map() },
      }));
      sum.commits += piece.commits;
      sum.lines += piece.lines;
      sum.linesAround += linesHere;
      for (const [month, count] of piece.months) addTo(sum.months, month, count);
      addTo(sum.repositories, repository.name, piece.commits);
    }
  }
  return [...sums.values()]
    .sort(
      (a, b) =>
        b.commits - a.commits || compareTexts(a.kind, b.kind) || compareTexts(a.name, b.name),
    )
    .slice(0, evidenceMax)
    .map(({ kind, name, commits, lines, linesAround, months, repositories }) => ({
      kind,
      name,
      commits,
      ...(kind === "language" && { lines }),
      ...(kind === "import" && lines > 0 && { lines, linesAround }),
      months: sortByKey(months),
      repositories: [...repositories]
        .sort(([a, most], [b, less]) => less - most || compareTexts(a, b))
        .slice(0, repositoriesMax)
        .map(([repository]) => repository),
    }));
}
