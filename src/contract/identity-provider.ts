import type { planNames } from "./limits.ts";

type Plan = (typeof planNames)[number];

/** A provider of single sign-on: one `[[signIn.providers]]` of the settings file. */
export interface IdentityProvider {
  /** An id that is part of URLs: lower-case letters, digits and dashes. */
  readonly id: string;
  readonly name: string;
  /** The e-mail domains for which the provider is trusted. */
  readonly domains: readonly string[];
  /** Whether the provider may sign in administrators. */
  readonly administrators: boolean;
  /** The plan of an account that is created at a first sign-in. A claim can choose another plan. */
  readonly plan: Plan;
  /** The claim or attribute whose value chooses the plan. */
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
        /** The identity provider's metadata, as XML. */
        readonly metadata: string;
        /** Name of the attribute with the e-mail address. Without it, the usual names are tried. */
        readonly emailAttribute?: string;
      };
}
