/** Limits the rate of requests: at most two at once, at most ten a second, and never more than the forge allows. */

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
/** @package The longest wait, in milliseconds. */
export const pauseMax = 24 * hour;
/** Milliseconds to wait after a refusal that states no time. */
const unnamedWait = 60_000;

export function createPace({ requestsPerHour = Infinity, signal }: PaceOptions, clock: Clock) {
  let next = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const taken: number[] = [];
  const left = new Map<string, number>();
  const closedUntil = new Map<string, number>();
  return {
    /** Returns the milliseconds until the next request is allowed; 0 if it is allowed now. */
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
    /** Notes the limits in an answer. @returns milliseconds until the retry; undefined if the answer needs no retry. */
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
    /** The fewest requests left in any bucket; undefined when the forge states no numbers. */
    remaining: () => (left.size === 0 ? undefined : Math.min(...left.values())),
  };
}

/**
 * Reads the rate limits in the headers of an answer, such as `Retry-After` and `X-RateLimit-Remaining`.
 * @param refusal text of a refusal, which may mention a secondary rate limit. @param now in milliseconds since 1970.
 * @returns `retryAfter` in milliseconds from now, and `reset` in milliseconds since 1970.
 */
export function readLimits(headers: Headers, refusal: string, now: number) {
  const number = (name: string): number | undefined => {
    const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  // A server without limits may state a limit of 0.
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
