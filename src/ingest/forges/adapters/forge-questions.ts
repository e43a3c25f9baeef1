/** Asks what a forge is, whose token this is, and how much a selection reads. */
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import {
  type AnswerObject,
  dropAbsent,
  listObjects,
  readCount,
  readField,
  readFields,
  readLogin,
} from "./answer-fields.ts";
import type { ForgeClient } from "./client.ts";

type Asker = Pick<ForgeClient, "ask">;

interface ForgeQuestions {
  readonly product: string;
  /** The rights that a token needs, in the forge's words. */
  readonly rights: string;
  /** Whether lists of people need a token. */
  readonly needsToken: boolean;
  /** A path that this kind of forge answers in its own way, also to those who have no token. */
  readonly mark: string;
  readonly isOne: (answer: AnswerObject) => boolean;
  /** The path and the field of the version. */
  readonly version: readonly [path: string, field: string, nameWithVersion?: string];
  /** The field of an account's login. */
  readonly login: string;
  /** The paths of owners and of what they own, in the order to try. `AT` stands for the name, and `ID` for the number. */
  readonly owners: readonly (readonly [kind: string, owner: string, ...lists: ForgeLists])[];
  /** The lists of everybody; undefined if the forge does not tell their length. */
  readonly all?: ForgeLists;
}

/** Paths of lists. A person's own repositories have no list of people. */
type ForgeLists = readonly [repositories: string, people?: string | undefined];

const giteaRepositories = "repos/search?limit=50&page=1&private=false&sort=id&order=asc";
const gitlabPeople = "users?per_page=1&active=true&exclude_internal=true&without_project_bots=true";
const gitlabProjects = "projects?visibility=public&per_page=5&order_by=last_activity_at";

export const forgeQuestions: Readonly<Record<ForgeKind, ForgeQuestions>> = {
  gitea: {
    ...{ product: "Gitea", needsToken: false },
    rights: "read:user, read:organization and read:repository",
    mark: "settings/api",
    isOne: ({ max_response_items: most, message }) =>
      readCount(most) !== undefined || message === "Only signed in user is allowed to call APIs.",
    ...{ version: ["version", "version"], login: "login" },
    owners: [
      ["org", "orgs/AT", "orgs/AT/repos?limit=50", "orgs/AT/members?limit=50"],
      ["user", "users/AT", `${giteaRepositories}&uid=ID&exclusive=true`],
    ],
    all: [giteaRepositories, "users/search?limit=50&page=1"],
  },
  gitlab: {
    ...{ product: "GitLab", needsToken: true, rights: "read_api" },
    mark: "version",
    isOne: ({ revision, message }) => revision !== undefined || message === "401 Unauthorized",
    ...{ version: ["version", "version"], login: "username" },
    owners: [
      [
        ...(["group", "groups/AT?with_projects=false"] as const),
        `groups/AT/${gitlabProjects}&include_subgroups=true`,
        "groups/AT/members/all?per_page=1",
      ],
      ["user", "users?username=AT", `users/ID/${gitlabProjects}`],
    ],
    all: [gitlabProjects, gitlabPeople],
  },
  github: {
    ...{ product: "GitHub", needsToken: true, rights: "read:org" },
    mark: "meta",
    isOne: ({ documentation_url: url, ...about }) =>
      "verifiable_password_authentication" in about ||
      `${url}`.startsWith("https://docs.github.com/"),
    ...{ version: ["meta", "installed_version", "GitHub Enterprise Server"], login: "login" },
    owners: [
      ["org", "orgs/AT", "orgs/AT/repos?per_page=5&sort=pushed", "orgs/AT/members?per_page=1"],
      ["user", "users/AT", "users/AT/repos?per_page=5&sort=pushed"],
    ],
  },
};

/** Whether a forge of this kind answers. */
export async function isForge(client: Asker, kind: ForgeKind): Promise<boolean> {
  const { mark, isOne } = forgeQuestions[kind];
  return isOne(await readRefusable(client, mark));
}

/** @returns the product with its version, such as `Gitea 1.27.1`; without a version if the forge hides it. */
export async function readForgeProduct(client: Asker, kind: ForgeKind): Promise<string> {
  const { product, version } = forgeQuestions[kind];
  const [path, field, longName = product] = version;
  const said = readField((await readRefusable(client, path))[field]);
  if (said === undefined) return product;
  // Forgejo also states which Gitea it is compatible with: `11.0.1+gitea-1.22.0`.
  return `${said.includes("+gitea") ? "Forgejo" : longName} ${said.replace(/\+.*/s, "")}`;
}

async function readRefusable(client: Asker, path: string): Promise<AnswerObject> {
  return readFields((await client.ask({ path, what: "itself", takesRefusals: true })).body);
}

/** Reads whose token the client has. @throws Fault `forge_token`, or ForgeDenial, if the forge refuses it. */
export async function readForgeAccount(client: Asker, kind: ForgeKind) {
  const { body, headers } = await client.ask({ path: "user", what: "the account of the token" });
  const account = readLogin(readFields(body)[forgeQuestions[kind].login]);
  const requestsPerHour = readCount(Number(headers.get("x-ratelimit-limit")));
  return { account, ...(requestsPerHour && { requestsPerHour }) };
}

/** Finds an organization, a group or a person by name. */
export async function findForgeOwner(client: Asker, kind: ForgeKind, name: string) {
  const at = encodeURIComponent(name);
  for (const [owner, path, repositories, people] of forgeQuestions[kind].owners) {
    const { status, body } = await client.ask({ path: path.replace("AT", at), what: name });
    const [found] = listObjects(Array.isArray(body) ? body : [body]);
    if (status !== 200 || !found) continue;
    const fill = (list: string) => list.replace("AT", at).replace("ID", `${found["id"]}`);
    const lists = [fill(repositories), people && fill(people)] as const;
    return { select: `${owner}:${name}`, lists, repositories: readCount(found["public_repos"]) };
  }
  return undefined;
}

/** Counts what everybody may see in the lists, as far as the forge tells. The examples are names of repositories. */
export async function countForgeLists(client: Asker, [repositories, people]: ForgeLists) {
  const own = await readList(client, repositories);
  const count = people === undefined ? 1 : (await readList(client, people)).count;
  const names = own.items.map((one) => readField(one["full_name"] ?? one["path_with_namespace"]));
  const examples = names.filter((name) => name !== undefined).slice(0, 5);
  return { counts: dropAbsent({ people: count, repositories: own.count }), examples };
}

/** Reads the first page of a list. The length of a longer list is in a header, or it is the number of the last page. */
async function readList(client: Asker, path: string) {
  const { body, headers, next, last } = await client.ask({ path, what: "what would be read" });
  const all = listObjects(Array.isArray(body) ? body : readFields(body)["data"]);
  const items = all.filter(
    ({ visibility = "public", private: isPrivate, internal }) =>
      visibility === "public" && isPrivate !== true && internal !== true,
  );
  const lastPage = last && new URL(last).searchParams.get("page");
  const total = Number(headers.get("x-total-count") ?? headers.get("x-total") ?? lastPage);
  const hidden = all.length - items.length;
  return {
    items,
    count: next === undefined ? items.length : readCount((total || Number.NaN) - hidden),
  };
}
