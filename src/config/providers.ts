/**
 * Providers of single sign-on: tables in the settings file, since each has several values. Secrets and metadata are
 * read from files that the tables name, as elsewhere.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describeUnknown, findNearest, findViolation } from "../contract/complaint.ts";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { planNames } from "../contract/limits.ts";
import { addRule, type Static, type TObject, Type } from "../contract/schema.ts";

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
const known = [Provider, OidcProvider, SamlProvider].flatMap(({ properties }) =>
  Object.keys(properties),
);

/** @package @param file for messages, and as the base of relative paths. @throws Error naming the entry. */
export function readProviders(value: unknown, file: string): readonly IdentityProvider[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new Error("signIn.providers must be written as [[signIn.providers]]");
  const providers = value.map((table, index) => {
    try {
      return readProvider(table, dirname(file));
    } catch (error) {
      const reason = (error as Error).message;
      throw new Error(`signIn.providers, entry ${index + 1}: ${reason}`);
    }
  });
  const ids = new Set<string>();
  for (const { id } of providers) {
    if (ids.has(id)) throw new Error(`signIn.providers has the id "${id}" twice`);
    ids.add(id);
  }
  return providers;
}

function readProvider(table: Record<string, unknown>, folder: string): IdentityProvider {
  for (const name of Object.keys(table)) {
    if (known.includes(name)) continue;
    throw new Error(describeUnknown("setting", name, findNearest(name, known)));
  }
  const { id, name, domains, administrators, plan, planClaim, plans } = read(Provider, table);
  return {
    ...{ id, name, administrators: administrators ?? false },
    domains: domains.map((one) => one.toLowerCase()),
    ...{ plan: plan ?? "free", planClaim, plans: plans ?? {} },
    protocol: readProtocol(table, folder),
  };
}

function readProtocol(
  table: Record<string, unknown>,
  folder: string,
): IdentityProvider["protocol"] {
  if (table["metadataFile"] === undefined) {
    const { issuer, clientId, clientSecretFile } = read(OidcProvider, table);
    const clientSecret = readNamedFile("clientSecretFile", clientSecretFile, folder);
    return { kind: "oidc", issuer, clientId, clientSecret };
  }
  const { metadataFile, emailAttribute } = read(SamlProvider, table);
  const metadata = readNamedFile("metadataFile", metadataFile, folder);
  return { kind: "saml", metadata, ...(emailAttribute === undefined ? {} : { emailAttribute }) };
}

/** Checks field by field, so that the first wrong one is named: a check of the whole names missing fields first. */
function read<Schema extends TObject>(schema: Schema, table: unknown): Static<Schema> {
  for (const [name, property] of Object.entries(schema.properties)) {
    const wrong = findViolation(Type.Object({ [name]: property }), table);
    if (wrong) throw new Error(`${wrong.field} must be ${wrong.rule}`);
  }
  return table as Static<Schema>;
}

function readNamedFile(name: string, path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), "utf8").trim();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`${name} must be the path of a file that can be read (${reason})`);
  }
}
