/** Reads the providers of single sign-on from the settings file. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { planNames } from "../contract/limits.ts";
import { addRule, Type } from "../contract/schema.ts";
import { readTable, readTables, refuseUnknownSettings } from "./read-tables.ts";

const text = (rule: string, pattern = "\\S") => addRule(rule, Type.String({ pattern }));
const file = text("the path of a file");
const plan = Type.Unsafe<(typeof planNames)[number]>({ enum: [...planNames] });
const domains = 'a list of e-mail domains, e.g. ["example.com"]';

const Provider = Type.Object({
  domains: addRule(
    domains,
    Type.Array(addRule(domains, Type.String({ pattern: "^[A-Za-z0-9.-]+$" })), { minItems: 1 }),
  ),
  administrators: Type.Optional(Type.Boolean()),
  id: text("small letters, digits and dashes", "^[a-z0-9][a-z0-9-]{0,39}$"),
  name: text("what people read on the button"),
  plan: Type.Optional(plan),
  planClaim: Type.Optional(text("a claim's name")),
  plans: Type.Optional(Type.Record(Type.String(), plan)),
});
const OidcProvider = Type.Object({
  issuer: text("an https address (or metadataFile, for SAML)", "^https?://\\S+$"),
  clientId: text("the client id that the provider gave"),
  clientSecretFile: file,
});
const SamlProvider = Type.Object({
  metadataFile: file,
  emailAttribute: Type.Optional(text("an attribute's name")),
});

/** @package @param file path of the settings file. Relative paths start from its folder. @throws Error that names the entry. */
export function readProviders(value: unknown, file: string): readonly IdentityProvider[] {
  return readTables("signIn.providers", value, (table) => {
    refuseUnknownSettings([Provider, OidcProvider, SamlProvider], table);
    const { plan = "free", plans = {}, ...given } = readTable(Provider, table);
    const { id, name, domains, administrators = false, planClaim } = given;
    return {
      ...{ id, name, administrators, plan, planClaim, plans },
      domains: domains.map((one) => one.toLowerCase()),
      protocol: readProtocol(table, dirname(file)),
    };
  });
}

function readProtocol(
  table: Record<string, unknown>,
  folder: string,
): IdentityProvider["protocol"] {
  if (table["metadataFile"] === undefined) {
    const { issuer, clientId, clientSecretFile } = readTable(OidcProvider, table);
    const clientSecret = readNamedFile("clientSecretFile", clientSecretFile, folder);
    return { kind: "oidc", issuer, clientId, clientSecret };
  }
  const { metadataFile, emailAttribute } = readTable(SamlProvider, table);
  const metadata = readNamedFile("metadataFile", metadataFile, folder);
  return { kind: "saml", metadata, ...(emailAttribute === undefined ? {} : { emailAttribute }) };
}

function readNamedFile(name: string, path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), "utf8").trim();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`${name} must be the path of a file that can be read (${reason})`);
  }
}
