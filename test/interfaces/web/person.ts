/** Somebody at a browser, without the browser: keeps cookies, opens pages, sends their forms as they stand there. */
import { expect } from "bun:test";
import { takeCookies } from "../../accounts/sign-in/browser.ts";
import type { TestAppliance } from "../../appliance.ts";

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Path and query of where it is, after redirects. */
  readonly at: string;
}

export interface Person {
  readonly jar: Map<string, string>;
  /** Follows redirects within Roster. */
  open(path: string): Promise<Page>;
  /** One request, nothing followed. */
  ask(path: string, init?: RequestInit): Promise<Page>;
  /** Opens the page, takes its token, sends the form of this act, follows. */
  send(path: string, act: string, fields?: Record<string, string>): Promise<Page>;
  /** The token of the forms on a page. */
  tokenOn(path: string): Promise<string>;
}

export const goodPassword = "quiet-otter-climbs-42";
const origin = "http://127.0.0.1:7171";

export function openPerson(roster: Pick<TestAppliance, "handle">): Person {
  const jar = new Map<string, string>();
  const ask: Person["ask"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...jar].map((pair) => pair.join("=")).join("; "));
    // Browsers keep the fragment to themselves.
    const [sent] = path.split("#");
    const response = await roster.handle(new Request(`${origin}${sent}`, { ...init, headers }));
    takeCookies(jar, response.headers.getSetCookie());
    const { status } = response;
    return { status, headers: response.headers, text: await response.text(), at: path };
  };
  const followed = async (page: Page): Promise<Page> => {
    const location = page.headers.get("location");
    return location === null ? page : followed(await ask(location));
  };
  const tokenOn = async (path: string) => tokenIn((await ask(path)).text);
  return {
    jar,
    ask,
    tokenOn,
    open: async (path) => followed(await ask(path)),
    send: async (path, act, fields = {}) => {
      const token = await tokenOn(path);
      return followed(await ask(path, form({ token, act, ...fields })));
    },
  };
}

/** Somebody at a browser before a server that listens at this address. */
export function openPersonAt(address: string): Person {
  return openPerson({
    handle: (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, body } = request;
      const headers = new Headers(request.headers);
      headers.set("origin", address);
      return fetch(address + pathname + search, { method, headers, body, redirect: "manual" });
    },
  });
}

export function form(fields: Record<string, string>): RequestInit {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin };
  return { method: "POST", headers, body: new URLSearchParams(fields).toString() };
}

export const tokenIn = (html: string) => /name="token" value="([0-9a-f]+)"/.exec(html)?.[1] ?? "";

/** Markup as people read it. */
export const readable = (html: string) =>
  html
    .replaceAll("<wbr/>", "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** Expects an answer of this status, with these words in its text. */
export function expectAnswer(
  { status, text }: Pick<Page, "status" | "text">,
  as: number,
  words: string,
) {
  expect([status, readable(text)]).toEqual([as, expect.stringContaining(words)]);
}

/** The calls of this month that an account was charged. */
export async function countCalls({ modules }: TestAppliance, email: string): Promise<number> {
  const account = await modules.accounts.find(email);
  return (await modules.quota.usage({ accountId: account?.id ?? "" })).month.used;
}

/** Takes an account by invitation, as its holder would. */
export async function invited(
  roster: TestAppliance,
  email: string,
  account: { readonly administrator?: boolean; readonly callsPerMonth?: number } = {},
): Promise<Person> {
  const { accounts } = roster.modules;
  await accounts.createWithoutKey({ email, plan: "pro", ...account });
  const { token } = await accounts.makeLink(email, "invitation");
  const person = openPerson(roster);
  const page = await person.send(`/invitation?token=${token}`, "redeem", {
    password: goodPassword,
  });
  if (page.at !== "/") throw new Error(`not signed in: ${readable(page.text)}`);
  return person;
}
