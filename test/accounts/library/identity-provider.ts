/** An appliance whose people may sign in at a real OpenID provider, "House login", a process of its own. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IdentityProvider } from "../../../src/contract/identity-provider.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { freePort } from "../../faults/server-process.ts";

export const hasProvider = existsSync(join(import.meta.dir, "checks/node_modules/oidc-provider"));

export interface House {
  readonly roster: TestAppliance;
  /** Where the appliance listens. */
  readonly address: string;
  /** Changes what the provider says of its people, by login. */
  say(people: object): void;
  close(): Promise<void>;
}

/** @param slash at the end of the issuer as the appliance has it, which the provider's tokens do not have. */
export async function openHouse(people: object, slash: "" | "/" = ""): Promise<House> {
  const claims = mkdtempSync(join(tmpdir(), "roster-openid-"));
  const say = (said: object) => writeFileSync(join(claims, "people.json"), JSON.stringify(said));
  say(people);
  const [port, own] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${own}`;
  const provider = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, "checks/openid-provider.mjs"), String(port)],
      ...[`${address}/sso/callback/house`, join(claims, "people.json")],
    ],
    { stdout: "pipe", stderr: "ignore", stdin: "ignore" },
  );
  await provider.stdout.getReader().read();
  const house: IdentityProvider = {
    ...{ id: "house", name: "House login", domains: ["example.com"], plan: "free" },
    administrators: false,
    ...{ planClaim: "groups", plans: { "roster-pro": "pro", "roster-team": "enterprise" } },
    protocol: {
      kind: "oidc",
      issuer: `http://127.0.0.1:${port}${slash}`,
      clientId: "roster",
      clientSecret: "secret-of-the-test-provider",
    },
  };
  const roster = await openTestAppliance({
    ...{ people: [], folder: true, now: new Date().toISOString() },
    config: {
      publicUrl: address,
      port: own,
      signIn: { signUp: "invitation", assistantsRegister: true, providers: [house] },
    },
  });
  roster.listen();
  return {
    ...{ roster, address, say },
    close: async () => {
      provider.kill();
      await provider.exited;
      await roster.close();
      rmSync(claims, { recursive: true });
    },
  };
}
