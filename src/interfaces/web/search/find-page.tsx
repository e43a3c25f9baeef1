import { limits } from "../../../contract/limits.ts";
import {
  areOnlyNear,
  describeMatch,
  type FindData,
} from "../../../contract/people/found-person.ts";
import { formatPeople } from "../look/format.ts";
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
      title: `People named "${text}"`,
      body: <CallResult answer={answer} failure="We could not look up the name" />,
      status: answer.ok ? undefined : answer.problem.status,
    };
  },
});

function Found({ data, ask }: SignedInProperties & { readonly data: FindData }) {
  const roles = new Map(ask.modules.index.roles.map(({ id, name }) => [id, name]));
  const { total, results } = data;
  if (results.length === 0) {
    return (
      <section class="nothing stack-wide" aria-labelledby="no-one">
        <h2 id="no-one">No one has this name</h2>
        <p>Try the first letters of a name, a login, or a public e-mail address.</p>
        <p>
          <a href="/">Search by place and skill</a>
        </p>
      </section>
    );
  }
  return (
    <>
      <p class="muted" role="status">
        {areOnlyNear(data) && "No one has this name. Similar names: "}
        {formatPeople(total)}, best match first
        {total > results.length && `. The first ${results.length} are shown`}.
      </p>
      <ol class="card brief-people">
        {results.map((person) => {
          const { login, name, otherNames = [], location, role = "" } = person;
          const also = otherNames.length > 0 && `also ${otherNames.join(", ")}`;
          const about = [name && login, also, roles.get(role) ?? role, location];
          return (
            <li>
              <PersonHeading
                {...{ login, name }}
                heading="h2"
                note={about.filter(Boolean).join(" · ")}
              />
              {person.matched !== "name" && (
                <span class="small muted">{describeMatch(person)}</span>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}
