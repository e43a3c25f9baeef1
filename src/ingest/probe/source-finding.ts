import type { SourceKind } from "../../contract/forge-kinds.ts";

/** The answer to an address and a token: what would be read from there, or what is wrong with them. */
export type SourceFinding =
  | { readonly ok: false; readonly field: "address" | "token"; readonly message: string }
  | {
      readonly ok: true;
      readonly kind: SourceKind;
      /** The base address of a forge, the address of a repository, or the absolute path of a folder. */
      readonly url: string;
      /** What answers there, such as `Gitea 1.27.1`. */
      readonly product: string;
      /** The login that the token belongs to; undefined without a token. */
      readonly account: string | undefined;
      readonly requestsPerHour?: number;
      /** The selections of people to choose from. Empty unless it is a forge. */
      readonly choices: readonly {
        /** `all`, or such as `org:acme` and `user:ada`. */
        readonly select: string;
        readonly label: string;
        readonly people?: number;
        readonly repositories?: number;
      }[];
      /** The names of some repositories, at most five. */
      readonly examples: readonly string[];
    };
