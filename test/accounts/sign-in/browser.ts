/** A browser in front of an appliance: keeps cookies, fills in forms by calling what the pages call. */
import type { RequestOrigin, SignInOutcome, Visitor } from "../../../src/accounts/accounts.ts";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../../appliance.ts";

export const goodPassword = "quiet-otter-climbs-42";

export interface Browser {
  /** A GET of a page, with the cookies. */
  request(path?: string): Request;
  /** Takes the cookies of an outcome that must be good. */
  take(outcome: SignInOutcome<{ cookies: readonly string[] }>): void;
  readonly from: RequestOrigin;
  readonly jar: Map<string, string>;
}

export function openBrowser({ config }: TestAppliance, address = "192.0.2.1"): Browser {
  const jar = new Map<string, string>();
  return {
    jar,
    from: { address, userAgent: "Test browser" },
    request: (path = "/") =>
      new Request(`${config.publicUrl}${path}`, {
        headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
      }),
    take: (outcome) => {
      if (!outcome.ok) throw new Error(outcome.message);
      takeCookies(jar, outcome.cookies);
    },
  };
}

export function takeCookies(jar: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [name = "", value = ""] = line.slice(0, line.indexOf(";")).split("=", 2);
    if (/Max-Age=0/.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}

/** An appliance without people that has an address but does not listen. */
export function openSignInAppliance(options: TestOptions = {}): Promise<TestAppliance> {
  const config = { publicUrl: "http://127.0.0.1:7171", ...options.config };
  return openTestAppliance({ people: [], ...options, config });
}

/** @returns who is signed in at this browser. */
export async function visitorOf({ signIn }: TestAppliance, browser: Browser): Promise<Visitor> {
  const visitor = await signIn.visitor(browser.request());
  if (!visitor) throw new Error("nobody is signed in");
  return visitor;
}

/** Makes an account by invitation and signs in to it. */
export async function signedIn(
  appliance: TestAppliance,
  email: string,
  address?: string,
): Promise<Browser> {
  const { accounts } = appliance.modules;
  await accounts.createWithoutKey({ email, plan: "pro" });
  const { token } = await accounts.makeLink(email, "invitation");
  const browser = openBrowser(appliance, address);
  browser.take(await appliance.signIn.redeem(token, { password: goodPassword }, browser.from));
  return browser;
}
