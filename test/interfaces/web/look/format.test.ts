import { describe, expect, test } from "bun:test";
import {
  formatDevice,
  formatScope,
  formatTimeDistance,
} from "../../../../src/interfaces/web/look/format.ts";

const at = (instant: string) => new Date(instant);
const now = at("2026-11-21T14:30:00Z");

describe("words of the pages", () => {
  test("how far, in two units at most", () => {
    for (const [instant, words] of [
      ["2026-12-01T00:00:00Z", "in 9 days 9 hours"],
      ["2026-11-22T00:00:00Z", "in 9 hours 30 minutes"],
      ["2026-11-21T14:30:30Z", "in less than a minute"],
      ["2026-11-21T14:30:00Z", "just now"],
      ["2026-11-21T14:29:00Z", "1 minute ago"],
      ["2026-11-20T14:29:00Z", "1 day ago"],
      ["2026-11-20T13:29:00Z", "1 day 1 hour ago"],
      ["2026-01-01T00:00:00Z", "324 days ago"],
    ] as const) {
      expect([instant, formatTimeDistance(at(instant), now)]).toEqual([instant, words]);
    }
  });

  test("a browser is told by its own mark, not by those it also names", () => {
    const mozilla = "Mozilla/5.0";
    for (const [userAgent, words] of [
      [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
      [`${mozilla} (Windows NT 10.0) Chrome/156.0.0.0 Safari/537.36 Edg/156.0`, "Edge on Windows"],
      [`${mozilla} (Macintosh; Intel Mac OS X 10_15) Version/19 Safari/605`, "Safari on macOS"],
      [
        `${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/156 Safari/604`,
        "Chrome on iOS",
      ],
      ["curl/8.5.0", "curl/8.5.0"],
      [undefined, "An unnamed program"],
    ] as const) {
      expect(formatDevice(userAgent)).toBe(words);
    }
  });

  test("an unknown scope stands under its own name", () => {
    expect(formatScope("offline_access")).toBe("Stay connected until you disconnect it");
    expect(formatScope("strange")).toBe("strange");
  });
});
