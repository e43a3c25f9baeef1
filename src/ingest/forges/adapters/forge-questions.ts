/** Asks what a forge is, whose token this is, and how much a selection reads. */
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import {
  type AnswerObject,
  dropAbsent,
  listObjects,
  readCount,
  readFields,
  readLogin,
  readNumber,
  readRepositoryName,
} from "./answer-fields.ts";
import type { ForgeClient } from "./client.ts";

interface ForgeQuestions {
  /** The product, and how it is named with its version if that differs. */
  readonly names: readonly [string, string?];
  /** The rights that a token needs, in the forge's words. */
  readonly rights: string;
  /** Whether lists of people need a token. */
  readonly needsToken: boolean;
  /** Paths of answers that show the kind of forge, also without a token, and that contain the version. */
  readonly about: readonly [mark: string, version: string];
  readonly isOne: (mark: AnswerObject) => boolean;
  /** The paths of owners and of their lists, in the order to try. `AT` stands for a name, and `ID` for a number. */
  readonly owners: readonly (readonly [kind: string, owner: string, ...ForgeLists])[];
  /** The lists of everybody; undefined if the forge does not tell their length. */
  readonly all?: ForgeLists;
}

/** Paths of lists. The selection of one person has no list of people. */
type ForgeLists = readonly [repositories: string, people?: string | undefined];

const giteaRepositories = "repos/search?limit=50&page=1&private=false&sort=id&order=asc";
const gitlabPeople = "users?per_page=1&active=true&exclude_internal=true&without_project_bots=true";
const gitlabProjects = "projects?visibility=public&per_page=5&order_by=last_activity_at";
const gitlabGroup = "groups/AT?with_projects=false";
const gitlabGroupProjects = `groups/AT/${gitlabProjects}&include_subgroups=true`;
const githubPage = "per_page=5&sort=pushed";

export const forgeQuestions: Readonly<Record<ForgeKind, ForgeQuestions>> = {
  gitea: {
    names: ["Gitea"],
    rights: "read:user, read:organization and read:repository",
    needsToken: false,
    about: ["settings/api", "version"],
    isOne: ({ max_response_items: most, message }) =>
      readCount(most) !== undefined || message === "Only signed in user is allowed to call APIs.",
    owners: [
      ["org", "orgs/AT", "orgs/AT/repos?limit=50", "orgs/AT/members?limit=50"],
      ["user", "users/AT", `${giteaRepositories}&uid=ID&exclusive=true`],
    ],
    all: [giteaRepositories, "users/search?limit=50&page=1"],
  },
  gitlab: {
    names: ["GitLab"],
    rights: "read_api",
    needsToken: true,
    about: ["version", "version"],
    isOne: ({ revision, message }) => revision !== undefined || message === "401 Unauthorized",
    owners: [
      ["group", gitlabGroup, gitlabGroupProjects, "groups/AT/members/all?per_page=1"],
      ["user", "users?username=AT", `users/ID/${gitlabProjects}`],
    ],
    all: [gitlabProjects, gitlabPeople],
  },
  github: {
    names: ["GitHub", "GitHub Enterprise Server"],
    rights: "read:org",
    needsToken: true,
    about: ["meta", "meta"],
    isOne: ({ verifiable_password_authentication: isKnown, documentation_url: url }) =>
      isKnown !== undefined || String(url).startsWith("https://docs.github.com/"),
    owners: [
      ["org", "orgs/AT", `orgs/AT/repos?${githubPage}`, "orgs/AT/members?per_page=1"],
      ["user", "users/AT", `users/AT/repos?${githubPage}`],
    ],
  },
};

type Asker = Pick<ForgeClient, "ask">;

/** Asks once, because somebody waits for the answer. */
const ask = (client: Asker, path: string, takesRefusals = false) =>
  client.ask({ path, what: "what would be read", attempts: 1, takesRefusals });

