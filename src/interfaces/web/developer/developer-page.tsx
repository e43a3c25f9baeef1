import {
  type IntroductionPart,
  isQuiet,
  writeIntroduction,
} from "../../../contract/people/introduction.ts";
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { listPageLinks, listPageTexts } from "../../../contract/people/profile-fields.ts";
import type { Problem } from "../../../contract/problem.ts";
import type { ComputingModules } from "../calls.ts";
import { createJsonDownload } from "../download.ts";
import { formatDate, formatShortMonth, formatYears } from "../look/format.ts";
import { Form, Problems } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { ButtonLink, EmailAddress, List, NoticeBox, Panel } from "../look/parts.tsx";
import { Avatar, CallCost, CallRefusal, formatDeveloperPath } from "../look/people.tsx";
import {
  defineSignedInPage,
  type PageAnswer,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { AddToList, type KnownLists, readKnownLists } from "../saved/save-forms.tsx";
import {
  AssistedWork,
  Badges,
  CommitQuality,
  type DeveloperProperties,
  IdentityFacts,
  Repositories,
  Roles,
} from "./about-sections.tsx";
import { Activity } from "./activity-section.tsx";
import { findPoolRank, HowSure, Score } from "./score-panel.tsx";
import { findMatch, formatCarriedQuery, MatchSection } from "./search-match.tsx";
import { WorksWith } from "./works-with.tsx";

export const developerPage = defineSignedInPage({
  path: "/developers/:login",
  show: async (ask) => {
    const login = ask.params["login"] ?? "";
    const asked = { username: login };
    const answer = await ask.calls.perform(
      ask,
      "analyze_profile",
      asked,
      async (analysis, from) => ({
        title: analysis.profile.name ?? analysis.profile.login,
        sections: await renderDeveloper(ask, analysis, from),
      }),
    );
    if (!answer.ok) return showRefused(ask, login, answer.problem);
    const { title, sections } = answer.shown;
    const body = [sections, <CallCost answers={[answer]} />];
    return { title, body: <>{body}</>, frame: "bare" };
  },
});

async function renderDeveloper(
  ask: SignedInRequest,
  analysis: ProfileAnalysis,
  computing: ComputingModules,
): Promise<Html> {
  const { login, source } = analysis.profile;
  const { administrator } = ask.visitor.account;
  const [facts] = await ask.modules.pool.findFacts([login]);
  const match = await findMatch(ask, login);
  const scores = await findPoolRank(computing, analysis);
  const known = await computing.knowledge.repositories();
  const repositories = facts?.repositories ?? [];
  const introduction = writeIntroduction({ analysis, repositories, known });
  return (
    <>
      <Problems ask={ask} />
      <NoticeBox ask={ask} />
      <div class="with-side person-page">
        <PersonHead
          {...{ ask, analysis, facts, introduction }}
          listing={await readKnownLists(ask, [login])}
        />
        <div class="side">
          <Score analysis={analysis} scores={scores} match={match} />
          <HowSure analysis={analysis} canAdd={administrator} />
          <Repositories repositories={repositories} known={known} login={login} />
        </div>
        <div class="person-rest">
          <Activity analysis={analysis} facts={facts} />
          <WorksWith analysis={analysis} facts={facts} />
          {match && <MatchSection match={match} analysis={analysis} />}
          <div class="card folds">
            <Roles analysis={analysis} />
            <CommitQuality analysis={analysis} />
            <Badges analysis={analysis} />
            <AssistedWork analysis={analysis} />
            <IdentityFacts analysis={analysis} facts={facts} />
          </div>
          {administrator && <AdministratorSection ask={ask} login={login} />}
        </div>
      </div>
      <p class="small muted">
        As of <time datetime={analysis.asOf}>{formatDate(analysis.asOf)}</time>, by model{" "}
        {analysis.modelVersion}. Source: {source}.
      </p>
    </>
  );
}

function AdministratorSection({ ask, login }: SignedInProperties & { readonly login: string }) {
  return (
    <Panel title="For administrators" id="administration">
      <div class="actions">
        <ButtonLink to={formatDeveloperPath(login, "/identity")} label="See and split identities" />
        <ButtonLink
          to={formatDeveloperPath(login, "/everything.json")}
          label="Export everything held"
        />
        <Form
          {...{ ask, act: "look", to: "/admin/forget", hidden: { person: login } }}
          submit="Forget this person"
          tone="plain"
          inline
        />
      </div>
      <p class="small muted">Forgetting first lists what would be erased; nothing is erased yet.</p>
    </Panel>
  );
}

/** The data of a developer's page as JSON. The download costs no call within a minute after the page was opened. */
export const analysisPage = defineSignedInPage({
  path: "/developers/:login/analysis.json",
  show: async (ask) => {
    const username = ask.params["login"] ?? "";
    const answer = await ask.calls.perform(ask, "analyze_profile", { username }, (analysis) =>
      createJsonDownload("analysis.json", analysis),
    );
    if (!answer.ok) throw answer.problem;
    return answer.shown;
  },
});

function showRefused(ask: SignedInRequest, login: string, problem: Problem): PageAnswer {
  const { status } = problem;
  if (status !== 404) {
    const body = <CallRefusal failure="The developer is not shown" problem={problem} />;
    return { title: "Developer", body, status };
  }
  const heading = <h1>No developer here has the login {login}</h1>;
  const ways = [
    <a href={`/find?${new URLSearchParams({ text: login })}`}>Find "{login}" as a name</a>,
    <a href="/">Search by place and skill</a>,
    ...(ask.visitor.account.administrator
      ? [<a href="/admin/sources">See which sources are read</a>]
      : []),
  ];
  const body = (
    <>
      <p>
        They may have another login, may not have been read in yet, or may have asked to be
        forgotten.
      </p>
      <List class="plain-list" items={ways} />
    </>
  );
  const title = "No developer has this login";
  return { title, heading, body, frame: "narrow", status };
}

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
