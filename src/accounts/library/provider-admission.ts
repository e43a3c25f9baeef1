/**
 * Decides which users a provider may sign in. Their e-mail must be in a domain that the operator named. Administrators are
 * refused by default, because at some providers a user could claim the e-mail of an administrator.
 */
import { APIError } from "better-auth/api";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { planNames } from "../../contract/limits.ts";
import { isEmail, toEmailKey, toNewAccountRow } from "../account-fields.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { deriveNonce } from "../sign-in/tokens.ts";

export type ProviderAdmission = ReturnType<typeof createProviderAdmission>;

export const disabledCode = "account_disabled";

interface ProviderProfile {
  /** Id of the account of a returning user. Undefined means that the account is found by e-mail. */
  readonly accountId: string | undefined;
  readonly providerId: string | undefined;
  readonly email: string | undefined;
  /** What the provider says about the user. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether this is the user's first sign-in through this provider. */
  readonly isFirst: boolean;
}

export function createProviderAdmission({
  control,
  now,
  providers,
  entry,
  log,
}: SignInDependencies) {
  return {
    /** Creates an account at a first sign-in. @returns why the user is refused. Undefined means that the user is admitted. */
    admit: async ({ accountId, providerId, email = "", claims, isFirst }: ProviderProfile) => {
      const provider = providers().find(({ id }) => id === providerId);
      if (!provider) return refuse("unknown_provider", "The provider is not configured here.");
      if (!isUsableEmail(provider, email, claims)) {
        const detail = { provider: provider.id, sent: Object.keys(claims) };
        log.warn(detail, noEmail);
        return refuse("no_email", noEmail);
      }
      const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
      if (!provider.domains.includes(domain)) {
        return refuse("email_not_allowed", `${provider.name} may not sign in this e-mail here.`);
      }
      // False means that the user may have entered somebody else's e-mail. Many providers do not send this claim.
      if (String(claims["email_verified"]) === "false") {
        return refuse("email_not_verified", `${provider.name} has not verified this e-mail.`);
      }
      const known = accountId === undefined ? undefined : await control.findAccount(accountId);
      const account = known ?? (await control.findAccountByEmail(toEmailKey(email)));
      if (account?.administrator && !provider.administrators) {
        return refuse("administrator", "Administrators sign in with their password here.");
      }
      if (!isFirst || account) return undefined;
      const row = toNewAccountRow({ email, plan: choosePlan(provider, claims) }, now());
      const detail = { email, provider: provider.id, plan: row.plan };
      // A refusal means that another sign-in of the same user has added the account, so the result is ignored.
      await control.addAccount(row, undefined, entry("account.created", row.id, detail));
      return undefined;
    },
    /** @throws APIError if the account is disabled or unknown. */
    assertMayEnter: async (accountId: string) => {
      const account = await control.findAccount(accountId);
      if (account && !account.disabled) return;
      const message = "This account may not sign in; ask the administrator.";
      throw new APIError("FORBIDDEN", { code: disabledCode, message });
    },
  };
}

const refuse = (error: string, errorDescription: string) => ({ error, errorDescription });

/** Whether the e-mail is valid. If the operator named an attribute, the e-mail must come from this attribute. */
function isUsableEmail(
  { protocol }: IdentityProvider,
  email: string,
  claims: ProviderProfile["claims"],
) {
  const named = protocol.kind === "saml" ? protocol.emailAttribute : undefined;
  return isEmail(email) && (named === undefined || claims[named] !== undefined);
}

const noEmail =
  "a provider sent no e-mail that can be used; for SAML, emailAttribute names the attribute that has it";

/** Chooses the plan of a new account by the user's groups. If several groups have a plan, the largest is chosen. */
function choosePlan(
  { plan, planClaim, plans }: IdentityProvider,
  claims: ProviderProfile["claims"],
) {
  const claim = planClaim === undefined ? undefined : claims[planClaim];
  const groups = Array.isArray(claim) ? claim.map(String) : [String(claim)];
  const mapped = groups.map((group) => (Object.hasOwn(plans, group) ? plans[group] : undefined));
  return planNames.findLast((name) => mapped.includes(name)) ?? plan;
}

interface Context {
  readonly path?: string | undefined;
  readonly query?: { readonly state?: unknown } | undefined;
  readonly request?: Request | undefined;
}

/** Checks a token's `nonce`, which proves that the token is for this sign-in (OpenID Connect Core, 3.1.3.7). */
export function createNonces() {
  const checked = new WeakSet<Request>();
  const isCallback = (context: Context | null) =>
    context?.path?.startsWith("/sso/callback") ?? false;
  return {
    /** @throws APIError if the token is for another sign-in. The library has already verified the token's signature. */
    check: (idToken: unknown, context: Context | null): void => {
      if (!isCallback(context) || typeof idToken !== "string" || !context?.request) return;
      const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
      const { nonce } = JSON.parse(payload) as { nonce?: unknown };
      if (nonce !== deriveNonce(String(context.query?.state))) throw createNonceError();
      checked.add(context.request);
    },
    /** @throws APIError if the provider sent the browser back and `check` has not accepted a token. */
    assertChecked: (context: Context | null): void => {
      if (!isCallback(context)) return;
      if (!context?.request || !checked.has(context.request)) throw createNonceError();
    },
  };
}

function createNonceError(): APIError {
  const message = "The provider's token is for another sign-in (nonce). Sign in again.";
  return new APIError("FORBIDDEN", { code: "nonce_mismatch", message });
}
