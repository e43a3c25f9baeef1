/** Limits the large request bodies that are read at once, because each takes memory. */
import { Problem } from "../contract/problem.ts";

/** Bodies of at most this size are not limited. */
const largeBytes = 64 * 1024;
/** The most bytes that large bodies of one kind may have at once. */
const heldMax = 64 * 1024 * 1024;
/** The most large bodies that one sender may send at once. */
const bodiesPerSender = 2;
const retryAfterSeconds = 5;

interface LargeBody {
  readonly bytes: number;
  /** Each kind of body has its own limit. */
  readonly kind: number;
  /** Undefined for anonymous senders. */
  readonly sender: string | undefined;
}

export function createBodyPlaces() {
  const held = createSums<number>();
  const bodies = createSums<string>();
  return {
    /** @returns a function that releases the memory. @throws Problem with status 503 if a limit is reached (decision 36). */
    take({ bytes, kind, sender }: LargeBody): () => void {
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

/** Creates sums by key. A sum of zero takes no memory. */
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
