import { describeFirstRole } from "../../../contract/people/profile-analysis.ts";
import { listPageLinks, listPageTexts } from "../../../contract/people/profile-fields.ts";
import {
  explainConfidence,
  formatConfidence,
  formatEvidence,
  formatExperience,
} from "../look/figures.ts";
import { formatActivity } from "../look/format.ts";
import { EmailAddress, List } from "../look/parts.tsx";
import { Avatar, formatDeveloperPath, ScoreBar } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import { AddToList, type KnownLists } from "../saved/save-forms.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";
import { formatCarriedQuery, type SearchMatch } from "./search-match.tsx";

interface DeveloperHeadProperties extends DeveloperProperties, SignedInProperties {
  /** How the person matches the search in the address; undefined if the address has no search. */
  readonly match: SearchMatch | undefined;
  readonly listing: KnownLists;
}

export function DeveloperHead({ ask, analysis, facts, match, listing }: DeveloperHeadProperties) {
  const { profile, scores, activity, proficiency, asOf, summary } = analysis;
  const { login, name = login, location, places } = profile;
  const headline = [login, places[0] ?? location, ...listPageTexts(profile, "line")];
  const { profile: own, techStack, activity: active } = scores.scores;
  const query = formatCarriedQuery(ask);
  return (
    <section class="card developer-head" aria-label="Overview">
      <div class="developer-who">
        <Avatar login={login} name={name} isLarge />
        <div>
          <h1>{name}</h1>
          <p class="muted">{headline.filter(Boolean).join(" · ")}</p>
        </div>
      </div>
      <div class="developer-score">
        <p class="number big-number">
          <span class="small">Score</span> {scores.score.toFixed(1)}{" "}
          <span class="small muted">of 100</span>
        </p>
        <p class="small muted">overall, for the best role</p>
        {match?.placing && (
          <p class="small">
            <a href="#match">{match.placing.score.toFixed(1)} match for this search</a>
          </p>
        )}
        <ScoreBar label="profile" value={own} />
        <ScoreBar label="tech stack" value={techStack} />
        <ScoreBar label="activity" value={active} />
        <p class="small">
          <span class="muted">Level:</span> {proficiency.level}
        </p>
      </div>
      <div class="developer-about">
        {profile.class !== "human" && (
          <p>
            Counts as a {profile.class}, so searches leave it out. {facts?.classReason}
          </p>
        )}
        <p>{describeFirstRole(analysis)}</p>
        <List class="plain-list small" items={summary.strengths.map(formatEvidence)} />
        <p class="sentence">
          {[formatActivity(activity.lastCommit, asOf, activity.until), formatExperience(analysis)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        <p>
          Confidence {formatConfidence(analysis)}:{" "}
          <span class="muted">{explainConfidence(analysis)}</span>
        </p>
        {listPageTexts(profile, "paragraph").map((text) => (
          <p class="muted">{text}</p>
        ))}
        <Contact analysis={analysis} />
      </div>
      <div class="actions developer-actions">
        <a
          class="button plain small-button"
          href={`/compare?add=${encodeURIComponent(login)}${query && `&${query}`}`}
        >
          Compare
        </a>
        <AddToList ask={ask} listing={listing} login={login} name={name} />
        <a class="button plain small-button" href={formatDeveloperPath(login, "/analysis.json")}>
          Explanation as JSON
        </a>
      </div>
    </section>
  );
}

/** Shows a person's addresses and links, each with its source. */
function Contact({ analysis: { emails, profile } }: Pick<DeveloperProperties, "analysis">) {
  const addresses = emails.emails.map(({ address, sources }) => (
    <>
      <a href={`mailto:${address}`}>
        <EmailAddress email={address} />
      </a>{" "}
      <span class="small muted">{describeProvenance(sources)}</span>
    </>
  ));
  // Shows only http and https links, because imported links can have any scheme.
  const safe = listPageLinks(profile).filter(({ url }) => /^https?:\/\//.test(url));
  const links = safe.map(({ url, link }) => (
    <>
      <a href={url} rel="noreferrer nofollow">
        {url.replace(/^https?:\/\//, "")}
      </a>{" "}
      <span class="small muted">{link}</span>
    </>
  ));
  if (addresses.length + links.length === 0) {
    return <p class="muted">No contact is published.</p>;
  }
  return <List class="contact" items={[...addresses, ...links]} />;
}

function describeProvenance(sources: readonly string[]): string {
  if (sources.includes("profile")) return "published in the profile";
  if (sources.includes("commits"))
    return "from commits: shown because your administrator allows it";
  return `from ${sources.join(", ")}`;
}
