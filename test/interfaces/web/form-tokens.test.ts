/** What ties a form to a browser, and what is said once. */
import { describe, expect, test } from "bun:test";
import { createNotices } from "../../../src/interfaces/web/dispatch.ts";
import { createForms } from "../../../src/interfaces/web/form-tokens.ts";
import { TestClock } from "../../appliance.ts";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const forms = createForms({ publicUrl: () => "https://roster.example", random });
const post = (headers: Record<string, string>, url = "https://roster.example/account") =>
  new Request(url, { method: "POST", headers });

describe("a form", () => {
  test("comes from this origin, as the browser says", () => {
    for (const headers of [
      {},
      { origin: "https://roster.example" },
      { origin: "https://roster.example", "sec-fetch-site": "same-origin" },
    ]) {
      expect(() => forms.refuseForeign(post(headers))).not.toThrow();
    }
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "https://roster.example.evil.example" },
      { origin: "not an origin" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://roster.example", "sec-fetch-site": "cross-site" },
    ]) {
      expect(() => forms.refuseForeign(post(headers))).toThrow("from another site");
    }
  });

  test("may come from the loopback name that the page was opened under", () => {
    const local = createForms({ publicUrl: () => "http://127.0.0.1:7171", random });
    const request = post({ origin: "http://localhost:7171" }, "http://localhost:7171/account");
    expect(() => local.refuseForeign(request)).not.toThrow();
  });

  test("is tied to the browser by a cookie no script and no other site gets", () => {
    const { id, cookies } = forms.browserOf(post({}));
    expect(cookies).toEqual([`__Host-roster-forms=${id}; Path=/; HttpOnly; SameSite=Lax; Secure`]);
    const again = forms.browserOf(post({ cookie: `x=y; __Host-roster-forms=${id}` }));
    expect(again).toEqual({ id, cookies: [] });
    const chosen = forms.browserOf(post({ cookie: "__Host-roster-forms=chosen-by-somebody" }));
    expect(chosen.id).not.toBe("chosen-by-somebody");
  });
});

describe("a notice", () => {
  const secret = { label: "API key", text: "rst_x" };
  const to = { browserId: "b1", accountId: "acc_1", path: "/account/api" };

  test("is given once, on its page, to its browser", () => {
    const notices = createNotices(() => new Date(0));
    notices.put({ text: "done" }, to);
    expect(notices.take({ ...to, path: "/account" })).toBeUndefined();
    expect(notices.take({ ...to, browserId: "b2" })).toBeUndefined();
    expect(notices.take(to)).toEqual({ text: "done" });
    expect(notices.take(to)).toBeUndefined();
  });

  test("with a secret is gone when another account takes it", () => {
    const notices = createNotices(() => new Date(0));
    notices.put({ text: "done", secret }, to);
    expect(notices.take({ ...to, accountId: "acc_2" })).toBeUndefined();
    expect(notices.take(to)).toBeUndefined();
  });

  test("is kept for two minutes, and only so many are", () => {
    const clock = new TestClock("2026-11-21T12:00:00Z");
    const notices = createNotices(clock.now);
    notices.put({ text: "old" }, to);
    clock.advance(121);
    expect(notices.take(to)).toBeUndefined();
    for (let n = 0; n <= 1000; n++) notices.put({ text: "many" }, { ...to, browserId: `m${n}` });
    expect(notices.take({ ...to, browserId: "m0" })).toBeUndefined();
    expect(notices.take({ ...to, browserId: "m1000" })).toEqual({ text: "many" });
  });
});
