/**
 * `bun serve-forges.ts FOLDER REPOSITORIES`: forges at the addresses that documents name, by https, for a machine of its own. Gitea's
 * answers are those that were recorded; GitHub's fit the vendor's descriptions. Git itself serves the repositories. The authority that
 * vouches for all is FOLDER/ca.pem.
 */
import { serveRecordedGitea } from "../../ingest/forges/gitea-double.ts";
import { serveGithub } from "../../ingest/forges/github-double.ts";
import { makeAuthority } from "../../ingest/forges/tls.ts";
import { answerGit } from "../../ingest/mirrors/serve-git.ts";

const forges: Record<string, string> = {
  "git.corp.example": serveRecordedGitea("administrator").url,
  "api.github.com": serveGithub({ people: 8 }).url,
};
const [folder = ".", repositories = "."] = process.argv.slice(2);
const { tls } = makeAuthority(folder, Object.keys(forges));

/** Ends TLS, as a proxy before a forge does; the forge says `https` of itself. */
Bun.serve({
  ...{ hostname: "127.0.0.1", port: 443, tls },
  async fetch(request) {
    const { host, pathname, search } = new URL(request.url);
    if (/\/(info\/refs|git-upload-pack)$/.test(pathname)) return answerGit(repositories, request);
    const asked = await fetch(`${forges[host]}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(request.body && { body: await request.bytes() }),
    });
    const sayHttps = (text: string) => text.replaceAll(`http://${host}`, `https://${host}`);
    const headers = JSON.parse(sayHttps(JSON.stringify(asked.headers)));
    delete headers["content-length"];
    return new Response(sayHttps(await asked.text()), { status: asked.status, headers });
  },
});
process.stdout.write("the forges are there\n");
