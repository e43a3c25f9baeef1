/** The protocol's own conformance suite for authorization servers, with the person's part played here. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openTestAppliance } from "../../appliance.ts";
import { freePort } from "../../faults/server-process.ts";
import { signedIn } from "../sign-in/browser.ts";

const checks = join(import.meta.dir, "../../interfaces/mcp/checks");
const command = join(checks, "node_modules/.bin/conformance");

describe.skipIf(!existsSync(command))("Conformance of the authorization server", () => {
  test("both scenarios, in one run", async () => {
    const roster = await openTestAppliance({ people: [] });
    const address = roster.listen();
    const ada = await signedIn(roster, "ada@example.com");
    const port = await freePort();
    const redirectUris = [`http://127.0.0.1:${port}/callback`];
    const { clientId } = await roster.modules.accounts.clients.register({
      name: "Suite",
      redirectUris,
    });
    const child = Bun.spawn(
      [
        ...[process.execPath, command, "authorization", "--url", address, "--client-id", clientId],
        ...["--resource", `${address}/mcp`, "-p", String(port)],
      ],
      { stdout: "pipe", stderr: "pipe" },
    );
    let said = "";
    const headers = { cookie: [...ada.jar].map((pair) => pair.join("=")).join("; ") };
    const listen = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder();
      let isSent = false;
      for await (const chunk of stream) {
        said += decoder.decode(chunk, { stream: true });
        const url = /http\S+\/oauth2\/authorize\?\S+(?=\s)/.exec(said)?.[0];
        if (!url || isSent) continue;
        isSent = true;
        const page = await fetch(url, { headers, redirect: "manual" });
        const consent = new URL(page.headers.get("location") ?? "");
        const request = new Request(consent.href, { headers });
        const { location } = await roster.signIn.decide(request, consent.search, true);
        await fetch(location);
      }
    };
    await Promise.all([listen(child.stdout), listen(child.stderr)]);
    const code = await child.exited;
    await roster.close();
    expect(said).toContain("authorization-server-metadata-endpoint");
    expect(said).toContain("authorization-code-grant");
    expect([code, said.match(/FAIL\w*/g)]).toEqual([0, null]);
  }, 300_000);
});
