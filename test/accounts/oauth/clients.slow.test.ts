/**
 * The official clients, against a server that really listens: discovery, registration, authorization, consent,
 * token, call. The person's browser is followed redirect by redirect.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../appliance.ts";
import { type Kind, kinds, type Memory, memory } from "../../official-clients.ts";
import { signedIn } from "../sign-in/browser.ts";
import { consented, newClient, pkce, redeem, type Tokens } from "./assistant.ts";

const roster = await openTestAppliance();
const address = roster.listen();
const ada = await signedIn(roster, "ada@example.com");
afterAll(() => roster.close());

const redirectUrl = "http://127.0.0.1:43118/callback";
/** Another name of this machine than the one in the public address; people type both. */
const byName = () => `${address.replace("127.0.0.1", "localhost")}/mcp`;
const server = () => `${address}/mcp`;

/** Opens the assistant's address as the person, and consents. @returns what comes back to the assistant. */
async function inTheBrowser(url: URL): Promise<URLSearchParams> {
  const headers = { cookie: [...ada.jar].map((pair) => pair.join("=")).join("; ") };
  const page = await fetch(url, { headers, redirect: "manual" });
  const consent = new URL(page.headers.get("location") ?? "");
  expect(consent.href).toStartWith(`${address}/consent?`);
  const { location } = await roster.signIn.decide(
    new Request(consent.href, { headers }),
    consent.search,
    true,
  );
  expect(location).toStartWith(redirectUrl);
  return new URL(location).searchParams;
}

for (const [name, { open, finish }] of Object.entries(kinds)) {
  describe(name, () => {
    const connect = async (provider: Memory, at: string) => {
      await expect(open(at, provider)).rejects.toThrow("Unauthorized");
      const callback = await inTheBrowser(provider.kept.sentTo as URL);
      expect(await finish(at, provider, callback)).toBe("AUTHORIZED");
      return open(at, provider);
    };
    const get = { name: "get_developer", arguments: { login: "ada-example" } };

    // The client of 2025 refreshes its token first, which never grants more, and gives up.
    if (name === "the client of 2026")
      test("asks for more, by itself, when a tool needs more than was granted", async () => {
        const provider = memory("Official client", redirectUrl);
        await expect(open(server(), provider)).rejects.toThrow("Unauthorized");
        const first = provider.kept.sentTo as URL;
        first.searchParams.set("scope", "search offline_access");
        await finish(server(), provider, await inTheBrowser(first));
        const client = await open(server(), provider);
        await expect(client.callTool(get)).rejects.toThrow();
        const next = provider.kept.sentTo as URL;
        expect(next.searchParams.get("scope")?.split(" ").sort()).toEqual([
          ...["offline_access", "profile", "search"],
        ]);
        await finish(server(), provider, await inTheBrowser(next));
        expect((await client.callTool(get)).structuredContent).toMatchObject({
          username: "ada-example",
        });
        await client.close();
      });

    test("goes the whole way to each form of the address: discovery, consent, token, call", async () => {
      for (const at of [`${server()}?detail=slim`, `${server()}/`, byName()]) {
        const client = await connect(memory("Official client", redirectUrl), at);
        expect((await client.callTool(get)).structuredContent).toMatchObject({
          username: "ada-example",
        });
        await client.close();
      }
    });
  });
}

test("an assistant that was granted searching alone may search, and nothing else", async () => {
  const bob = await signedIn(roster, "bob@example.com");
  const clientId = await newClient(roster);
  const proof = pkce();
  const changes = { scope: "search", resource: server() };
  const callback = await consented(roster, bob, clientId, proof, changes);
  const response = await redeem(roster, clientId, callback, proof, { resource: server() });
  const { access_token: token } = (await response.json()) as Tokens;
  const [{ open }] = Object.values(kinds) as [Kind];
  const client = await open(server(), { key: token });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "search_developers",
    "lookup_terms",
    "find_people",
    "who_knows",
  ]);
  const call = client.callTool({ name: "get_developer", arguments: { login: "ada-example" } });
  await expect(call).rejects.toThrow("was not granted");
  const found = await client.callTool({
    name: "search_developers",
    arguments: { location: "Berlin" },
  });
  expect(found.isError ?? false).toBe(false);
  const [assistant] = await roster.signIn.assistants(
    (await roster.modules.accounts.find("bob@example.com"))?.id ?? "",
  );
  expect(assistant?.lastUsedAt).toBeDefined();
  await client.close();
});
