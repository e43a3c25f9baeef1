/**
 * Fills a Gitea with invented people, an organization, repositories with history, and private things that Roster must not
 * read.
 */
import { join } from "node:path";
import {
  type InventedCommit,
  inventRepository,
  run,
  temporaryFolder,
} from "../../test/ingest/git/invented-repository.ts";
import type { Gitea } from "./gitea-server.ts";

interface GiteaPerson {
  readonly login: string;
  readonly name?: string;
  readonly location?: string;
  readonly bio?: string;
  readonly website?: string;
  /** The address; by default the login at corp.example. */
  readonly email?: string;
  /** Public by default. */
  readonly visibility?: "limited" | "private";
  /** Whether the person commits with the forge's noreply address and publishes no other. */
  readonly hidesEmail?: boolean;
}

interface GiteaHistory {
  readonly owner: string;
  readonly name: string;
  readonly isPrivate?: boolean;
  readonly topics?: readonly string[];
  readonly commits: readonly InventedCommit[];
}

/**
 * The first three write code: one with a noreply address, one with the address of the profile, one with a second address
 * of the account.
 */
const giteaPeople: readonly GiteaPerson[] = [
  { login: "ada", name: "Ada Forge", location: "Berlin, Germany", bio: "Queues", hidesEmail: true },
  { login: "ben", name: "Ben Forge", location: "Berlin", website: "https://ben.example/" },
  { login: "cleo", name: "Cleo Forge", location: "Berlin" },
  { login: "dora", name: "Dora Forge", location: "Paris" },
  { login: "limited-lena", name: "Lena Limited", location: "Berlin", visibility: "limited" },
  { login: "private-petra", name: "Petra Private", location: "Berlin", visibility: "private" },
];
const giteaPassword = "invented-password-1";
/** Number of commits by each of the three in `acme/queue`. */
export const commitsOfEach = 12;

/** @returns a token of `dora`, an ordinary user, with the fewest rights that suffice. */
export async function seedGitea(gitea: Gitea): Promise<{ readonly token: string }> {
  for (const person of giteaPeople) await addGiteaPerson(gitea, person);
  const emails = ["cleo@home.example"];
  await gitea.call("POST", "/user/emails", { emails }, { login: "cleo" });
  await addOrganization(gitea);
  for (const history of await inventHistories(gitea)) await addRepository(gitea, history);
  await gitea.call("PUT", "/user/starred/acme/queue", undefined, { login: "dora" });
  await gitea.call("PUT", "/user/following/ada", undefined, { login: "dora" });
  const rights = ["read:user", "read:organization", "read:repository"];
  return { token: gitea.makeToken("dora", rights) };
}

export async function addGiteaPerson(gitea: Gitea, person: GiteaPerson): Promise<void> {
  const { login, name = login, location, bio, website, visibility = "public" } = person;
  const { email = `${login}@corp.example` } = person;
  await gitea.call("POST", "/admin/users", {
    username: login,
    full_name: name,
    email,
    password: giteaPassword,
    must_change_password: false,
    visibility,
  });
  await gitea.call(
    "PATCH",
    "/user/settings",
    {
      ...(location && { location }),
      ...(bio && { description: bio }),
      ...(website && { website }),
      hide_email: person.hidesEmail === true,
    },
    { login },
  );
}

/** Adds people of whom only a profession and a place are known: `person000@corp.example` and so on. */
export async function addGiteaCrowd(gitea: Gitea, count: number): Promise<void> {
  const cities = ["Berlin", "Hamburg", "Paris", "Lisbon"];
  const waiting = Array.from({ length: count }, (_, at) => at);
  const work = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const login = `person${String(at).padStart(3, "0")}`;
      await gitea.call("POST", "/admin/users", {
        username: login,
        full_name: `Person ${at}`,
        email: `${login}@corp.example`,
        password: giteaPassword,
        must_change_password: false,
      });
      await gitea.call("PATCH", `/admin/users/${login}`, {
        source_id: 0,
        login_name: login,
        location: cities[at % cities.length],
        description: "Backend engineer",
      });
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

/** Makes the repository and pushes its history, as its owner would. */
export async function addRepository(gitea: Gitea, history: GiteaHistory): Promise<void> {
  const { owner, name, isPrivate = false, topics = [], commits } = history;
  const path = owner === "acme" ? `/orgs/${owner}/repos` : `/admin/users/${owner}/repos`;
  const settings = { name, private: isPrivate, default_branch: "main", description: `${name}.` };
  await gitea.call("POST", path, settings);
  const folder = temporaryFolder();
  try {
    const local = inventRepository(join(folder.path, `${name}.git`), commits);
    const remote = `${gitea.url.replace("://", `://root1:${gitea.token}@`)}/${owner}/${name}.git`;
    run(local, ["push", "--quiet", remote, "main"]);
  } finally {
    folder.remove();
  }
  await waitUntilRead(gitea, `/repos/${owner}/${name}`);
  if (topics.length > 0) {
    await gitea.call("PUT", `/repos/${owner}/${name}/topics`, { topics });
  }
}

/** Waits until Gitea has processed the push, which it does in the background. */
async function waitUntilRead(gitea: Gitea, repository: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { empty } = await gitea.call<{ empty: boolean }>("GET", repository);
    if (!empty) return;
    await Bun.sleep(50);
  }
  throw new Error(`Gitea never read what was pushed to ${repository}.`);
}

