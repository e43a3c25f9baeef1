/** Bounds the large bodies that are being read: each holds its bytes in memory until the last one has come. */
import { Problem } from "../contract/problem.ts";

/** Smaller bodies need no place. */
const largeBytes = 64 * 1024;
/** Of all bodies of one kind at once. */
const heldMax = 64 * 1024 * 1024;
/** Of one sender: a person has two pages open. */
const bodiesPerSender = 2;
const retryAfterSeconds = 5;

interface LargeBody {
  readonly bytes: number;
  readonly kind: number;
  readonly sender: string | undefined;
}

export interface BodyPlaces {
  /**
   * @param kind bodies of different kinds do not displace each other.
   * @param sender who is known to send it; undefined for anybody.
   * @returns a function that gives the place back.
   * @throws Problem internal with status 503 and Retry-After (decision 36).
   */
  take(body: LargeBody): () => void;
}

export function createBodyPlaces(): BodyPlaces {
  const held = createSums<number>();
  const bodies = createSums<string>();
  return {
    take({ bytes, kind, sender }) {
      if (bytes <= largeBytes) return () => {};
      const isTooMany = sender !== undefined && bodies.get(sender) >= bodiesPerSender;
      if (isTooMany || held.get(kind) + bytes > heldMax) {
        const message = "too many large bodies are being sent: try again in a moment";
        throw new Problem("internal", { message, status: 503, retryAfterSeconds });
      }
      const add = (sign: 1 | -1) => {
        held.add(kind, sign * bytes);
        if (sender !== undefined) bodies.add(sender, sign);
      };
      add(1);
      return () => add(-1);
    },
  };
}

/** Sums by key; a key without one takes no memory. */
function createSums<Key>() {
  const sums = new Map<Key, number>();
  const get = (key: Key) => sums.get(key) ?? 0;
  const add = (key: Key, more: number) => {
    const sum = get(key) + more;
    if (sum === 0) sums.delete(key);
    else sums.set(key, sum);
  };
  return { get, add };
}
