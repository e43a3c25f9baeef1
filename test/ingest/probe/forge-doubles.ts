/** Forges on loopback that answer what a probe asks, with invented people, in the forms of the forges' own answers. */
import { serveDouble } from "../forges/double.ts";

/** The answer to a path with its query; undefined is 404. */
type Answer = (path: string, request: Request) => Response | object | undefined;

const goodToken = "good-token-that-nobody-may-see";

export { goodToken };

/** @param at where the API is. @param isAllowed whether a request has a good token, or none. */
function serveForge(at: string, isAllowed: (headers: Headers) => boolean, answer: Answer) {
  return serveDouble((request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(at)) return new Response("<html>404</html>", { status: 404 });
    if (!isAllowed(request.headers)) return Response.json({ message: "wrong" }, { status: 401 });
    const found = answer(pathname.slice(at.length) + search, request);
    if (found instanceof Response) return found;
    return found ? Response.json(found) : Response.json({ message: "Not Found" }, { status: 404 });
  });
}

const isBearer = ({ authorization }: { readonly authorization: string | null }) =>
  authorization === null || authorization === `Bearer ${goodToken}`;
const readBearer = (headers: Headers) => ({ authorization: headers.get("authorization") });
const listOf = (count: number, item: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => item(at));

/** A Gitea or Forgejo below a path, which may answer only those who have a token. */
export function serveGiteaAt(
  base: string,
  { version = "1.27.1", isClosed = false }: { version?: string; isClosed?: boolean } = {},
) {
  const users = listOf(50, (at) => ({
    id: at + 1,
    login: `dev${at}`,
    visibility: at ? "public" : "limited",
  }));
  const queue = { id: 1, full_name: "acme/queue", private: false };
  const total = { headers: { "x-total-count": "412", link: '</x?page=2>; rel="next"' } };
  return serveForge(
    `${base}/api/v1/`,
    (headers) => isBearer(readBearer(headers)),
    (path, request) => {
      if (isClosed && !request.headers.has("authorization")) {
        const message = "Only signed in user is allowed to call APIs.";
        return Response.json({ message }, { status: 403 });
      }
      if (path === "settings/api") return { max_response_items: 50, default_paging_num: 30 };
      if (path === "version") return { version };
      if (path === "user") return { id: 1, login: "ada" };
      if (path.startsWith("users/search")) return Response.json({ ok: true, data: users }, total);
      if (path.startsWith("repos/search")) return { ok: true, data: [queue] };
      return undefined;
    },
  );
}

export interface GithubAtOptions {
  readonly isClosed?: boolean;
  /** A GHES states no limits by default. */
  readonly limit?: string;
}

/** A GitHub Enterprise Server with the organization acme, and the person ada. */
export function serveGithubProbe({ isClosed = false, limit }: GithubAtOptions = {}) {
  const headers = limit === undefined ? {} : { "x-ratelimit-limit": limit };
  return serveForge(
    "/api/v3/",
    (given) => isBearer(readBearer(given)),
    (path, request) => {
      if (isClosed && !request.headers.has("authorization")) {
        const documentation_url = "https://docs.github.com/enterprise-server@3.19/rest";
        const message = "Must authenticate to access this API.";
        return Response.json({ message, documentation_url }, { status: 401 });
      }
      const { origin } = new URL(request.url);
      if (path === "meta")
        return { verifiable_password_authentication: true, installed_version: "3.19.2" };
      if (path === "user") return Response.json({ id: 1, login: "acme-bot" }, { headers });
      if (path === "orgs/acme")
        return { id: 9, login: "acme", type: "Organization", public_repos: 48 };
      if (path === "users/ada") return { id: 1, login: "ada", type: "User", public_repos: 3 };
      if (path.startsWith("orgs/acme/members?per_page=1")) {
        const at = `${origin}/api/v3/organizations/9/members?per_page=1&page=`;
        const link = `<${at}2>; rel="next", <${at}312>; rel="last"`;
        return Response.json([{ id: 1, login: "ada" }], { headers: { link } });
      }
      if (path.startsWith("orgs/acme/repos")) {
        const repositories = listOf(5, (at) => ({ full_name: `acme/app${at}`, private: at === 4 }));
        return Response.json(repositories, {
          headers: { link: `<${origin}/x?page=2>; rel="next"` },
        });
      }
      if (path.startsWith("users/ada/repos")) return [{ full_name: "ada/app", private: false }];
      return undefined;
    },
  );
}

/** A GitLab with the group acme/core, and the person ada. */
export function serveGitlabProbe() {
  const isAllowed = (headers: Headers) => [null, goodToken].includes(headers.get("private-token"));
  const project = { id: 5, path_with_namespace: "acme/core/queue", visibility: "public" };
  return serveForge("/api/v4/", isAllowed, (path, request) => {
    const hasToken = request.headers.has("private-token");
    const next = { link: `<${request.url}&page=2>; rel="next"` };
    if (path.startsWith("groups/acme%2Fcore/projects")) return [project];
    if (path === "groups/acme%2Fcore?with_projects=false") return { id: 3, full_path: "acme/core" };
    if (path.startsWith("projects?")) return [project];
    if (!hasToken) return Response.json({ message: "401 Unauthorized" }, { status: 401 });
    if (path === "version") return { version: "18.6.1-ee", revision: "0123abc" };
    if (path === "user") return { id: 1, username: "ada" };
    if (path === "users?username=ada") return [{ id: 1, username: "ada" }];
    if (path.startsWith("users?username=")) return Response.json([]);
    if (path.startsWith("users?per_page=1&")) {
      return Response.json([{ id: 1 }], { headers: { ...next, "x-total": "1250" } });
    }
    if (path.startsWith("groups/acme%2Fcore/members/all")) {
      return Response.json([{ id: 1 }], { headers: { ...next, "x-total": "14" } });
    }
    if (path.startsWith("users/1/projects")) return [project];
    return undefined;
  });
}
