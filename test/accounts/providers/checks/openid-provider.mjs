/** A process of its own: a certified OpenID provider on loopback, with two people who need no password. */
import Provider from "oidc-provider";

const [port, redirectUri] = process.argv.slice(2);
const people = {
  ada: { email: "Ada@example.com", groups: ["staff", "roster-pro"] },
  eve: { email: "admin@elsewhere.example", groups: [] },
  bob: { email: "bob@example.com", groups: ["staff"] },
};
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
    claims: async () => ({ sub, name: sub, email_verified: true, ...people[sub] }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
