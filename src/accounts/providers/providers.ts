import { Problem } from "../../contract/problem.ts";
import type { Cookies, From } from "../sign-in/desk.ts";

/** Single sign-on at the providers that the operator configured. */
export interface Providers {
  providers(): readonly { readonly id: string; readonly name: string }[];
  /** @throws Problem not_found for a provider that is not configured. */
  startProvider(
    id: string,
    returnTo: string,
    from: From,
  ): Promise<{ readonly location: string; readonly cookies: Cookies }>;
}

export function openProviders(): Providers {
  return {
    providers: () => [],
    startProvider: async (id) => {
      throw new Problem("not_found", { message: `no provider "${id}" is configured` });
    },
  };
}
