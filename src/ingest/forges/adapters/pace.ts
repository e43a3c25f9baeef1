/**
 * Limits the rate of requests: by the forge's limits where it states them, otherwise two at once and ten a second. A missing
 * header means that no limit is known, never that the limit is zero.
 */

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

interface PaceOptions {
  /** The operator's own limit on requests. */
  readonly requestsPerHour?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const atOnce = 2;
const gap = 100;
const hour = 3_600_000;
/** @package The longest wait that a forge may ask for. A longer one may be an error. */
export const pauseMax = 24 * hour;
/** The wait after a refusal that states no time, as GitHub recommends for its secondary limits. */
const unnamedWait = 60_000;

export function createPace({ requestsPerHour = Infinity, signal }: PaceOptions, clock: Clock) {
  let next = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const taken: number[] = [];
  const left = new Map<string, number>();
  const closedUntil = new Map<string, number>();
  return {
    /** Milliseconds until the forge's limits and the operator's allow the next request; 0 when they allow it now. */
    untilOpen(bucket: string): number {
      const now = clock.now();
      while (taken[0] !== undefined && taken[0] <= now - hour) taken.shift();
      const [first] = taken;
      const ownLimit = first && taken.length >= requestsPerHour ? first + hour : 0;
      return Math.max(0, ownLimit - now, (closedUntil.get(bucket) ?? 0) - now);
    },
    /** Waits for a free slot, and then acts. */
    async take<Result>(act: () => Promise<Result>): Promise<Result> {
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
    /** Notes the limits in an answer. @returns milliseconds to wait before a retry; undefined for a final answer. */
    note(bucket: string, { retryAfter, remaining, reset }: ForgeLimits, status: number) {
      if (remaining !== undefined) left.set(bucket, remaining);
      const isUsedUp = remaining === 0 && reset !== undefined;
      if (isUsedUp) closedUntil.set(bucket, Math.min(reset, clock.now() + pauseMax));
      const isNamed = retryAfter !== undefined || isUsedUp;
      const isLimited = status === 429 || ((status === 403 || status === 503) && isNamed);
      if (!isLimited) return undefined;
      const asked = retryAfter ?? (isUsedUp ? reset - clock.now() : unnamedWait);
      return Math.min(Math.max(1000, asked), pauseMax);
    },
    /** The requests left in the bucket that has the fewest left; undefined when the forge states no numbers. */
    remaining: () => (left.size === 0 ? undefined : Math.min(...left.values())),
  };
}

/**
 * Reads Retry-After, X-RateLimit-* (GitHub, in seconds since 1970) and RateLimit-* (GitLab).
 *
 * @param refusal text of a refusal. GitHub names secondary limits there, and often nowhere else.
 * @param now in milliseconds since 1970.
 * @returns `retryAfter`, milliseconds to wait, and `reset`, an instant like `now`.
 */
export function readLimits(headers: Headers, refusal: string, now: number) {
  const number = (name: string): number | undefined => {
    const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  // A self-hosted server without limits may say that 0 of 0 requests are left.
  const isLimited = number("limit") !== 0;
  const reset = number("reset");
  const isSecondary = /secondary rate limit/i.test(refusal);
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  return {
    retryAfter: retryAfter ?? (isSecondary ? unnamedWait : undefined),
    remaining: isLimited ? number("remaining") : undefined,
    reset: isLimited && reset !== undefined ? reset * 1000 : undefined,
  };
}

type ForgeLimits = ReturnType<typeof readLimits>;

function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : until - now;
}