/** One change of ada: cleo approves it, ben asks for changes, and dora remarks something. */
export function addReviewedChange(gitea: Gitea): Promise<number> {
  return addGiteaChange(gitea, "queue/step0.go", [
    ["cleo", "APPROVED"],
    ["ben", "REQUEST_CHANGES"],
    ["dora", "COMMENT"],
  ]);
}

/**
 * Has a file of `acme/queue` changed on a branch of its own, and ada ask for a merge, which the others review.
 * @param reviews by login, in order: APPROVED, REQUEST_CHANGES or COMMENT.
 * @returns the number of the change.
 */
async function addGiteaChange(
  gitea: Gitea,
  path: string,
  reviews: readonly (readonly [login: string, event: string])[],
): Promise<number> {
  const queue = "/repos/acme/queue";
  await gitea.call("PUT", `${queue}/collaborators/ada`, { permission: "write" });
  const { sha } = await gitea.call<{ sha: string }>("GET", `${queue}/contents/${path}`);
  const branch = `change-${sha.slice(0, 8)}`;
  const file = { sha, branch: "main", new_branch: branch, message: "Wait less" };
  const content = Buffer.from("package queue\n").toString("base64");
  await gitea.call("PUT", `${queue}/contents/${path}`, { ...file, content });
  const asked = { head: branch, base: "main", title: "A title that nobody keeps" };
  const { number } = await gitea.call<{ number: number }>("POST", `${queue}/pulls`, asked, {
    login: "ada",
  });
  for (const [login, event] of reviews) {
    const review = { event, body: "A remark that nobody keeps" };
    await gitea.call("POST", `${queue}/pulls/${number}/reviews`, review, { login });
  }
  return number;
}

async function addOrganization(gitea: Gitea): Promise<void> {
  await gitea.call("POST", "/orgs", { username: "acme", visibility: "public" });
  const { id } = await gitea.call<{ id: number }>("POST", "/orgs/acme/teams", {
    name: "core",
    permission: "write",
    units: ["repo.code"],
  });
  for (const login of ["ada", "ben", "cleo"]) {
    await gitea.call("PUT", `/teams/${id}/members/${login}`);
    await gitea.call("PUT", `/orgs/acme/public_members/${login}`, undefined, { login });
  }
}

async function inventHistories(gitea: Gitea): Promise<GiteaHistory[]> {
  const { id } = await gitea.call<{ id: number }>("GET", "/users/ada");
  const ada = `Ada Forge <${id}+ada@${gitea.noreplyHost}>`;
  return [
    { owner: "acme", name: "queue", topics: ["go", "queue"], commits: inventQueue(ada) },
    {
      owner: "ada",
      name: "private-plans",
      isPrivate: true,
      commits: [{ author: ada, files: { "plans.md": "Nobody may read this.\n" } }],
    },
  ];
}

/** Invents the history of `acme/queue`, always with the same bytes. */
export function inventQueue(ada: string): readonly InventedCommit[] {
  const authors = [ada, "Ben Forge <ben@corp.example>", "Cleo Forge <cleo@home.example>"];
  return Array.from({ length: commitsOfEach * authors.length }, (_, at) => ({
    author: authors[at % authors.length] as string,
    message: `feat(queue): step ${at}, because work waited`,
    files: {
      [`queue/step${at}.go`]: `package queue\n\nfunc Step${at}() int { return ${at} }\n`,
    },
  }));
}
