/** Sign-in for browsers and assistants. The library is loaded only when somebody signs in. */
import type { ControlStore } from "../../control/control-store.ts";
import { createAssistants } from "../oauth/assistants.ts";
import { createAuthorization } from "../oauth/authorization.ts";
import { createGrants } from "../oauth/grants.ts";
import { createPasswordSignIn } from "./password-sign-in.ts";
import { createProviders } from "./providers.ts";
import { createSessions } from "./sessions.ts";
import { createSignInContext } from "./sign-in-context.ts";
import type { SignInOptions } from "./sign-in-options.ts";

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(control: ControlStore, options: SignInOptions) {
  const context = createSignInContext(control, options);
  return {
    ...createPasswordSignIn(context),
    ...createSessions(context),
    ...createAssistants(context),
    ...createProviders(context),
    ...createAuthorization(context),
    ...createGrants(context),
  };
}
