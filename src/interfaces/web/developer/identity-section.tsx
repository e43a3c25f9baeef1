/** Who was joined into this person, and why. Addresses that the person does not publish are for administrators. */
import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { FactList } from "../look/parts.tsx";
import type { SignedInRequest } from "../page.ts";

interface IdentityProperties {
  readonly ask: SignedInRequest;
  readonly analysis: ProfileAnalysis;
  readonly facts: Facts | undefined;
}

export function IdentityFacts({ ask, analysis, facts }: IdentityProperties) {
  const { login, derivedLogin } = analysis.profile;
  const { accounts = [], formerLogins = [], emails = [] } = facts ?? {};
  const { administrator } = ask.visitor.account;
  const hidden = emails.filter(({ published }) => !published).length;
  const path = `/developers/${encodeURIComponent(login)}/identity`;
  return (
    <section class="card" id="identity" aria-labelledby="identity-title">
      <h2 id="identity-title">Who this is</h2>
      <FactList
        facts={[
          ["Login", derivedLogin ? `${login}, made from the e-mail: no account is known` : login],
          accounts.length === 0
            ? undefined
            : ["Accounts", accounts.map((one) => `${one.forge}/${one.login}`).join(", ")],
          formerLogins.length === 0 ? undefined : ["Also found by", formerLogins.join(", ")],
          hidden === 0
            ? undefined
            : ["Addresses", `${hidden} more from commits and lists, which are not published`],
        ]}
      />
      {administrator && (
        <p>
          <a href={path}>Which author identities were joined, and why</a>
        </p>
      )}
    </section>
  );
}
