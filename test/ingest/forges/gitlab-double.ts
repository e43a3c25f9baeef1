/**
 * GitLab on loopback with invented people. GraphQL is answered by graphql-js from what GitLab's source says of its types;
 * REST has the fields of lib/api/entities (MIT): UserBasic, UserWithAdmin for administrators, and Project.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, execute, parse, validate } from "graphql";
import { serveDouble } from "./double.ts";
import { listPage } from "./github-double.ts";

export interface GitlabDoubleOptions {
  readonly people: number;
  readonly isAdministrator?: boolean;
  /** Usernames of commits' authors, by the commit; others are by what the id begins with. */
  readonly authors?: ReadonlyMap<string, string>;
  /** GitLab 16.4 and older give no users by number; default: false. */
  readonly isOld?: boolean;
  /** Of offsets; GitLab's own is 50,000. */
  readonly offsetMax?: number;
  /** More commits than this in one query weigh too much. */
  readonly samplesMax?: number;
  /** Merge requests by full path, as GraphQL has them. */
  readonly changes?: ReadonlyMap<string, readonly object[]>;
}

const source = readFileSync(join(import.meta.dir, "contracts/gitlab.graphql"), "utf8");
export const gitlabSchema = buildSchema(source);

/** Of everybody, and what is seen by administrators only. */
const instant = "2024-05-06T07:08:09.123Z";

export function serveGitlab(options: GitlabDoubleOptions) {
  const people = Array.from({ length: options.people }, (_, at) => inventPerson(at));
  const paths: string[] = [];
  const double = serveDouble(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    const path = pathname.replace(/^\/api\/v4/, "");
    paths.push(path);
    if (path === "/api/graphql") {
      return Response.json(await answerGraphql(await request.text(), people, options));
    }
    const list = answerRest(path, people, options);
    if (!list) return Response.json({ message: "404 Not found" }, { status: 404 });
    const { offsetMax = 50_000, isOld = false } = options;
    const isKeyset = searchParams.get("pagination") === "keyset";
    if (isKeyset && isOld && path === "/users") return refusePage("Keyset pagination is not yet");
    const size = Number(searchParams.get("per_page"));
    const page = Number(searchParams.get("page") ?? 1);
    const after = Number(searchParams.get("id_after") ?? 0);
    if (!isKeyset && (page - 1) * size >= offsetMax) {
      return refusePage("Offset pagination has a maximum");
    }
    const rest = isKeyset ? list.filter(({ id }) => id > after) : list.slice((page - 1) * size);
    if (isKeyset) searchParams.set("id_after", String(rest[size - 1]?.id));
    else searchParams.set("page", String(page + 1));
    const next = `<${origin}${pathname}?${searchParams}>; rel="next"`;
    const headers = rest.length > size ? { link: next } : undefined;
    return Response.json(rest.slice(0, size), { ...(headers && { headers }) });
  });
  /** Paths are all that were asked. */
  return { ...double, people, paths };
}

const refusePage = (why: string) => Response.json({ message: `405 ${why}` }, { status: 405 });

type Person = ReturnType<typeof inventPerson>;

function inventPerson(at: number) {
  const username = `dev${at}`;
  const email = `${username}@corp.example`;
  return {
    ...{ number: 500 + at, id: `gid://gitlab/User/${500 + at}`, username, name: `Dev ${at}` },
    ...{ bot: false, human: at !== 7, state: at === 8 ? "blocked" : "active" },
    ...{ location: "Berlin", bio: "Queues", jobTitle: at % 2 ? "Engineer" : "" },
    ...{ organization: "Acme", twitter: `@tweet${at}`, createdAt: instant },
    ...{ webUrl: `https://gitlab.corp.example/${username}`, avatarUrl: null },
    ...{ publicEmail: at % 2 ? email : null, email, pronouns: "they", privateProfile: at === 9 },
    commitEmail: `${500 + at}-${username}@users.noreply.gitlab.corp.example`,
  };
}

