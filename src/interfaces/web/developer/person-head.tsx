import { type IntroductionPart, isQuiet } from "../../../contract/people/introduction.ts";
import { listNamedRoles } from "../../../contract/people/profile-analysis.ts";
import { listPageLinks, listPageTexts } from "../../../contract/people/profile-fields.ts";
import { formatShortMonth, formatYears } from "../look/format.ts";
import { ButtonLink, EmailAddress, List } from "../look/parts.tsx";
import { Avatar, formatDeveloperPath } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import { AddToList, type KnownLists } from "../saved/save-forms.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";
import { formatCarriedQuery } from "./search-match.tsx";

interface PersonHeadProperties extends SignedInProperties, DeveloperProperties {
  readonly introduction: readonly IntroductionPart[];
  readonly listing: KnownLists;
}

export function PersonHead({ ask, analysis, facts, introduction, listing }: PersonHeadProperties) {
  const { profile } = analysis;
  const { login, name = login } = profile;
  const query = formatCarriedQuery(ask);
  return (
    <section class="card person-head" aria-label="Overview">
      <div class="developer-who">
        <Avatar login={login} name={name} isLarge />
        <div>
          <h1>{name}</h1>
          <p class="muted">{describeInLine(analysis)}</p>
        </div>
      </div>
      <p class="introduction">
        {introduction.map(({ text, evidence }) =>
          evidence ? <a href={`#${evidence}`}>{text}</a> : text,
        )}
      </p>
      {profile.class !== "human" && facts?.classReason && (
        <p class="small muted">Reason: {facts.classReason}</p>
      )}
      {listPageTexts(profile, "paragraph").map((text) => (
        <p class="muted">{text}</p>
      ))}
      <Contact analysis={analysis} />
      <div class="actions developer-actions">
        <AddToList ask={ask} listing={listing} login={login} name={name} isMain />
        <ButtonLink
          to={`/compare?add=${encodeURIComponent(login)}${query && `&${query}`}`}
          label="Compare"
        />
        <ButtonLink to={formatDeveloperPath(login, "/analysis.json")} label="Export JSON" />
      </div>
    </section>
  );
}

function describeInLine(analysis: DeveloperProperties["analysis"]): string {
  const { profile, proficiency, activity, asOf } = analysis;
  const { lastCommit, until = asOf } = activity;
  const [best] = listNamedRoles(analysis);
  const { login, name, places, location } = profile;
  const { experienceYears: years } = proficiency;
  return [
    name && login,
    best?.displayName,
    years >= 1 && formatYears(years),
    lastCommit &&
      `${isQuiet(lastCommit, until) ? "last active" : "active"} in ${formatShortMonth(lastCommit)}`,
    places[0] ?? location,
    ...listPageTexts(profile, "line"),
  ]
    .filter(Boolean)
    .join(" · ");
}

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
  const all = [...addresses, ...links];
  return all.length > 0 ? <List class="contact" items={all} /> : undefined;
}

function describeProvenance(sources: readonly string[]): string {
  if (sources.includes("profile")) return "published in the profile";
  if (sources.includes("commits"))
    return "from commits: shown because your administrator allows it";
  return `from ${sources.join(", ")}`;
}
