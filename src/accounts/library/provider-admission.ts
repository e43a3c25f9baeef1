/**
 * Who a provider may sign in. It speaks for the e-mail domains that the operator named and for no other, and for
 * administrators only where the operator said so: else whoever can give themselves an e-mail there could sign in as
 * the administrator. Whoever comes for the first time gets an account.
 */
import { APIError } from "better-auth/api";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { planNames } from "../../contract/limits.ts";
import { isEmail, toEmailKey, toNewAccountRow } from "../account-fields.ts";
import { createRandomBase62, systemRandom } from "../keys.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { deriveNonce } from "../sign-in/tokens.ts";

export interface ProviderAdmission {
  /** Makes an account at a first sign-in. @returns why the person is refused; `undefined`: the sign-in goes on. */
  refusalOf(arrival: ProviderProfile): Promise<AdmissionRefusal | undefined>;
  /** @throws APIError when the account may not sign in. */
  assertMayEnter(accountId: string): Promise<void>;
}

/** Tells the one refusal that is no surprise from the library's others. */
export const disabledCode = "account_disabled";

interface AdmissionRefusal {
  readonly error: string;
  readonly errorDescription: string;
}

interface ProviderProfile {
  /** Of the account that they would get into; `undefined`: whichever has the e-mail. */
  readonly accountId: string | undefined;
  readonly providerId: string | undefined;
  readonly email: string | undefined;
  /** What the provider says of the person. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whoever came before keeps the account, also under another e-mail. */
  readonly isFirst: boolean;
}

export function createProviderAdmission({
  control,
  providers,
  entry,
  log,
}: SignInDependencies): ProviderAdmission {
  return {
    refusalOf: async ({ accountId, providerId, email = "", claims, isFirst }) => {
      const provider = providers.find(({ id }) => id === providerId);
      if (!provider) return refused("unknown_provider", "The provider is not configured here.");
      if (!isNamedEmail(provider, email, claims)) {
        const detail = { provider: provider.id, sent: Object.keys(claims) };
        log.warn(detail, noEmail);
        return refused("no_email", noEmail);
      }
      const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
      if (!provider.domains.includes(domain)) {
        return refused("email_not_allowed", `${provider.name} may not sign in this e-mail here.`);
      }
      // Many providers do not say; one that says no lets people write whatever they like there.
      if (String(claims["email_verified"]) === "false") {
        return refused("email_not_verified", `${provider.name} has not verified this e-mail.`);
      }
      const known = accountId === undefined ? undefined : await control.findAccount(accountId);
      const account = known ?? (await control.findAccountByEmail(toEmailKey(email)));
      if (account?.administrator && !provider.administrators) {
        return refused("administrator", "Administrators sign in with their password here.");
      }
      if (!isFirst || account) return undefined;
      const id = `acc_${createRandomBase62(16, systemRandom)}`;
      const made = entry("account.created", id, { email, provider: provider.id });
      const row = toNewAccountRow({ email, plan: planOf(provider, claims) }, { id, at: made.at });
      const detail = { ...made.detail, plan: row.plan };
      // That the account is taken only says that another sign-in of the same person was faster.
      await control.addAccount(row, undefined, { ...made, detail });
      return undefined;
    },
    assertMayEnter: async (accountId) => {
      const account = await control.findAccount(accountId);
      if (account && !account.disabled) return;
      const message = "This account may not sign in; ask the administrator.";
      throw new APIError("FORBIDDEN", { code: disabledCode, message });
    },
  };
}

const refused = (error: string, errorDescription: string): AdmissionRefusal => ({
  error,
  errorDescription,
});

/** Where the operator named the attribute of the e-mail, nothing else stands in for it. */
function isNamedEmail(
  { protocol }: IdentityProvider,
  email: string,
  claims: ProviderProfile["claims"],
) {
  const named = protocol.kind === "saml" ? protocol.emailAttribute : undefined;
  return isEmail(email) && (named === undefined || claims[named] !== undefined);
}

const noEmail =
  "a provider sent no e-mail that can be used; for SAML, emailAttribute names the attribute that has it";

/** The largest of the plans that the person's groups bring: neither groups nor settings come in an order. */
function planOf({ plan, planClaim, plans }: IdentityProvider, claims: ProviderProfile["claims"]) {
  const claim = planClaim === undefined ? undefined : claims[planClaim];
  const groups = Array.isArray(claim) ? claim.map(String) : [String(claim)];
  const brought = groups.map((group) => (Object.hasOwn(plans, group) ? plans[group] : undefined));
  return planNames.findLast((name) => brought.includes(name)) ?? plan;
}

interface Context {
  readonly path?: string | undefined;
  readonly query?: { readonly state?: unknown } | undefined;
  readonly request?: Request | undefined;
}

/** OpenID Connect's `nonce`: the provider made its token for this sign-in and for no other (Core, 3.1.3.7). */
interface Nonces {
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
