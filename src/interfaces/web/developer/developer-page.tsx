/** The page of one developer: profile, score and evidence. Opening it counts as one call of `analyze_profile`. */
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { createJsonDownload } from "../download.ts";
import { formatDate } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { List, NoticeBox } from "../look/parts.tsx";
import { CallCost, CallRefusal } from "../look/people.tsx";
import { defineSignedInPage, type PageAnswer, type SignedInRequest } from "../page.ts";
import { renderAddToList } from "../saved/save-forms.tsx";
import {
  AssistedWork,
  Badges,
  CommitQuality,
  IdentityFacts,
  Roles,
  Summary,
} from "./about-sections.tsx";
import { Activity } from "./activity-section.tsx";
import { DeveloperHead } from "./developer-head.tsx";
import type { DeveloperProperties } from "./developer-properties.ts";
import { ScoreTerms } from "./score-section.tsx";
import { Languages, Repositories, Skills } from "./work-sections.tsx";

export const developerPage = defineSignedInPage({
  path: "/developers/:login",
  show: async (ask) => {
    const login = ask.params["login"] ?? "";
    const answer = await ask.calls.perform(
      ask,
      "analyze_profile",
      { username: login },
      async (analysis) => ({
        title: analysis.profile.name ?? analysis.profile.login,
        sections: await renderDeveloper(ask, analysis),
      }),
    );
    if (!answer.ok) return showRefused(ask, login, answer.problem);
    const { title, sections } = answer.shown;
    const body = (
      <>
        {sections}
        <CallCost answers={[answer]} />
      </>
    );
    return { title, body, frame: "bare", showsPeople: true };
  },
});

async function renderDeveloper(ask: SignedInRequest, analysis: ProfileAnalysis): Promise<Html> {
  const { login, source } = analysis.profile;
  const [facts] = await ask.modules.operating.pool.findFacts([login]);
  return (
    <>
      <NoticeBox ask={ask} />
      <DeveloperHead ask={ask} analysis={analysis} facts={facts} />
      {await renderAddToList(ask, login)}
      <Contents />
      <Sections analysis={analysis} facts={facts} kind={ask.url.searchParams.get("kind") ?? ""} />
      <IdentityFacts ask={ask} analysis={analysis} facts={facts} />
      <p class="small muted">
        As of <time datetime={analysis.asOf}>{formatDate(analysis.asOf)}</time>, by model{" "}
        {analysis.modelVersion}. Source: {source}.
      </p>
    </>
  );
}

/** The data of the page, as the API answers it. Within a minute of opening the page it does not count. */
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

function showRefused(
  ask: SignedInRequest,
  login: string,
  problem: { readonly status: number; readonly message: string },
): PageAnswer {
  const { status, message } = problem;
  if (status !== 404) {
    return { title: "Developer", body: <CallRefusal message={message} />, status };
  }
  const heading = <h1>No developer here has the login {login}</h1>;
  const body = (
    <>
      <p>
        They may have another login, may not have been read in yet, or may have asked to be
        forgotten.
      </p>
      <ul class="plain-list">
        <li>
          <a href={`/find?${new URLSearchParams({ text: login })}`}>Find "{login}" as a name</a>
        </li>
        <li>
          <a href="/">Search by place and skill</a>
        </li>
        {ask.visitor.account.administrator && (
          <li>
            <a href="/admin/sources">See which sources are read</a>
          </li>
        )}
      </ul>
    </>
  );
  const title = "No developer has this login";
  return { title, heading, body, frame: "narrow", status, showsPeople: true };
}

const contents = [
  ["score", "Score"],
  ["activity", "Activity"],
  ["skills", "Skills"],
  ["repositories", "Repositories"],
  ["messages", "Commit messages"],
  ["identity", "Who this is"],
] as const;

function Contents() {
  return (
    <nav class="contents small" aria-label="On this page">
      <List items={contents.map(([id, title]) => <a href={`#${id}`}>{title}</a>)} />
    </nav>
  );
}

function Sections({ analysis, facts, kind }: DeveloperProperties & { readonly kind: string }) {
  return (
    <>
      <Summary analysis={analysis} />
      <ScoreTerms analysis={analysis} />
      <Activity analysis={analysis} facts={facts} />
      <Skills analysis={analysis} facts={facts} kind={kind} />
      <div class="columns">
        <Languages analysis={analysis} />
        <Roles analysis={analysis} />
      </div>
      <Repositories analysis={analysis} facts={facts} />
      <div class="columns">
        <CommitQuality analysis={analysis} />
        <Badges analysis={analysis} />
        <AssistedWork analysis={analysis} />
      </div>
    </>
  );
}
