/**
 * Watches the system calls of the real program from its start through pages, sign-in, an assistant's way and tool
 * calls: whatever it connects or sends to must be on this machine.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pkce } from "../accounts/oauth/assistant.ts";
import { openOffice } from "../faults/office.ts";
import { freePort, startServer } from "../faults/server-process.ts";
import { openRpc } from "../interfaces/mcp/rpc.ts";
import { form, goodPassword, openPersonAt } from "../interfaces/web/person.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const strace = Bun.which("strace");
const newFolder = temporaryFolders();

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server | undefined;
let folder: string;
let calls: string;

beforeAll(async () => {
  if (!strace) return;
  folder = join(newFolder(), "data");
  calls = `${folder}.calls`;
  // `-D`: the program is the child, and strace goes when it goes.
  const watched = [strace, "-D", "-f", "-qq", "-e", "trace=socket,connect,sendto,sendmsg,sendmmsg"];
  server = await startServer(folder, await freePort(), [...watched, "-o", calls]);
}, 300_000);
afterAll(() => server?.kill());

/** Addresses of the internet's two families that a line names. */
const addressesIn = (line: string) =>
  [...line.matchAll(/inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/g)].map(
    ([, four, six]) => four ?? six,
  );

const isHere = /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/;

const whenStrace = strace ? test : test.skip;
whenStrace(
  `calls nobody${strace ? "" : " (skipped: strace is not installed)"}`,
  async () => {
    const { address } = server as Server;
    const office = await openOffice(folder);
    const { token: link } = await office.accounts.makeLink("admin@localhost", "set-up");
    office.close();
    const { ask, send } = openPersonAt(address);
    const email = "boss@mail.example";
    await send(`/set-up?token=${link}`, "redeem", { email, password: goodPassword });
    await send("/sign-out", "sign-out");
    await send("/sign-in", "sign-in", { email, password: goodPassword });
    const pages = ["/", "/docs", "/account", "/account/api", "/admin/accounts", "/admin/audit"];
    for (const path of pages) await ask(path);

    const redirect = "https://assistant.example/callback";
    const { text } = await ask("/oauth2/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Assistant",
        client_uri: "https://assistant.example",
        logo_uri: "https://assistant.example/logo.png",
        jwks_uri: "https://assistant.example/jwks",
        redirect_uris: [redirect],
      }),
    });
    const client = (JSON.parse(text) as { client_id: string }).client_id;
    const { verifier, challenge } = pkce();
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: client, redirect_uri: redirect, state: "s" },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    });
    const asked = await ask(`/oauth2/authorize?${query}`);
    const consent = new URL(asked.headers.get("location") ?? "", address);
    const allowed = await send(consent.pathname + consent.search, "allow");
    const back = new URL((allowed.headers.get("refresh") ?? "").replace("0; url=", ""));
    const tokens = await ask("/oauth2/token", {
      ...form({
        ...{ grant_type: "authorization_code", client_id: client, redirect_uri: redirect },
        ...{ code: back.searchParams.get("code") ?? "", code_verifier: verifier },
      }),
    });
    const { access_token } = JSON.parse(tokens.text) as { access_token: string };
    const { call } = openRpc(fetch, access_token, address);
    expect(JSON.stringify(await call("get_developer", { login: "nobody" }))).toContain("not_found");
    await (server as Server).kill();

    const lines = readFileSync(calls, "utf8").split("\n");
    // It did watch: the server itself has a socket.
    expect(lines.some((line) => line.includes("socket(AF_INET"))).toBe(true);
    // Asking for a name's address is a call to elsewhere too, though the one asked may be this machine.
    const elsewhere = lines.filter(
      (line) => /htons\(53\)/.test(line) || addressesIn(line).some((to) => !isHere.test(to ?? "")),
    );
    expect(elsewhere).toEqual([]);
  },
  300_000,
);