/** @returns a product such as `Gitea 1.27.1`, without a version if it is hidden; undefined if it is no forge of this kind. */
export async function identifyForge(client: Asker, kind: ForgeKind): Promise<string | undefined> {
  const { about, isOne, names } = forgeQuestions[kind];
  const [name, nameWithVersion = name] = names;
  const look = async (path: string) => readFields((await ask(client, path, true)).body);
  if (!isOne(await look(about[0]))) return undefined;
  const { version, installed_version: installed } = await look(about[1]);
  // Forgejo also states which Gitea it is compatible with: `11.0.1+gitea-1.22.0`.
  const said = String(version ?? installed ?? "").slice(0, 40);
  if (!/^\d[\w.+-]*$/.test(said)) return name;
  return `${said.includes("+gitea") ? "Forgejo" : nameWithVersion} ${said.replace(/\+.*/, "")}`;
}

/** Reads whose token the client has. @throws Fault `forge_token`, or ForgeDenial, if the forge refuses it. */
export async function readForgeAccount(client: Asker) {
  const { body, headers } = await ask(client, "user");
  const { login, username } = readFields(body);
  const requestsPerHour = readCount(Number(headers.get("x-ratelimit-limit")));
  return { account: readLogin(login ?? username), ...(requestsPerHour && { requestsPerHour }) };
}

/** Finds an organization, a group or a person by name. */
export async function findForgeOwner(client: Asker, kind: ForgeKind, name: string) {
  const at = encodeURIComponent(name);
  for (const [owner, path, repositories, people] of forgeQuestions[kind].owners) {
    const { status, body } = await ask(client, path.replace("AT", at));
    const [found] = listObjects(Array.isArray(body) ? body : [body]);
    if (status !== 200 || !found) continue;
    const id = readNumber(found["id"]) ?? "";
    const fill = (list: string) => list.replace("AT", at).replace("ID", id);
    const lists = [fill(repositories), people && fill(people)] as const;
    return { select: `${owner}:${name}`, lists, repositories: readCount(found["public_repos"]) };
  }
  return undefined;
}

/** Lists the selections of an account of github.com: its organizations, and itself. github.com cannot list everybody. */
export async function listOwnSelections(client: Asker, account: string | undefined) {
  const { body } = await ask(client, "user/orgs?per_page=10", true);
  const logins = listObjects(body).flatMap(({ login }) => readLogin(login) ?? []);
  return [
    ...logins.map((login) => ({ select: `org:${login}`, label: login })),
    ...(account === undefined ? [] : [{ select: `user:${account}`, label: account }]),
  ];
}

/** Counts what everybody may see in the lists, as far as the forge tells. The examples are names of repositories. */
export async function countForgeLists(client: Asker, [repositories, people]: ForgeLists) {
  const own = await readList(client, repositories);
  const count = people === undefined ? 1 : (await readList(client, people)).count;
  const examples = own.items
    .flatMap((one) => readRepositoryName(one["full_name"] ?? one["path_with_namespace"]) ?? [])
    .slice(0, 5);
  return { counts: dropAbsent({ people: count, repositories: own.count }), examples };
}

/** Reads the first page of a list. The length of a longer list is in a header, or it is the number of the last page. */
async function readList(client: Asker, path: string) {
  const { status, body, headers, next, last } = await ask(client, path);
  const all = listObjects(Array.isArray(body) ? body : readFields(body)["data"]);
  const items = all.filter(
    ({ visibility = "public", private: isPrivate, internal }) =>
      visibility === "public" && isPrivate !== true && internal !== true,
  );
  if (next === undefined) return { items, count: status === 200 ? items.length : undefined };
  const lastPage = last && new URL(last).searchParams.get("page");
  const total = headers.get("x-total-count") ?? headers.get("x-total") ?? lastPage;
  return { items, count: readCount(Number(total ?? Number.NaN) - all.length + items.length) };
}
