import { Problem } from "../../contract/problem.ts";
import { emailAttribute, findEmailAttribute, readSamlAnswer } from "./saml-answer.ts";
import { callLibrary, type SignInContext } from "./sign-in-context.ts";
import type { CookieLines } from "./sign-in-options.ts";
import { deriveNonce } from "./tokens.ts";

const refusedPath = "/sign-in";
/** The greatest accepted difference between the clocks of Roster and a provider. */
const clockSkewMs = 300_000;

/** Signs users in through the configured providers of single sign-on. */
export function createProviders(context: SignInContext) {
  return {
    providers: () => context.providers().map(({ id, name }) => ({ id, name })),
    /**
     * @param returnTo the path of the page that the browser shows after the sign-in.
     * @param again makes the provider authenticate the user again (OpenID Connect's `prompt=login`).
     * @throws Problem `not_found` if the provider is not configured.
     */
    startProvider: async (
      id: string,
      returnTo: string,
      again?: "again",
    ): Promise<{ readonly location: string; readonly cookies: CookieLines }> => {
      const provider = context.providers().find((one) => one.id === id);
      if (!provider) {
        throw new Problem("not_found", { message: `no provider "${id}" is configured` });
      }
      const url = context.publicUrl();
      const path = /^\/(?![/\\])/.test(returnTo) ? returnTo : "/";
      const response = await callLibrary(context, "/sign-in/sso", {
        providerId: id,
        callbackURL: `${url}${path}`,
        errorCallbackURL: `${url}${refusedPath}`,
      });
      const answer = (await response.json().catch(() => ({}))) as { url?: unknown };
      if (response.ok && typeof answer.url === "string") {
        const location = new URL(answer.url);
        if (provider.protocol.kind === "oidc") {
          if (again) location.searchParams.set("prompt", "login");
          location.searchParams.set("nonce", deriveNonce(location.searchParams.get("state") ?? ""));
        }
        return { location: location.href, cookies: response.headers.getSetCookie() };
      }
      context.log.error(
        { provider: id, status: response.status, answer },
        "a provider cannot be reached",
      );
      const reason = new URLSearchParams({ error: "provider_unreachable" });
      return { location: `${refusedPath}?${reason}`, cookies: [] };
    },
    /**
     * Passes a SAML response to the library. A weakly signed or expired response is refused instead.
     * @returns the library's answer, or the address of a page that tells the reason of the refusal.
     */
    takeSamlAnswer: async (id: string, body: string, ask: () => Promise<Response>) => {
      const provider = context.providers().find((one) => one.id === id);
      if (!provider) return ask();
      const { weakAlgorithm: algorithm, attributes, confirmedUntilMs } = readSamlAnswer(body);
      const refuse = (error: string, detail: object, message: string) => {
        context.log.warn({ provider: id, ...detail }, message);
        return { location: `${context.publicUrl()}${refusedPath}?error=${error}` };
      };
      if (algorithm !== undefined) {
        const message = "a SAML answer is signed too weakly: SHA-256 or stronger is required";
        return refuse("weak_signature", { algorithm }, message);
      }
      if (!(context.now().getTime() < confirmedUntilMs + clockSkewMs)) {
        return refuse("answer_expired", {}, "a SAML answer came after its confirmation had ended");
      }
      return emailAttribute.run(findEmailAttribute(attributes, provider), ask);
    },
  };
}
