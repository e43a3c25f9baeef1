import { errorPath, signInPagePaths } from "../../../accounts/accounts.ts";
import { createInvalidRequest } from "../../../contract/problem.ts";
import { isLoopback } from "../../../network/ip-address.ts";
import { formatScope } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Callout, EmailAddress, FactList, List } from "../look/parts.tsx";
import {
  defineButton,
  definePublicPage,
  defineSignedInPage,
  redirectTo,
  type SignedInRequest,
} from "../page.ts";

/** Asks the user whether an assistant may use the account. Names the assistant, its scopes, and where the answer goes. */
export const consentPage = defineSignedInPage({
  path: signInPagePaths.consent,
  show: async (ask) => {
    const consent = await ask.modules.signIn.consentRequest(ask.request);
    const stale = "This request is incomplete or too old. Connect the assistant again.";
    if (!consent) throw createInvalidRequest(stale);
    const { clientName, clientUri, destination, scopes, isVerified } = consent;
    const body = (
      <>
        <p>
          You are signed in as <EmailAddress email={ask.visitor.account.email} />.
        </p>
        {!isVerified && (
          <Callout tone="warn" title="No one has verified this assistant">
            <p>
              It calls itself "{clientName.replaceAll('"', "'")}". Allow it only if you started this
              connection, and if you know <strong>{destination}</strong>.
            </p>
          </Callout>
        )}
        <h2>It can</h2>
        <List items={scopes.map(formatScope)} />
        <p class="muted">
          Its calls use your quota. It sees neither your password nor your API key.
        </p>
        <FactList
          facts={[
            ["Answer goes to", explainDestination(destination)],
            // The address is text, not a link, because anybody can register an assistant with any address.
            clientUri && ["Says it is from", clientUri],
          ]}
        />
        <div class="actions">
          <Form ask={ask} act="allow" submit="Allow" inline />
          <Form ask={ask} act="deny" submit="Deny" tone="plain" inline />
        </div>
        <p class="small muted">
          You can disconnect it at any time under <a href="/account/assistants">Assistants</a>.
        </p>
      </>
    );
    return { title: `Let ${clientName} use your account?`, body, frame: "narrow" };
  },
  actions: {
    allow: defineButton((ask) => decide(ask, true)),
    deny: defineButton((ask) => decide(ask, false)),
  },
});

async function decide({ modules, request, url }: SignedInRequest, isAccepted: boolean) {
  const { location } = await modules.signIn.decide(request, url.search.slice(1), isAccepted);
  return redirectTo(location, []);
}

function explainDestination(destination: string): string {
  const scheme = /^[^:/]+(?=:\/)/.exec(destination)?.[0];
  if (scheme)
    return `the program on this computer that opens ${scheme}: addresses (${destination})`;
  const isHere = isLoopback(destination.replace(/:\d+$/, ""));
  return isHere ? `a program on this computer (${destination})` : destination;
}

/** Shows an error of the authorization server that must not go to the assistant, such as a wrong redirect URI. */
export const deadEndPage = definePublicPage({
  path: errorPath,
  show: ({ url }) => {
    // Anybody can write a link with these parameters, so their length and characters are restricted.
    const plain = (name: string) =>
      (url.searchParams.get(name) ?? "").replace(/[^\w .,:/'()-]/g, "").slice(0, 200);
    const reason = plain("error_description") || plain("error");
    const destination = plain("destination");
    const body = (
      <>
        <p>
          This request is not valid, so nothing was allowed. Go back to the assistant and connect it
          again.
        </p>
        {destination && (
          <p>
            Roster did not send you to <strong>{destination}</strong>.
          </p>
        )}
        {reason && (
          <p class="muted">
            Details for an administrator: <code>{reason}</code>
          </p>
        )}
      </>
    );
    return { title: "This request cannot continue", body, frame: "narrow", status: 400 };
  },
});
