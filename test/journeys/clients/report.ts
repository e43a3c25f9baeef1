/** The settings and the report of every client of an integrator. */
import { env, stdout } from "node:process";

export function readSettings() {
  const { ROSTER_URL: baseUrl = "", ROSTER_KEY: key = "", ROSTER_SPENT_KEY: spentKey = "" } = env;
  return { baseUrl, key, spentKey, adminKey: env["ROSTER_ADMIN_KEY"] ?? "" };
}

interface Quota {
  readonly used: number;
  readonly limit: number;
  readonly month: string;
}

interface Refusal {
  readonly status: number | undefined;
  readonly code:
    | "invalid_request"
    | "unauthorized"
    | "not_found"
    | "quota_exceeded"
    | "internal"
    | undefined;
}

export interface Report {
  readonly answered: {
    readonly status: number | undefined;
    readonly total: number | undefined;
    readonly login: string | undefined;
    readonly lastActive: string | undefined;
    readonly experience: number | undefined;
    readonly repository: string | undefined;
    readonly quota: Quota | undefined;
    readonly rateLimit: string | null | undefined;
  };
  /** What the additions to the API answered. */
  readonly added: {
    readonly veteran: string | undefined;
    readonly logins: readonly string[] | undefined;
    readonly missing: readonly string[] | undefined;
    readonly calls: number | undefined;
    readonly change: string | undefined;
    readonly hasNext: boolean;
    readonly plan: string | undefined;
    readonly used: number | undefined;
    /** The first line of the export. */
    readonly exported: string | undefined;
  };
  readonly refused: Refusal;
  readonly unknown: Refusal;
  readonly missing: Refusal & { readonly used: number | undefined };
  readonly over: Refusal & { readonly quota: Quota | undefined; readonly retryAfter: number };
}

export function report(seen: Report): void {
  stdout.write(JSON.stringify(seen));
}
