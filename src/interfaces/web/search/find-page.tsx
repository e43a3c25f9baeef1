/** People by name, login, account or e-mail: where the field in the header leads. */
import { limits } from "../../../contract/limits.ts";
import type { FindData, FoundPerson } from "../../../contract/people/found-person.ts";
import { formatPeople } from "../look/format.ts";
import { EmptyState } from "../look/parts.tsx";
import { CallResult, PersonHeading } from "../look/people.tsx";
import { defineSignedInPage } from "../page.ts";

const shownMax = 25;

export const findPage = defineSignedInPage({
  path: "/find",
  show: async (ask) => {
    const text = (ask.url.searchParams.get("text") ?? "").trim().slice(0, limits.textLengthMax);
    if (text === "") return { goTo: "/" };
    const request = { text, limit: shownMax };
    const answer = await ask.calls.perform(ask, "find_people", request, (data) => (
      <Found data={data} />
    ));
    return {
      title: `People found by "${text}"`,
      body: <CallResult answer={answer} />,
      showsPeople: true,
      status: answer.ok ? undefined : answer.problem.status,
    };
  },
});

function Found({ data: { total, results } }: { readonly data: FindData }) {
  if (results.length === 0) {
    return (
      <EmptyState>
        No one. People are found by the beginnings of the words of their name, by a whole login or
        account, and by an e-mail that they publish. <a href="/">Search by place and skill</a>{" "}
        instead.
      </EmptyState>
    );
  }
  return (
    <>
      <p class="muted" role="status">
        {formatPeople(total)}, best match first
        {total > results.length && `; the first ${results.length} are shown`}
      </p>
      <ol class="people">
        {results.map((person) => (
          <FoundCard person={person} />
        ))}
      </ol>
    </>
  );
}

function FoundCard({ person }: { readonly person: FoundPerson }) {
  const { login, name, location, role, matched } = person;
  return (
    <li class="person found-person">
      <PersonHeading login={login} name={name} heading="h2" />
      <p class="person-facts small">
        {[location, role, `by ${matched}`].filter(Boolean).join(" · ")}
      </p>
    </li>
  );
}
