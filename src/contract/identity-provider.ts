import type { planNames } from "./limits.ts";

type Plan = (typeof planNames)[number];

/** A provider of single sign-on, as the operator configured it: one `[[signIn.providers]]` of the settings file. */
export interface IdentityProvider {
  /** Part of URLs: lower-case letters, digits, dashes. */
  readonly id: string;
  readonly name: string;
  /** E-mail domains that it is trusted for. */
  readonly domains: readonly string[];
  /** Whether it may sign in administrators. */
  readonly administrators: boolean;
  /** The plan of an account created at a first sign-in, unless a claim chooses another. */
  readonly plan: Plan;
  /** Claim or attribute that chooses the plan by its value, or by one of its values. */
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
        /** Name of the attribute that holds the e-mail; default: one of the usual names. */
        readonly emailAttribute?: string;
      };
}
