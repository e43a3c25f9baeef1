/**
 * Providers of single sign-on: tables in the settings file, since each has several values. Secrets and metadata
 * are named by file, as elsewhere.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { IdentityProvider } from "../contract/identity-provider.ts";
import { planNames } from "../contract/limits.ts";
import { findNearest } from "../contract/nearest.ts";

const known = [
  ...["id", "name", "domains", "administrators", "plan", "planClaim", "plans"],
  ...["issuer", "clientId", "clientSecretFile", "metadataFile", "emailAttribute"],
];

/** @package @param file for messages, and what its relative paths start from. @throws Error naming the entry. */
export function readProviders(value: unknown, file: string): readonly IdentityProvider[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new Error("signIn.providers must be written as [[signIn.providers]]");
  const providers = value.map((table, index) => readProvider(table, index + 1, file));
  const ids = new Set<string>();
  for (const { id } of providers) {
    if (ids.has(id)) throw new Error(`signIn.providers has the id "${id}" twice`);
    ids.add(id);
  }
  return providers;
}

function readProvider(value: unknown, place: number, file: string): IdentityProvider {
  const table = value as Record<string, unknown>;
  const fault = (name: string, rule: string) =>
    new Error(`signIn.providers, entry ${place}: ${name} must be ${rule}`);
  for (const name of Object.keys(table)) {
    if (known.includes(name)) continue;
    const meant = findNearest(name, known);
    const hint = meant ? `; did you mean "${meant}"?` : "";
    throw new Error(`signIn.providers, entry ${place}: unknown setting "${name}"${hint}`);
  }
  const text = (name: string, rule: string, form = /\S/): string => {
    const given = table[name];
    if (typeof given === "string" && form.test(given)) return given;
    throw fault(name, rule);
  };
  const contents = (name: string): string => {
    const path = resolve(dirname(file), text(name, "the path of a file"));
    try {
      return readFileSync(path, "utf8").trim();
    } catch (error) {
      throw fault(name, `the path of a file that can be read (${(error as Error).message})`);
    }
  };
  const plan = (given: unknown, name: string): IdentityProvider["plan"] => {
    const found = planNames.find((one) => one === given);
    if (found) return found;
    throw fault(name, `one of ${planNames.join(", ")}`);
  };
  const domains = table["domains"];
  const isDomain = (one: unknown) => typeof one === "string" && /^[a-z0-9.-]+$/i.test(one);
  if (!Array.isArray(domains) || domains.length === 0 || !domains.every(isDomain)) {
    throw fault("domains", 'a list of e-mail domains, e.g. ["example.com"]');
  }
  const { administrators = false } = table;
  if (typeof administrators !== "boolean") throw fault("administrators", "true or false");
  const plans = Object.entries((table["plans"] ?? {}) as Record<string, unknown>);
  return {
    id: text("id", "small letters, digits and dashes", /^[a-z0-9][a-z0-9-]{0,39}$/),
    name: text("name", "what people read on the button"),
    domains: domains.map((one) => String(one).toLowerCase()),
    administrators,
    plan: table["plan"] === undefined ? "free" : plan(table["plan"], "plan"),
    planClaim: table["planClaim"] === undefined ? undefined : text("planClaim", "a claim's name"),
    plans: Object.fromEntries(plans.map(([group, of]) => [group, plan(of, `plans.${group}`)])),
    protocol:
      table["metadataFile"] === undefined
        ? {
            kind: "oidc",
            issuer: text(
              "issuer",
              "an https address (or metadataFile, for SAML)",
              /^https?:\/\/\S+$/,
            ),
            clientId: text("clientId", "the client id that the provider gave"),
            clientSecret: contents("clientSecretFile"),
          }
        : {
            kind: "saml",
            metadata: contents("metadataFile"),
            ...(table["emailAttribute"] === undefined
              ? {}
              : { emailAttribute: text("emailAttribute", "an attribute's name") }),
          },
  };
}
