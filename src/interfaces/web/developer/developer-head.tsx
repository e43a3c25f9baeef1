import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { listPageLinks, listPageTexts } from "../../../contract/people/profile-fields.ts";
import { formatActivity, formatFraction } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { EmailAddress, List } from "../look/parts.tsx";
import { formatDeveloperPath, Initials, ScoreBar } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import type { DeveloperProperties } from "./developer-properties.ts";

/** A person at a glance, with actions. */
export function DeveloperHead({ ask, analysis, facts }: DeveloperProperties & SignedInProperties) {
  const { profile, scores, activity, proficiency, confidence, asOf } = analysis;
  const { login, name = login, location, places } = profile;
  const headline = [login, places[0] ?? location, ...listPageTexts(profile, "line")];
  const { profile: own, techStack, activity: active } = scores.scores;
  return (
    <section class="card developer-head" aria-label="Overview">
      <div class="developer-who">
        <Initials name={name} />
        <div>
          <h1>{name}</h1>
          <p class="muted">{headline.filter(Boolean).join(" · ")}</p>
        </div>
      </div>
      <div class="developer-score">
        <p class="number big-number">
          {scores.score.toFixed(1)} <span class="small muted">of 100, {proficiency.level}</span>
        </p>
        <ScoreBar label="profile" value={own} />
        <ScoreBar label="tech stack" value={techStack} />
        <ScoreBar label="activity" value={active} />
      </div>
      <div class="developer-about">
        {profile.class !== "human" && (
          <p>
            Counts as a {profile.class}, so searches leave it out. {facts?.classReason}
          </p>
        )}
        <p>
          {listNamedRoles(analysis)
            .map(({ displayName, score }) => `${displayName} ${score}`)
            .join(" · ") || "No role stands out"}
        </p>
        <p>
          {formatActivity(activity.lastCommit, asOf, activity.until)} ·{" "}
          {proficiency.experienceYears} years
          {profile.experienceSource === "none" ? "" : ` (by ${profile.experienceSource})`} ·
          confidence {formatFraction(confidence)}
        </p>
        {listPageTexts(profile, "paragraph").map((text) => (
          <p class="muted">{text}</p>
        ))}
        <Contact analysis={analysis} />
      </div>
      <Actions ask={ask} login={login} />
    </section>
  );
}

/** The ways to contact a person, each with its source, because the source decides how it may be used. */
function Contact({ analysis: { emails, profile } }: { readonly analysis: ProfileAnalysis }) {
  const addresses = emails.emails.map(({ address, sources }) => (
    <>
      <a href={`mailto:${address}`}>
        <EmailAddress email={address} />
      </a>{" "}
      <span class="small muted">{describeProvenance(sources)}</span>
    </>
  ));
  const links = listPageLinks(profile).flatMap(({ url, link }) =>
    isWebAddress(url)
      ? [
          <>
            <a href={url} rel="noreferrer nofollow">
              {url.replace(/^https?:\/\//, "")}
            </a>{" "}
            <span class="small muted">{link}</span>
          </>,
        ]
      : [],
  );
  if (addresses.length + links.length === 0) {
    return <p class="muted">No contact is published.</p>;
  }
  return <List class="contact" items={[...addresses, ...links]} />;
}

/** Sources may contain anything; only links of these two schemes are safe. */
const isWebAddress = (url: string) => /^https?:\/\//.test(url);

function describeProvenance(sources: readonly string[]): string {
  if (sources.includes("profile")) return "published in the profile";
  if (sources.includes("commits"))
    return "from commits: shown because your administrator allows it";
  return `from ${sources.join(", ")}`;
}

function Actions({ ask, login }: SignedInProperties & { readonly login: string }) {
  return (
    <div class="actions developer-actions">
      <a class="button plain small-button" href={`/compare?add=${encodeURIComponent(login)}`}>
        Compare
      </a>
      <a class="button plain small-button" href={formatDeveloperPath(login, "/analysis.json")}>
        Explanation as JSON
      </a>
      {ask.visitor.account.administrator && (
        <>
          <a
            class="button plain small-button"
            href={formatDeveloperPath(login, "/everything.json")}
          >
            Export everything held
          </a>
          <Form
            ask={ask}
            act="look"
            submit="Forget this person"
            tone="plain"
            inline
            to="/admin/forget"
            hidden={{ person: login }}
          />
        </>
      )}
    </div>
  );
}
