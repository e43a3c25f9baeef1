import type { planNames } from "./limits.ts";

type Plan = (typeof planNames)[number];

/** A provider of single sign-on, as the operator configured it: one `[[signIn.providers]]` of the settings file. */
export interface IdentityProvider {
  /** Part of addresses: small letters, digits, dashes. */
  readonly id: string;
  readonly name: string;
  /** Domains of e-mail that it may speak for. */
  readonly domains: readonly string[];
  /** Whether it may sign in administrators. */
  readonly administrators: boolean;
  /** Of accounts made at a first sign-in, where no claim says otherwise. */
  readonly plan: Plan;
  /** Claim or attribute whose value, or one of whose values, chooses the plan. */
  readonly planClaim: string | undefined;
  readonly plans: Readonly<Record<string, Plan>>;
  readonly protocol:
    | {
        readonly kind: "oidc";
        readonly issuer: string;
        readonly clientId: string;
        readonly clientSecret: string;
      }
    | {
        readonly kind: "saml";
        /** The identity provider's own metadata, XML. */
        readonly metadata: string;
        /** Name of the attribute that holds the e-mail; default: whichever has one of the usual names. */
        readonly emailAttribute?: string;
      };
}