async function answerGraphql(
  text: string,
  people: readonly Person[],
  { isAdministrator = false, samplesMax = 15, authors, changes }: GitlabDoubleOptions,
) {
  const { query, variables } = JSON.parse(text);
  const document = parse(query);
  const wrong = validate(gitlabSchema, document);
  if (wrong.length > 0) throw new Error(`GitLab's schema refuses the query: ${wrong[0]?.message}`);
  const samples = Object.keys(variables).filter((name) => name.startsWith("s")).length;
  if (samples > samplesMax) {
    const message = "Query has complexity of 300, which exceeds max complexity of 250";
    return { errors: [{ message }] };
  }
  const seen = people.map((person) => ({
    ...person,
    commitEmail: isAdministrator ? person.commitEmail : null,
    emails: {
      nodes: isAdministrator
        ? [
            { email: person.email, confirmedAt: instant },
            { email: `unproven-${person.email}`, confirmedAt: null },
          ]
        : [],
    },
  }));
  return execute({
    schema: gitlabSchema,
    document,
    variableValues: variables,
    rootValue: {
      users: ({ ids, usernames }: { ids?: string[]; usernames?: string[] }) => ({
        nodes: seen.filter((one) => ids?.includes(one.id) || usernames?.includes(one.username)),
      }),
      group: ({ fullPath }: { fullPath: string }) =>
        fullPath === "acme/core" ? toGroup(seen) : null,
      project: ({ fullPath }: { fullPath: string }) => {
        const project = findProject(fullPath, seen, authors);
        return project && { ...project, mergeRequests: listPage(changes?.get(fullPath)) };
      },
    },
  });
}

function toGroup(seen: readonly unknown[]) {
  return { groupMembers: listPage(seen.map((user) => ({ user }))) };
}

/** Commit `a…` is by the owner of the project, `b…` by nobody's address, any other unknown. */
function findProject(
  fullPath: string,
  seen: readonly { readonly username: string }[],
  authors: GitlabDoubleOptions["authors"],
) {
  const owner = seen.find(({ username }) => fullPath === `${username}/app`);
  if (!owner) return null;
  const tree = ({ ref }: { ref: string }) => {
    const by = seen.find(({ username }) => username === authors?.get(ref));
    if (by) return { lastCommit: { sha: ref, author: by } };
    if (!/^[ab]/.test(ref)) return null;
    return { lastCommit: { sha: ref, author: ref.startsWith("a") ? owner : null } };
  };
  return { repository: { tree } };
}

function answerRest(
  path: string,
  people: readonly Person[],
  { isAdministrator = false }: GitlabDoubleOptions,
): readonly { readonly id: number }[] | undefined {
  if (path === "/users")
    return people.map((one) => (isAdministrator ? toWhole(one) : toBasic(one)));
  if (path === "/projects") return people.flatMap(toProjects);
  if (path === "/groups/acme%2Fcore/projects") return people.slice(0, 1).flatMap(toProjects);
  const number = /^\/users\/(\d+)\/projects$/.exec(path)?.[1];
  const person = people.find((one) => String(one.number) === number);
  return person && toProjects(person);
}

function toBasic({ number, username, name, state, avatarUrl, webUrl }: Person) {
  const urls = { avatar_url: avatarUrl, web_url: webUrl };
  return { id: number, username, name, state, locked: false, ...urls };
}

function toWhole(person: Person) {
  const { bio, location, organization, twitter, bot, email, pronouns } = person;
  return {
    ...toBasic(person),
    ...{ bio, location, organization, twitter, bot, email, pronouns, followers: 3, following: 0 },
    ...{ public_email: person.publicEmail, job_title: person.jobTitle, created_at: instant },
    ...{ website_url: "https://dev.example/", commit_email: person.commitEmail, linkedin: "" },
    ...{ confirmed_at: instant, private_profile: person.privateProfile, note: "secret note" },
    ...{ last_sign_in_at: instant, current_sign_in_ip: "192.0.2.77", identities: [] },
  };
}

function toProjects({ number, username }: Person) {
  return ["app", "secret-plans"].map((name, at) => {
    const url = `https://gitlab.corp.example/${username}/${name}`;
    return {
      ...{ id: number * 10 + at, path_with_namespace: `${username}/${name}`, web_url: url },
      ...{ http_url_to_repo: `${url}.git`, visibility: name === "app" ? "public" : "internal" },
      ...{ ssh_url_to_repo: `git@gitlab.corp.example:${username}/${name}.git`, topics: ["queue"] },
      ...{ star_count: 5, forks_count: 1, description: "An app.", last_activity_at: instant },
      ...{ owner: { id: number, username }, namespace: { id: 9000 + number, kind: "user" } },
      ...{ empty_repo: false, archived: false, creator_id: number },
    };
  });
}
