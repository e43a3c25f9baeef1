/** The limits of the API document (section "Limits"). "Ours" marks the limits that Roster adds. */
export const limits = {
  skillsMax: 20,
  languagesMax: 10,
  repositoriesMax: 20,
  experienceYearsMax: 50,
  resultsMax: 100,
  resultsDefault: 25,
  offsetMax: 200,
  /** Ours (decision 8): no forge allows longer logins. */
  loginLengthMax: 100,
  /** Ours: names are hardly ever longer, and longer texts take more time. */
  textLengthMax: 200,
  /** Ours: the largest valid body is far smaller. */
  bodyBytesMax: 64 * 1024,
  /** Ours: a body can contain the client's capabilities and an icon. */
  mcpBodyBytesMax: 256 * 1024,
  mcpBatchMax: 20,
  /** Ours (decision 9): the most places or repositories in a "did you mean". */
  suggestionsMax: 5,
  termsMax: 50,
  termsDefault: 10,
  /** Ours: the most people in one answer of `find_people`. */
  foundMax: 50,
  foundDefault: 10,
  /** Ours: the most files of a change, and the longest path, that `who_knows` accepts. */
  pathsMax: 500,
  pathLengthMax: 1000,
  /** Ours: if more people leave at once, it is a reorganization. */
  withoutMax: 20,
} as const;

/** The numbers of calls that an account may make; `undefined` means unlimited. */
export interface CallLimits {
  readonly callsPerMonth: number | undefined;
  readonly callsPerDay: number | undefined;
}

/** The plans of the API document ("Limits"). An account may have limits of its own instead (decision 24). */
export const plans = {
  free: { callsPerMonth: 50, callsPerDay: 2000 },
  pro: { callsPerMonth: 1000, callsPerDay: 2000 },
  enterprise: { callsPerMonth: undefined, callsPerDay: 2000 },
  /** Ours: the built-in account of the command line, which has no limits. */
  operator: { callsPerMonth: undefined, callsPerDay: undefined },
} as const satisfies Record<string, CallLimits>;

export type Plan = keyof typeof plans;
/** The plans that an account can be given; `operator` is for the built-in account only. */
export const planNames = ["free", "pro", "enterprise"] as const satisfies readonly Plan[];
