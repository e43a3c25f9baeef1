/** The push hooks of a real Gitea, set up by its API with the fields of the page in docs/sources.md. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endServersAfterEach } from "../faults/server-process.ts";
import { hasGitea, openGitea, type SeededGitea } from "../ingest/forges/gitea/real-gitea.ts";
import { newSecret } from "./deliveries.ts";
import { openHookDesk } from "./hook-desk.ts";
import { serveHook, waitUntil } from "./serve-hook.ts";

let gitea: SeededGitea;
beforeAll(async () => {
  if (hasGitea) gitea = await openGitea();
});
afterAll(() => gitea?.stop());

endServersAfterEach();
setDefaultTimeout(120_000);

const secret = newSecret();
let files = 0;

/** @returns the statuses that Roster has answered, in order. */
function openServer() {
  const desk = openHookDesk({ forge: secret }, ["acme/queue"]);
  const statuses: number[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const response = await desk.fetch(request);
      statuses.push(response.status);
      return response;
    },
  });
  const url = `http://127.0.0.1:${server.port}/hooks/forge`;
  const waitFor = async (count: number) => {
    for (const end = Date.now() + 20_000; statuses.length < count && Date.now() < end; )
      await Bun.sleep(50);
    return statuses;
  };
  return { ...desk, url, waitFor, close: () => server.stop(true) };
}

const makeHook = (config: Record<string, string>) =>
  gitea.call<{ id: number }>("POST", "/repos/acme/queue/hooks", {
    type: "gitea",
    active: true,
    events: ["push"],
    config,
  });
const removeHook = (id: number) => gitea.call("DELETE", `/repos/acme/queue/hooks/${id}`);
/** Gitea tells its hooks of a file that its API adds as of a push. */
const pushFile = (author?: { readonly name: string; readonly email: string }) =>
  gitea.call("POST", `/repos/acme/queue/contents/file-${++files}.md`, {
    content: btoa("More words\n"),
    message: "Add words",
    ...(author && { author }),
  });

test.skipIf(!hasGitea).each(["json", "form"])("a push is told as %s, once", async (type) => {
  const { url, asked, waitFor, close } = openServer();
  const { id } = await makeHook({ url, content_type: type, secret });
  await pushFile();
  expect(await waitFor(1)).toEqual([202]);
  expect(asked).toEqual(["forge acme/queue"]);
  await pushFile();
  expect(await waitFor(2)).toEqual([202, 202]);
  await gitea.call("POST", `/repos/acme/queue/hooks/${id}/tests`);
  expect((await waitFor(3))[2]).toBe(202);
  await removeHook(id);
  await close();
});

test.skipIf(!hasGitea)("a hook with another secret is refused", async () => {
  const { url, asked, waitFor, close } = openServer();
  const { id } = await makeHook({ url, content_type: "json", secret: newSecret() });
  await pushFile();
  expect(await waitFor(1)).toEqual([401]);
  expect(asked).toEqual([]);
  await removeHook(id);
  await close();
});

test.skipIf(!hasGitea)("a push to Gitea is found within ten seconds", async () => {
  const tokenFile = join(gitea.folder, "token");
  writeFileSync(tokenFile, gitea.ordinaryToken, { mode: 0o600 });
  const source = {
    kind: "gitea",
    url: gitea.url,
    tokenFile,
    select: ["org:acme"],
    mirror: "mirrors",
  };
  const { url, secret: own, isFound } = await serveHook(gitea.folder, "forge", source);
  await waitUntil(() => isFound("ada"));
  const { id } = await makeHook({ url, content_type: "json", secret: own });
  // Somebody whom only the commit names; the login is in the address.
  await pushFile({ name: "Eve Example", email: "9+eve@users.noreply.github.com" });
  expect(await waitUntil(() => isFound("eve"))).toBeLessThan(10);
  await removeHook(id);
});
