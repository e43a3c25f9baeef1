/** OpenID Connect's `nonce`: the provider made its token for this sign-in and for no other (Core, 3.1.3.7). */
import { APIError } from "better-auth/api";
import { deriveNonce } from "../sign-in/tokens.ts";

interface Context {
  readonly path?: string | undefined;
  readonly query?: { readonly state?: unknown } | undefined;
  readonly request?: Request | undefined;
}

export interface Nonces {
  /** @throws APIError when the token, whose signature the library has verified, is of another sign-in. */
  check(idToken: unknown, context: Context | null): void;
  /** @throws APIError when no token was checked on this way back from a provider. */
  assertChecked(context: Context | null): void;
}

export function createNonces(): Nonces {
  const checked = new WeakSet<Request>();
  const isWayBack = (context: Context | null) =>
    context?.path?.startsWith("/sso/callback") ?? false;
  return {
    check: (idToken, context) => {
      if (!isWayBack(context) || typeof idToken !== "string" || !context?.request) return;
      const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
      const { nonce } = JSON.parse(payload) as { nonce?: unknown };
      if (nonce !== deriveNonce(String(context.query?.state))) throw refusal();
      checked.add(context.request);
    },
    assertChecked: (context) => {
      if (!isWayBack(context)) return;
      if (!context?.request || !checked.has(context.request)) throw refusal();
    },
  };
}

function refusal(): APIError {
  const message = "The provider's token is not of this sign-in (nonce); sign in once more.";
  return new APIError("FORBIDDEN", { code: "nonce_mismatch", message });
}
