/**
 * A person connects an assistant, from the assistant's first call to the end of its access: discovery, registration,
 * sign-in and consent in a real browser, token, call, refresh, and the end on the assistants page.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { scopes } from "../../../../src/accounts/oauth/oauth.ts";
import { errorOf, hasBrowser, textOf } from "../../../browser.ts";
import { kinds, memory } from "../../../official-clients.ts";
import { openCallback } from "../assistant.ts";
import { openStage } from "../looks.ts";
import { goodPassword } from "../person.ts";

const { roster, address, open } = await openStage({ now: new Date().toISOString() });
const callback = openCallback();
afterAll(() => callback.close());

const inBrowser = test.skipIf(!hasBrowser);
const call = { name: "get_developer", arguments: { login: "ada-example" } };

/** Somebody with a password, whose browser is signed out. */
async function newHolder(email: string) {
  await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
  const { token } = await roster.modules.accounts.makeLink(email, "invitation");
  const from = { address: undefined, userAgent: undefined };
  await roster.signIn.redeem(token, { password: goodPassword }, from);
  const watched = await open();
  const signIn = async () => {
    await watched.tab.getByLabel("E-mail").fill(email);
    await watched.tab.getByLabel("Password").fill(goodPassword);
    await watched.tab.getByRole("button", { name: "Sign in" }).click();
  };
  return { ...watched, signIn };
}

for (const [name, kind] of Object.entries(kinds)) {
  describe(name, () => {
    inBrowser(
      "is connected, calls, refreshes, and is refused once it is disconnected",
      async () => {
        const holder = await newHolder(`${name.replaceAll(" ", ".")}@example.com`);
        const { tab, complaints } = holder;
        const server = `${address}/mcp`;
        const client = `Helper <i>"of"</i> ${name}`;
        const provider = memory(client, callback.address);
        expect(await errorOf(kind.open(server, provider))).toContain("Unauthorized");

        await tab.goto(String(provider.kept.sentTo));
        expect(new URL(tab.url()).pathname).toBe("/sign-in");
        await holder.signIn();
        await tab.waitForURL("**/consent?*");
        const words = await textOf(tab.locator("main"));
        expect(words).toContain(`Let ${client} use your account?`);
        expect(words).toContain("No one has verified this assistant");
        expect(words).toContain(new URL(callback.address).host);
        expect(await tab.getByRole("listitem").allTextContents()).toEqual(
          expect.arrayContaining([scopes.search, scopes.profile]),
        );
        await tab.getByRole("button", { name: "Allow" }).click();
        await tab.getByText("Connected.").waitFor();
        expect(await kind.finish(server, provider, await callback.came())).toBe("AUTHORIZED");

        const assistant = await kind.open(server, provider);
        const answer = await assistant.callTool(call);
        expect(answer.structuredContent).toMatchObject({ username: "ada-example" });
        expect(await kind.refresh(server, provider)).toBe("AUTHORIZED");
        expect((await assistant.callTool(call)).structuredContent).toBeDefined();

        await tab.goto("/account");
        const calls = tab.getByRole("region", { name: "Calls" });
        expect(await textOf(calls)).toContain("998 left of 1,000");
        await tab.goto("/account/assistants");
        expect(await textOf(tab.getByRole("heading", { level: 3 }))).toBe(client);
        await tab.getByText(`Disconnect ${client}`).click();
        await tab.getByRole("button", { name: "Disconnect" }).click();
        await tab.getByText("No assistant is connected yet.").waitFor();

        const { access_token: token } = provider.kept.tokens as unknown as Record<string, string>;
        const headers = { authorization: `Bearer ${token}` };
        expect((await fetch(server, { method: "POST", headers, body: "{}" })).status).toBe(401);
        expect(await errorOf(assistant.callTool(call))).not.toBe("");
        expect(await errorOf(kind.refresh(server, provider))).not.toBe("");
        await assistant.close();
        const others = complaints.filter((line) => !line.startsWith(`asked ${callback.address}`));
        expect(others).toEqual([]);
        await tab.context().close();
      },
    );
  });
}

describe("the consent page", () => {
  inBrowser("tells the assistant no, and asks anew each time", async () => {
    const [kind] = Object.values(kinds);
    if (!kind) throw new Error("there are no clients");
    const holder = await newHolder("careful@example.com");
    const { tab } = holder;
    const server = `${address}/mcp`;
    const provider = memory("Helper", callback.address);
    expect(await errorOf(kind.open(server, provider))).toContain("Unauthorized");
    await tab.goto(String(provider.kept.sentTo));
    await holder.signIn();
    for (const [button, error] of [
      ["Deny", "access_denied"],
      ["Allow", null],
      ["Allow", null],
    ] as const) {
      await tab.waitForURL("**/consent?*");
      await tab.getByRole("button", { name: button }).click();
      await tab.getByText("Connected.").waitFor();
      expect((await callback.came()).get("error")).toBe(error);
      await tab.goto(String(provider.kept.sentTo));
    }
    const { id } = (await roster.modules.accounts.find("careful@example.com")) ?? { id: "" };
    expect((await roster.signIn.assistants(id)).length).toBe(0);
    await tab.context().close();
  });

  inBrowser("shows nothing of a query that the authorization endpoint did not sign", async () => {
    const holder = await newHolder("doubting@example.com");
    const { tab } = holder;
    await tab.goto("/account");
    await holder.signIn();
    await tab.waitForURL(`${address}/account`);
    const forged = new URLSearchParams({ client_id: "x", sig: "y", scope: "search" });
    for (const query of ["", `?${forged}`]) {
      const page = await tab.goto(`/consent${query}`);
      expect(page?.status()).toBe(400);
      expect(await textOf(tab.locator("main"))).toContain("Connect the assistant again");
    }
    await tab.context().close();
  });
});
