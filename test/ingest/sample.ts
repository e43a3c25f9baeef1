import type { Facts } from "../../src/contract/people/facts.ts";
import type { Judge } from "../../src/ingest/judge.ts";
import { invented } from "../pool/invented.ts";

/** The smallest facts that the schema takes. */
export function factsOf(login: string, profile: Facts["profile"] = {}): Facts {
  return { login, source: "test", profile, emails: [], repositories: [], evidence: [] };
}

export const lineOf = (login: string, profile?: Facts["profile"]) =>
  `${JSON.stringify(factsOf(login, profile))}\n`;

/** These tests are about getting facts in, not about what is made of them. */
export const plainJudge: Judge = (facts) => ({
  ...invented({ login: facts.login, source: facts.source }),
  facts,
});
