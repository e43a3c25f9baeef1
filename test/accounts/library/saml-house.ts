/** An appliance whose people may sign in at a SAML provider, "Corporate login": samlify's, with a key made here. */
import type { IdentityProvider } from "../../../src/contract/identity-provider.ts";
import { openTestAppliance } from "../../appliance.ts";
import { openSamlProvider } from "./saml-provider.mjs";
import { newSigningKey } from "./self-signed.ts";

export const address = "http://127.0.0.1:7171";
export const entityId = "https://idp.example.com";
export const key = newSigningKey();
const idp = openSamlProvider({ entityId, ...key });

/** What the browser posts. */
export interface SamlForm {
  readonly acs: string;
  readonly SAMLResponse: string;
  readonly RelayState: string;
}

export const decode = ({ SAMLResponse }: SamlForm) =>
  Buffer.from(SAMLResponse, "base64").toString();
export const encode = (form: SamlForm, xml: string): SamlForm => ({
  ...form,
  SAMLResponse: Buffer.from(xml).toString("base64"),
});

/** @param emailAttribute that the operator named. */
export async function openSamlHouse(emailAttribute?: string) {
  const house: IdentityProvider = {
    ...{ id: "corp", name: "Corporate login", domains: ["example.com"], plan: "free" },
    ...{ administrators: false, planClaim: "groups", plans: { "roster-pro": "pro" } },
    protocol: { kind: "saml", metadata: idp.metadata, ...(emailAttribute && { emailAttribute }) },
  };
  const roster = await openTestAppliance({
    ...{ people: [], now: new Date().toISOString() },
    config: {
      publicUrl: address,
      signIn: { signUp: "invitation", assistantsRegister: true, providers: [house] },
    },
  });
  const described = new Request(`${address}/sso/saml2/sp/metadata?providerId=corp`);
  const metadata = await (await roster.handle(described)).text();
  return {
    roster,
    /** Starts a sign-in. @returns the provider's answer about this person. */
    obtain: async (
      email: string,
      {
        changes = {},
        from = idp,
      }: { changes?: Readonly<Record<string, string>>; from?: typeof idp } = {},
    ): Promise<SamlForm> => {
      const { location } = await roster.signIn.startProvider("corp", "/account");
      return from.answer(location, metadata, { email, group: "roster-pro" }, changes);
    },
    /** @returns the account that is signed in by it, and where the browser is sent. */
    post: async ({ acs, ...fields }: SamlForm) => {
      // Another site's form: the browser sends no cookie along.
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: entityId };
      const body = new URLSearchParams(fields).toString();
      const response = await roster.handle(new Request(acs, { method: "POST", headers, body }));
      const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
      const request = new Request(address, { headers: { cookie: cookies.join("; ") } });
      const visitor = await roster.signIn.visitor(request);
      return { status: response.status, visitor, at: response.headers.get("location") ?? "" };
    },
  };
}
