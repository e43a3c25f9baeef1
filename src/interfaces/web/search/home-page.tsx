import { DataTable } from "../look/lists.tsx";
import { Figures, NoticeBox } from "../look/parts.tsx";
import { Avatar, Sparkline, Strength } from "../look/people.tsx";
import { definePublicPage } from "../page.ts";
import { showSearch } from "./search-page.tsx";

export const homePage = definePublicPage({
  path: "/",
  show: (ask) => {
    const { visitor } = ask;
    if (visitor) return showSearch({ ...ask, visitor });
    const body = (
      <>
        <NoticeBox ask={ask} />
        <div class="welcome">
          <section class="hero">
            <h1>Find developers by what they built</h1>
            <p class="lead">
              Roster reads your git history and shows who built what, with the evidence for every
              score.
            </p>
            <div class="actions">
              <a class="button" href="/sign-in">
                Sign in
              </a>
              {ask.modules.signIn.signUpMode === "open" && (
                <a class="button plain" href="/sign-up">
                  Create an account
                </a>
              )}
            </div>
          </section>
          <SampleResult />
        </div>
        <div class="cards">
          {offers.map(([title, text]) => (
            <section>
              <h2>{title}</h2>
              <p class="muted">{text}</p>
            </section>
          ))}
        </div>
        <p class="small muted">
          For programs and assistants: <a href="/docs">API</a>,{" "}
          <a href="/v1/openapi.json">OpenAPI document</a>, <a href="/readyz">status</a>.
        </p>
      </>
    );
    return { title: "Roster", body, frame: "bare" };
  },
});

const offers = [
  ["Find people", "Search by place, role, skill or language. Every match shows its evidence."],
  ["Ask who knows", "See who knows a repository, a folder or a file, and who left."],
  ["Plan a hand-over", "See what only one person knows, and who can take over."],
] as const;

const sample = {
  name: "Ada Example",
  match: 92,
  months: "4 6 5 9 12 8 10 14 11 9 13 16 12 15 18 14 12 17 19 15 13 16 20 18"
    .split(" ")
    .map(Number),
  evidence: [
    ["Go", 97, 412],
    ["Kubernetes", 88, 96],
    ["PostgreSQL", 81, 74],
  ],
} as const;

function SampleResult() {
  const { name, match, months, evidence } = sample;
  return (
    <figure class="sample">
      <div class="card">
        <ul class="brief-people">
          <li>
            <Avatar login="ada-example" name={name} isLarge />
            <span class="person-who">
              <strong>{name}</strong>
              <br />
              <span class="muted">Main author of example/payments since 2019</span>
            </span>
            <Figures items={[[String(match), "match"]]} />
          </li>
        </ul>
        <Sparkline values={months} label="Commits a month, for two years" />
        <DataTable
          scrolls="Skills of Ada Example"
          columns={[
            ["Skill", ([skill]) => skill],
            ["Strength", ([, strength]) => <Strength value={strength} />],
            ["Commits", ([, , commits]) => commits, "number"],
          ]}
          rows={evidence}
        />
      </div>
      <figcaption class="small muted">A match with its evidence. Ada is invented.</figcaption>
    </figure>
  );
}
