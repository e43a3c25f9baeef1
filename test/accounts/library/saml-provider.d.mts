export function openSamlProvider(options: {
  readonly entityId: string;
  readonly privateKey: string;
  readonly certificate: string;
  readonly algorithm?: string;
  readonly emailName?: string;
}): {
  readonly metadata: string;
  /** @param changes of the assertion's values, by samlify's names. @returns the form that the browser posts. */
  answer(
    location: string,
    serviceMetadata: string,
    person: { readonly email: string; readonly group: string },
    changes?: Readonly<Record<string, string>>,
  ): Promise<{ acs: string; SAMLResponse: string; RelayState: string }>;
};

/** @returns the response with a signature of its own around all that is in it. */
export function signResponse(
  xml: string,
  signer: { readonly privateKey: string; readonly certificate: string },
): string;
