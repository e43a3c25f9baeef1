/** Chooses the lists to read from GitHub. The `ask` of a step is a `GithubAsk` as JSON. */
import { Fault } from "../../../contract/fault.ts";
import { splitBatches } from "../../../contract/split-batches.ts";
import type { ForgeSelection, ForgeStep } from "../forge.ts";

export type GithubAsk =
  /** Reads node ids and logins of at most `limit` people by REST. `path` is relative to the API's address. */
  | { readonly kind: "list" | "search"; readonly path: string; readonly limit?: number | undefined }
  | {
      readonly kind: "people";
      /** Name of the list in which these people were found. */
      readonly list: string;
      readonly by: "ids" | "logins";
      /** Node id and login of each person. Where the node id is unknown, the login takes its place. */
      readonly people: readonly (readonly [key: string, login: string])[];
      /** Whether to leave out repositories. Set when an answer with repositories would be too large. */
      readonly isBare?: boolean;
    }
  | { readonly kind: "repositories"; readonly login: string };

export type GithubPeopleAsk = Extract<GithubAsk, { kind: "people" }>;

const githubBatch = 20;

/** Turns selections into steps. @throws Fault `usage` for a selection that GitHub does not have. */
export function toGithubSteps(selections: readonly ForgeSelection[], isPublicForge: boolean) {
  const users = selections.flatMap((selection) =>
    selection.kind === "user" ? [[selection.name, selection.name] as const] : [],
  );
  const lists = selections.flatMap((selection) =>
    selection.kind === "user" ? [] : listSteps(selection, isPublicForge),
  );
  return [...lists, ...splitGithubPeople({ list: "named people", by: "logins", people: users })];
}

function listSteps(selection: ForgeSelection, isPublicForge: boolean): ForgeStep[] {
  if (selection.kind === "all") {
    if (isPublicForge) {
      const remedy = "select an organization, a team, people or a search";
      throw new Fault("usage", `github.com has too many people to read all: ${remedy}.`);
    }
    return [toGithubStep("all accounts", { kind: "list", path: "users?per_page=100" })];
  }
  if (selection.kind === "search") {
    const { name, limit } = selection;
    const path = `search/users?${new URLSearchParams({ q: `${name} type:user`, per_page: "100" })}`;
    return [toGithubStep(`search ${name}`, { kind: "search", path, limit })];
  }
  const { kind, name } = selection;
  const [organization = "", team, ...more] = name.split("/").map(encodeURIComponent);
  if (kind === "org" && team === undefined) {
    const path = `orgs/${organization}/members?per_page=100`;
    return [
      toGithubStep(`members of ${name}`, { kind: "list", path }),
      toGithubStep(`repositories of ${name}`, { kind: "repositories", login: name }),
    ];
  }
  if (kind === "team" && team !== undefined && more.length === 0) {
    const path = `orgs/${organization}/teams/${team}/members?per_page=100`;
    return [toGithubStep(`members of ${name}`, { kind: "list", path })];
  }
  const form =
    kind === "team" ? "a team is ORGANISATION/TEAM" : "GitHub has org, team, user, search";
  throw new Fault("usage", `GitHub cannot select ${kind}:${name}: ${form}.`);
}

export function splitGithubPeople(ask: Omit<GithubPeopleAsk, "kind">): ForgeStep[] {
  return [...splitBatches(ask.people, githubBatch)].map((people) =>
    toGithubPeopleStep({ ...ask, people }),
  );
}

export function toGithubPeopleStep(ask: Omit<GithubPeopleAsk, "kind">): ForgeStep {
  const [first = "", last = ""] = [ask.people[0]?.[1], ask.people.at(-1)?.[1]];
  const who = ask.people.length === 1 ? first : `${first} to ${last}`;
  return toGithubStep(`${ask.list}: ${who}${ask.isBare ? ", the profile" : ""}`, {
    kind: "people",
    ...ask,
  });
}

export function toGithubStep(name: string, ask: GithubAsk): ForgeStep {
  return { name, ask: JSON.stringify(ask) };
}
