import {
  askedWeights,
  computeScore,
  type ScoreWeights,
} from "../../../contract/people/developer.ts";
import { NoticeBox } from "../look/parts.tsx";
import { Avatar, ScoreBar } from "../look/people.tsx";
import { definePublicPage } from "../page.ts";
import { showSearch } from "./search-page.tsx";

export const homePage = definePublicPage({
  path: "/",
  show: (ask) => {
    const { visitor } = ask;
    if (visitor) return showSearch({ ...ask, visitor });
    const { signUpMode } = ask.modules.signIn;
    const body = (
      <>
        <NoticeBox ask={ask} />
        <div class="welcome">
          <section class="hero">
            <h1>Find developers by what they built</h1>
            <p class="lead">
              Roster finds people by the code that they wrote, and shows the evidence behind every
              score: for those who hire, those who put a team together, and anyone who wants to know
              whom to ask.
            </p>
            <div class="actions">
              <a class="button" href="/sign-in">
                Sign in
              </a>
              {signUpMode === "open" && (
                <a class="button plain" href="/sign-up">
                  Create an account
                </a>
              )}
            </div>
          </section>
          <SampleResult />
        </div>
        <p class="small muted">
          For programs and AI assistants: <a href="/docs">the API</a>, to read and to try, and{" "}
          <a href="/v1/openapi.json">its OpenAPI 3.1 document</a>. For monitoring:{" "}
          <a href="/readyz">whether this Roster can serve calls now</a>.
        </p>
      </>
    );
    return { title: "Roster", body, frame: "bare" };
  },
});

/** An invented person. The score is computed from these parts. */
const sample = {
  name: "Ada Example",
  place: "Berlin, Germany",
  parts: { profile: 84, techStack: 97, activity: 89 } satisfies ScoreWeights,
  evidence: [
    { skill: "Go", strength: 97, text: "412 commits, 31,204 lines in example/payments" },
    { skill: "Kubernetes", strength: 88, text: "96 commits to files that use it" },
    { skill: "PostgreSQL", strength: 81, text: "74 commits to files that use it" },
  ],
};

/** Shows a result for the invented person, built from the same parts as a real result. */
function SampleResult() {
  const { name, place, parts, evidence } = sample;
  const { profile, techStack, activity } = parts;
  const score = computeScore(profile, techStack, activity, askedWeights).toFixed(1);
  const skills = evidence.map(({ skill }) => skill).join(", ");
  return (
    <figure class="sample">
      <div
        class="card sample-card"
        role="img"
        aria-label={`A result: ${name}, ${place}, with a match of ${score}, its three parts, and the evidence for ${skills}.`}
      >
        <div class="sample-head">
          <Avatar login={name} name={name} />
          <div>
            <strong>{name}</strong>
            <p class="small muted">{place}</p>
          </div>
          <p class="person-score">
            <span class="number">{score}</span>{" "}
            <span class="person-score-name small muted">match</span>
          </p>
        </div>
        <div class="sample-parts">
          <ScoreBar label="tech stack" value={techStack} />
          <ScoreBar label="activity" value={activity} />
          <ScoreBar label="profile" value={profile} />
        </div>
        <ul class="sample-terms small">
          {evidence.map(({ skill, strength, text }) => (
            <li>
              <span class="chip">
                {skill} <b class="number">{strength}</b>
              </span>{" "}
              <span class="muted">{text}</span>
            </li>
          ))}
        </ul>
      </div>
      <figcaption class="small muted">
        A result, with its reasons. The person is invented.
      </figcaption>
    </figure>
  );
}
