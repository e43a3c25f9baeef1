import type { planNames } from "../../contract/limits.ts";

type Plan = (typeof planNames)[number];

/** A provider of single sign-on, as the operator configured it. */
export interface ProviderSettings {
  /** Part of addresses. */
  readonly id: string;
  readonly name: string;
  /** Domains of e-mail that it may speak for. */
  readonly domains: readonly string[];
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
    /** The identity provider's own metadata, XML. */
    | { readonly kind: "saml"; readonly metadata: string };
}
