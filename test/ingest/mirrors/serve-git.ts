/** Repositories over HTTP, by git's own server. */
import { type Double, serveDouble } from "../forges/double.ts";

/**
 * @param root the folder of the bare repositories.
 * @param authorization the header that callers must send; default: everybody may read.
 */
export function serveGit(
  root: string,
  authorization?: string,
  tls?: Parameters<typeof serveDouble>[1],
): Double {
  return serveDouble((request) => {
    if (authorization !== undefined && request.headers.get("authorization") !== authorization) {
      const headers = { "www-authenticate": 'Basic realm="git"' };
      return new Response("who are you", { status: 401, headers });
    }
    return answerGit(root, request);
  }, tls);
}

/** Answers one request as git's own server does. */
export async function answerGit(root: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const server = Bun.spawn(["git", "http-backend"], {
    env: {
      ...process.env,
      ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: pathname },
      ...{ REQUEST_METHOD: request.method, QUERY_STRING: search.slice(1) },
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
    },
    stdin: Buffer.from(await request.arrayBuffer()),
    stderr: "ignore",
  });
  const said = Buffer.from(await new Response(server.stdout).arrayBuffer());
  const end = said.indexOf("\r\n\r\n");
  const headers = new Headers();
  for (const line of said.subarray(0, end).toString().split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    headers.set(name, value);
  }
  const status = Number.parseInt(headers.get("status") ?? "200", 10);
  headers.delete("status");
  return new Response(said.subarray(end + 4), { status, headers });
}
