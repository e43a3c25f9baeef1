export type Windows = ReturnType<typeof getWindows>;

/** @package Returns the UTC month and the UTC day of an instant (decision 21). */
export function getWindows(instantMs: number) {
  const at = new Date(instantMs);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const iso = at.toISOString();
  return {
    month: {
      name: iso.slice(0, 7),
      startsMs: Date.UTC(year, month, 1),
      endsMs: Date.UTC(year, month + 1, 1),
    },
    day: {
      name: iso.slice(0, 10),
      startsMs: Date.UTC(year, month, day),
      endsMs: Date.UTC(year, month, day + 1),
    },
  };
}

const retainedMonths = 13;

/** @package Returns the oldest month to keep, e.g. `2025-10`. Counts of earlier months and days can be deleted. */
export function pruneBefore(instantMs: number): string {
  const at = new Date(instantMs);
  const oldest = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - retainedMonths, 1);
  return new Date(oldest).toISOString().slice(0, 7);
}

/** @package Rounds an instant down to the minute. Rounded times of use are written at most once a minute. */
export function toMinute(instantMs: number): number {
  return Math.floor(instantMs / 60_000) * 60_000;
}

/** The time in which a call with a known Idempotency-Key is a repeat. */
export const repeatableMs = 600_000;
