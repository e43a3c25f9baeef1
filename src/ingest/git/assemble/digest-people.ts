/** Digests everything that a person's facts are made of, so that unchanged people are not assembled again. */
import { digestTexts } from "../digest-texts.ts";
import type { AuthorWorkRow } from "../identify/author-rows.ts";
import type { IdentifiedPerson } from "../identify/identified-people.ts";
import type { PeopleWork } from "./people-work.ts";

export function digestPerson(work: PeopleWork, person: IdentifiedPerson): string {
  return digestTexts([
    `${person.id} ${person.digest}`,
    ...person.spellings.flatMap((spelling) =>
      (work.authors.byId.get(spelling)?.work ?? []).flatMap((row) => [...describeWork(work, row)]),
    ),
    ...person.accounts.flatMap((key) => {
      const { forges } = work;
      return [forges.accounts.get(key), forges.repositoriesOf(key), forges.reviewsOf(key)].map(
        (each) => JSON.stringify(each) ?? "",
      );
    }),
    JSON.stringify(work.credits.get(person.id) ?? []),
  ]);
}

/** Yields everything about one repository from which the person's facts are made. */
function* describeWork(
  { people, repositories }: PeopleWork,
  { repository, sharers, digest }: AuthorWorkRow,
): Generator<string> {
  yield `${digest} ${repositories.get(repository)?.stated}`;
  if (sharers === "") return;
  for (const sharer of sharers.split(" ")) {
    const person = people.personOf(Number(sharer));
    yield `${person?.id} ${person?.class === "human"}`;
  }
}
