/** Forges on loopback that answer what a probe asks, with invented people, in the forms of the forges' own answers. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { serveDouble } from "../forges/double.ts";

export const goodToken = "good-token-that-nobody-may-see";

/** The answer to a path with its query; undefined is 404. */
type Answer = (path: string, hasToken: boolean, origin: string) => Response | object | undefined;

interface ServedForge {
  /** The path of the API. */
  readonly at: string;
  /** The header of the token, and what precedes the token in it. */
  readonly header?: readonly [name: string, start: string];
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

function serveForge({ at, header, tls }: ServedForge, answer: Answer) {
  const [name, start] = header ?? ["authorization", "Bearer "];
  return serveDouble((request) => {
    const { pathname, search, origin } = new URL(request.url);
    const given = request.headers.get(name);
    if (!pathname.startsWith(at)) return new Response("<html>404</html>", { status: 404 });
    if (given !== null && given !== start + goodToken) return refuse(401, "Bad credentials");
    const path = pathname.slice(at.length) + search;
    const found = answer(path, given !== null, origin) ?? refuse(404, "Not Found");
    return found instanceof Response ? found : Response.json(found);
  }, tls);
}

const refuse = (status: number, message: string, more: object = {}) =>
  Response.json({ message, ...more }, { status });
/** A page of a list that has another. @param more headers. */
const page = (items: object, more: Record<string, string>) =>
  Response.json(items, { headers: { link: '</next?page=2>; rel="next"', ...more } });
const listOf = (count: number, item: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => item(at));

/** A Gitea or Forgejo below a path, which may answer only those who have a token. */
export function serveGiteaAt(base: string, { version = "1.27.1", isClosed = false } = {}) {
  const dev = (at: number) => ({ login: `dev${at}`, visibility: at === 0 ? "limited" : "public" });
  return serveForge({ at: `${base}/api/v1/` }, (path, hasToken) => {
    if (isClosed && !hasToken) return refuse(403, "Only signed in user is allowed to call APIs.");
    if (path === "settings/api") return { max_response_items: 50, default_paging_num: 30 };
    if (path === "version") return { version };
    if (path === "user") return { id: 1, login: "ada" };
    if (path.startsWith("users/search")) {
      return page({ ok: true, data: listOf(50, dev) }, { "x-total-count": "412" });
    }
    if (!path.startsWith("repos/search")) return undefined;
    return { ok: true, data: [{ id: 1, full_name: "acme/queue", private: false }] };
  });
}

/** A GitHub with the organization acme, and the person ada: by default a GHES, which states no limits. */
export function serveGithubProbe({
  at = "/api/v3/",
  isClosed = false,
  ...github
}: Partial<ServedForge> & { readonly isClosed?: boolean; readonly limit?: string } = {}) {
  const installed = at === "/" ? {} : { installed_version: "3.19.2" };
  const limit: Record<string, string> = github.limit ? { "x-ratelimit-limit": github.limit } : {};
  const app = (index: number) => ({ full_name: `acme/app${index}`, private: index === 4 });
  const answers: Record<string, (origin: string) => Response | object> = {
    meta: () => ({ verifiable_password_authentication: true, ...installed }),
    user: () => Response.json({ id: 1, login: "acme-bot" }, { headers: limit }),
    "user/orgs": () => [{ id: 9, login: "acme" }],
    "orgs/acme": () => ({ id: 9, login: "acme", type: "Organization", public_repos: 48 }),
    "orgs/acme/members": (origin) => {
      const list = `${origin}/organizations/9/members?per_page=1&page=`;
      const link = `<${list}2>; rel="next", <${list}312>; rel="last"`;
      return page([{ id: 1, login: "ada" }], { link });
    },
    "orgs/acme/repos": () => page(listOf(5, app), {}),
    "users/ada": () => ({ id: 1, login: "ada", type: "User", public_repos: 3 }),
    "users/ada/repos": () => [{ full_name: "ada/app", private: false }],
  };
  return serveForge({ ...github, at }, (path, hasToken, origin) => {
    const documentation_url = "https://docs.github.com/enterprise-server@3.19/rest";
    return isClosed && !hasToken
      ? refuse(401, "Must authenticate to access this API.", { documentation_url })
      : answers[path.replace(/\?.*/, "")]?.(origin);
  });
}

/** A GitLab with the group acme/core, and the person ada. */
export function serveGitlabProbe() {
  const projects = () => [{ path_with_namespace: "acme/core/queue", visibility: "public" }];
  const open: Record<string, () => Response | object> = {
    projects,
    "groups/acme%2Fcore": () => ({ id: 3, full_path: "acme/core" }),
    "groups/acme%2Fcore/projects": projects,
  };
  const withToken: Record<string, () => Response | object> = {
    version: () => ({ version: "18.6.1-ee", revision: "0123abc" }),
    user: () => ({ id: 1, username: "ada" }),
    users: () => page([{ id: 1 }], { "x-total": "1250" }),
    "groups/acme%2Fcore/members/all": () => page([{ id: 1 }], { "x-total": "14" }),
    "users/1/projects": projects,
  };
  const header = ["private-token", ""] as const;
  return serveForge({ at: "/api/v4/", header }, (path, hasToken) => {
    const [plain = "", query = ""] = path.split("?");
    if (open[plain]) return open[plain]();
    if (!hasToken) return refuse(401, "401 Unauthorized");
    if (query.startsWith("username=")) return query.endsWith("=ada") ? [{ id: 1 }] : [];
    return withToken[plain]?.();
  });
}

/** A proxy that leads every tunnel to one server. */
export async function serveProxyTo(url: string) {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const onward = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The hosts of the tunnels. */
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
