/**
 * Which users a provider may sign in: those of the e-mail domains that the operator named, and administrators only
 * if the operator allowed it; otherwise anyone who can choose their own e-mail at the provider could sign in as the
 * administrator. A first sign-in creates an account.
 */
import { APIError } from "better-auth/api";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { planNames } from "../../contract/limits.ts";
import { isEmail, toEmailKey, toNewAccountRow } from "../account-fields.ts";
import { createRandomBase62, systemRandom } from "../keys.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { deriveNonce } from "../sign-in/tokens.ts";

export type ProviderAdmission = ReturnType<typeof createProviderAdmission>;

/** Distinguishes the one expected refusal from the library's others. */
export const disabledCode = "account_disabled";

interface AdmissionRefusal {
  readonly error: string;
  readonly errorDescription: string;
}

interface ProviderProfile {
  /** The account to sign in to; `undefined`: the one with the e-mail. */
  readonly accountId: string | undefined;
  readonly providerId: string | undefined;
  readonly email: string | undefined;
  /** What the provider says about the user. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** A returning user keeps the account, even under another e-mail. */
  readonly isFirst: boolean;
}

export function createProviderAdmission({ control, providers, entry, log }: SignInDependencies) {
  return {
    /** Creates an account at a first sign-in. @returns why the user is refused; `undefined`: the sign-in continues. */
    admit: async ({
      accountId,
      providerId,
      email = "",
      claims,
      isFirst,
    }: ProviderProfile): Promise<AdmissionRefusal | undefined> => {
      const provider = providers.find(({ id }) => id === providerId);
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
      // Many providers do not send this claim; one that sends false lets users enter any e-mail they like.
      if (String(claims["email_verified"]) === "false") {
        return refuse("email_not_verified", `${provider.name} has not verified this e-mail.`);
      }
      const known = accountId === undefined ? undefined : await control.findAccount(accountId);
      const account = known ?? (await control.findAccountByEmail(toEmailKey(email)));
      if (account?.administrator && !provider.administrators) {
        return refuse("administrator", "Administrators sign in with their password here.");
      }
      if (!isFirst || account) return undefined;
      const id = `acc_${createRandomBase62(16, systemRandom)}`;
      const made = entry("account.created", id, { email, provider: provider.id });
      const plan = choosePlan(provider, claims);
      const row = toNewAccountRow({ email, plan }, { id, at: made.at });
      const detail = { ...made.detail, plan: row.plan };
      // A refusal only means that another sign-in of the same user was faster.
      await control.addAccount(row, undefined, { ...made, detail });
      return undefined;
    },
    /** @throws APIError when the account may not sign in. */
    assertMayEnter: async (accountId: string) => {
      const account = await control.findAccount(accountId);
      if (account && !account.disabled) return;
      const message = "This account may not sign in; ask the administrator.";
      throw new APIError("FORBIDDEN", { code: disabledCode, message });
    },
  };
}

const refuse = (error: string, errorDescription: string): AdmissionRefusal => ({
  error,
  errorDescription,
});

/** Where the operator named the attribute of the e-mail, no other attribute replaces it. */
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

/** The largest plan among the user's groups: neither groups nor settings have an order. */
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

/** Checks OpenID Connect's `nonce`: the provider made its token for this sign-in and for no other (Core, 3.1.3.7). */
export function createNonces() {
  const checked = new WeakSet<Request>();
  const isCallback = (context: Context | null) =>
    context?.path?.startsWith("/sso/callback") ?? false;
  return {
    /** @throws APIError when the token belongs to another sign-in. The library has verified its signature. */
    check: (idToken: unknown, context: Context | null): void => {
      if (!isCallback(context) || typeof idToken !== "string" || !context?.request) return;
      const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
      const { nonce } = JSON.parse(payload) as { nonce?: unknown };
      if (nonce !== deriveNonce(String(context.query?.state))) throw createNonceError();
      checked.add(context.request);
    },
    /** @throws APIError when no token was checked in this callback from a provider. */
    assertChecked: (context: Context | null): void => {
      if (!isCallback(context)) return;
      if (!context?.request || !checked.has(context.request)) throw createNonceError();
    },
  };
}

function createNonceError(): APIError {
  const message = "The provider's token is not of this sign-in (nonce); sign in once more.";
  return new APIError("FORBIDDEN", { code: "nonce_mismatch", message });
}
