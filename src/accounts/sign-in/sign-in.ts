/**
 * Browser sign-in, as the doors see it. Whoever shows a session or a token is looked up in the store; the
 * library is loaded when somebody signs in or an assistant connects, and not before.
 */
import type { ControlStore } from "../../store/store.ts";
import { type Assistants, openAssistants } from "../oauth/assistants.ts";
import { type AuthorizationRoutes, openRoutes } from "../oauth/routes.ts";
import { openProviders, type Providers } from "../providers/providers.ts";
import { openDesk, type SignInOptions } from "./desk.ts";
import { type Entering, openEntering } from "./entering.ts";
import { openSessions, type Sessions } from "./sessions.ts";

export type { Cookies, From, Outcome, SignInOptions, SignUpMode } from "./desk.ts";
export type { ShownLink } from "./entering.ts";
export { passwordLengthMax, passwordLengthMin } from "./passwords.ts";
export type { ShownSession, Visitor } from "./sessions.ts";

export interface SignIn extends Entering, Sessions, Assistants, Providers, AuthorizationRoutes {}

export function openSignIn(control: ControlStore, options: SignInOptions): SignIn {
  const desk = openDesk(control, options);
  return {
    ...openEntering(desk),
    ...openSessions(desk),
    ...openAssistants(desk),
    ...openProviders(desk),
    ...openRoutes(desk),
  };
}
