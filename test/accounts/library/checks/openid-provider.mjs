/**
 * A process of its own: a certified OpenID provider on loopback. Its people need no password; who they are is read
 * anew each time from a JSON file of claims by name.
 */
import { readFileSync } from "node:fs";
import Provider from "oidc-provider";

const [port, redirectUri, file] = process.argv.slice(2);
const people = () => JSON.parse(readFileSync(file, "utf8"));
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "roster",
      client_secret: "secret-of-the-test-provider",
      redirect_uris: [redirectUri],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  conformIdTokenClaims: false,
  findAccount: async (_, sub) => ({
    accountId: sub,
    claims: async () => ({ sub, name: sub, email_verified: true, ...people()[sub] }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
