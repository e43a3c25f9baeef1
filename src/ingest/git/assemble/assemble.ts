import type { Facts } from "../../../contract/people/facts.ts";
import { type Community, findPersonId } from "../identify/community.ts";
import type { IdentifiedPerson } from "../identify/identified-people.ts";
import { assembleFacts } from "./assemble-facts.ts";
import type { PeopleWork } from "./people-work.ts";

/** Yields the facts of the pending people in these communities. */
export function* assemblePeople(
  work: PeopleWork,
  communities: Iterable<Community>,
  pending: ReadonlySet<IdentifiedPerson>,
): Generator<Facts> {
  const byId = new Map(Iterator.from(pending).map((person) => [person.id, person]));
  for (const community of communities) {
    for (const named of community.everybody) {
      const known = byId.get(findPersonId(community, named.person));
      const facts = known && assembleFacts(work, known, named);
      if (facts) yield facts;
    }
  }
}
