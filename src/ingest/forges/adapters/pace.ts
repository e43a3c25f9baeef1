/**
 * Limits how fast a forge is asked: by its own limits where it names them, else two requests at once and ten a second. A
 * missing header means that no limit is known, and never a limit of zero.
 */

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

interface PaceOptions {
  /** The operator's own limit. */
  readonly requestsPerHour?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Pace {
  /** Milliseconds until the forge and the operator's limit allow the next request; 0 when they do now. */
  untilOpen(bucket: string): number;
  /** Waits for a free turn, and then acts. */
  take<Result>(act: () => Promise<Result>): Promise<Result>;
  /** @returns milliseconds to wait before asking the same again; undefined when the answer stands. */
  note(bucket: string, limits: ForgeLimits, status: number): number | undefined;
  /** The fewest that a bucket has left, as the forge says; undefined when it says nothing. */
  remaining(): number | undefined;
}

/** What the headers of an answer say of limits. */
export interface ForgeLimits {
  /** Milliseconds to wait, or the instant in milliseconds since 1970. */
  readonly retryAfter: { readonly wait: number } | { readonly until: number } | undefined;
  readonly remaining: number | undefined;
  /** Milliseconds since 1970. */
  readonly reset: number | undefined;
}

const atOnce = 2;
const gap = 100;
const hour = 3_600_000;
/** @package A forge that names a later time is asked again after this time: its figure may be wrong. */
export const pauseMax = 24 * hour;
/** After a refusal that names no time, as GitHub asks for its secondary limits. */
const unnamedWait = 60_000;

export function createPace({ requestsPerHour, signal }: PaceOptions, clock: Clock): Pace {
  let next = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const taken: number[] = [];
  const left = new Map<string, number>();
  const closedUntil = new Map<string, number>();
  return {
    untilOpen(bucket) {
      const now = clock.now();
      while (taken[0] !== undefined && taken[0] <= now - hour) taken.shift();
      const first = taken[0];
      const isSpent = requestsPerHour !== undefined && taken.length >= requestsPerHour;
      const ownLimit = isSpent && first !== undefined ? first + hour : 0;
      return Math.max(0, ownLimit - now, (closedUntil.get(bucket) ?? 0) - now);
    },
    async take(act) {
      while (running >= atOnce) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        await promise;
      }
      running += 1;
      try {
        const start = Math.max(next, clock.now());
        next = start + gap;
        taken.push(start);
        if (start > clock.now()) await clock.sleep(start - clock.now(), signal);
        return await act();
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    note(bucket, { retryAfter, remaining, reset }, status) {
      if (remaining !== undefined) left.set(bucket, remaining);
      const isUsedUp = remaining === 0 && reset !== undefined;
      if (isUsedUp) closedUntil.set(bucket, Math.min(reset, clock.now() + pauseMax));
      const isNamed = retryAfter !== undefined || isUsedUp;
      const isLimited = status === 429 || ((status === 403 || status === 503) && isNamed);
      if (!isLimited) return undefined;
      const named = isUsedUp ? reset - clock.now() : unnamedWait;
      const asked =
        retryAfter === undefined
          ? named
          : "wait" in retryAfter
            ? retryAfter.wait
            : retryAfter.until - clock.now();
      return Math.min(Math.max(1000, asked), pauseMax);
    },
    remaining: () => (left.size === 0 ? undefined : Math.min(...left.values())),
  };
}

/**
 * Reads Retry-After, X-RateLimit-* (GitHub, in seconds since 1970) and RateLimit-* (GitLab).
 *
 * @param refusal text of a refusal: GitHub names its secondary limits there, and often nowhere else.
 */
export function readLimits(headers: Headers, refusal = ""): ForgeLimits {
  const number = (name: string): number | undefined => {
    const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  // A self-hosted server without limits may say that 0 of 0 are left.
  const isLimited = number("limit") !== 0;
  const reset = number("reset");
  return {
    retryAfter: parseRetryAfter(headers.get("retry-after")) ?? readSecondary(refusal),
    remaining: isLimited ? number("remaining") : undefined,
    reset: isLimited && reset !== undefined ? reset * 1000 : undefined,
  };
}

function readSecondary(refusal: string): ForgeLimits["retryAfter"] {
  return /secondary rate limit/i.test(refusal) ? { wait: unnamedWait } : undefined;
}

function parseRetryAfter(text: string | null): ForgeLimits["retryAfter"] {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return { wait: Number(text) * 1000 };
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : { until };
}
