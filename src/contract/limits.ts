/** The limits of requests and answers. */
export const limits = {
  skillsMax: 20,
  languagesMax: 10,
  repositoriesMax: 20,
  fieldsMax: 50,
  experienceYearsMax: 50,
  resultsMax: 100,
  resultsDefault: 25,
  offsetMax: 200,
  /** No forge allows longer logins (decision 8). */
  loginLengthMax: 100,
  /** The greatest length of a name in a request. */
  textLengthMax: 200,
  /** The greatest size of a request's body. */
  bodyBytesMax: 64 * 1024,
  /** The greatest size of a request's body at `/mcp`. */
  mcpBodyBytesMax: 256 * 1024,
  mcpBatchMax: 20,
  /** The most logins in one call of `get_developers`. */
  batchMax: 100,
  idempotencyKeyLengthMax: 255,
  /** The most places or repositories in a "did you mean" (decision 9). */
  suggestionsMax: 5,
  termsMax: 50,
  termsDefault: 10,
  /** The most people in one answer of `find_people`. */
  foundMax: 50,
  foundDefault: 10,
  /** The most files of a change that `who_knows` accepts. */
  pathsMax: 500,
  pathLengthMax: 1000,
  /** The most changes in one answer of `get_changes`. */
  changesMax: 1000,
  /** The most people in the field `without` of `who_knows`. */
  withoutMax: 20,
} as const;

/** The numbers of calls that an account may make. `undefined` means unlimited. */
export interface CallLimits {
  readonly callsPerMonth: number | undefined;
  readonly callsPerDay: number | undefined;
}

/** The plans of the API document ("Limits"). An account may have limits of its own instead (decision 24). */
export const plans = {
  free: { callsPerMonth: 50, callsPerDay: 2000 },
  pro: { callsPerMonth: 1000, callsPerDay: 2000 },
  enterprise: { callsPerMonth: undefined, callsPerDay: 2000 },
  /** The plan of the command line's own account. It has no limits. */
  operator: { callsPerMonth: undefined, callsPerDay: undefined },
} as const satisfies Record<string, CallLimits>;

export type Plan = keyof typeof plans;
/** The plans that an operator can give to an account. */
export const planNames = ["free", "pro", "enterprise"] as const satisfies readonly Plan[];
