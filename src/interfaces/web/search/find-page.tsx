import { limits } from "../../../contract/limits.ts";
import {
  areOnlyNear,
  describeMatch,
  type FindData,
  type FoundPerson,
} from "../../../contract/people/found-person.ts";
import { formatPeople } from "../look/format.ts";
import { EmptyState } from "../look/parts.tsx";
import { CallResult, PersonHeading } from "../look/people.tsx";
import { defineSignedInPage, type SignedInProperties } from "../page.ts";

const shownMax = 25;

export const findPage = defineSignedInPage({
  path: "/find",
  show: async (ask) => {
    const text = (ask.url.searchParams.get("text") ?? "").trim().slice(0, limits.textLengthMax);
    if (text === "") return { goTo: "/" };
    const request = { text, limit: shownMax };
    const answer = await ask.calls.perform(ask, "find_people", request, (data) => (
      <Found data={data} ask={ask} />
    ));
    return {
      title: `People found by "${text}"`,
      body: <CallResult answer={answer} failure="The name was not looked up" />,
      status: answer.ok ? undefined : answer.problem.status,
    };
  },
});

function Found({ data, ask }: SignedInProperties & { readonly data: FindData }) {
  const roles = new Map(ask.modules.index.roles.map(({ id, name }) => [id, name]));
  const { total, results } = data;
  if (results.length === 0) {
    return (
      <EmptyState>
        No one. People are found by the beginnings of the words of any of their names, also with a
        slip in one of them, by a login or account of now or before, and by an e-mail that they
        publish. <a href="/">Search by place and skill</a> instead.
      </EmptyState>
    );
  }
  return (
    <>
      <p class="muted" role="status">
        {areOnlyNear(data) && "Nobody has this name. Similar names: "}
        {formatPeople(total)}, best match first
        {total > results.length && `; the first ${results.length} are shown`}
      </p>
      <ol class="people">
        {results.map((person) => (
          <FoundCard person={person} role={roles.get(person.role ?? "") ?? person.role} />
        ))}
      </ol>
    </>
  );
}

/** @param role the display name of the person's best role. */
function FoundCard({ person, role }: { person: FoundPerson; role: string | undefined }) {
  const { login, name, otherNames = [], location } = person;
  const also = otherNames.length > 0 && `also ${otherNames.join(", ")}`;
  return (
    <li class="person found-person">
      <PersonHeading login={login} name={name} heading="h2" />
      <p class="person-facts small">
        {[also, location, role, describeMatch(person)].filter(Boolean).join(" · ")}
      </p>
    </li>
  );
}
