/** Who was joined into this person, and why. Addresses that the person does not publish are for administrators. */
import { FactList, Panel } from "../look/parts.tsx";
import { formatDeveloperPath } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import type { DeveloperProperties } from "./developer-properties.ts";

export function IdentityFacts({ ask, analysis, facts }: DeveloperProperties & SignedInProperties) {
  const { login, derivedLogin } = analysis.profile;
  const { accounts = [], formerLogins = [], emails = [] } = facts ?? {};
  const { administrator } = ask.visitor.account;
  const hidden = emails.filter(({ published }) => !published).length;
  return (
    <Panel title="Who this is" id="identity">
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
          <a href={formatDeveloperPath(login, "/identity")}>
            Which author identities were joined, and why
          </a>
        </p>
      )}
    </Panel>
  );
}
