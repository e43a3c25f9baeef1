/**
 * Browser sign-in, as the interfaces use it. Sessions and tokens are looked up in the store; the library is loaded
 * only when a user signs in or an assistant connects.
 */
import type { ControlStore } from "../../control/control-store.ts";
import { type Assistants, createAssistants } from "../oauth/assistants.ts";
import { type Authorization, createAuthorization } from "../oauth/authorization.ts";
import { createGrants, type Grants } from "../oauth/grants.ts";
import { createPasswordSignIn, type PasswordSignIn } from "./password-sign-in.ts";
import { createProviders, type Providers } from "./providers.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignInContext } from "./sign-in-context.ts";
import type { SignInOptions } from "./sign-in-options.ts";

export interface SignIn
  extends PasswordSignIn,
    Sessions,
    Assistants,
    Providers,
    Authorization,
    Grants {}

export function createSignIn(control: ControlStore, options: SignInOptions): SignIn {
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
