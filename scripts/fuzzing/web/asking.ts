/** Opens a page or sends a form several times at once, and checks that it is charged once and only if it is answered. */
import type { Browser, Page } from "./browser.ts";
import type { Question, Sending } from "./questions.ts";
import { password } from "./sign-in.ts";

type Hold = (page: Page, path: string) => Page;

/** Pages that link to existing addresses for the `:word` of another page. */
const indexes: Readonly<Record<string, string>> = {
  "/saved/lists/:id": "/saved",
  "/saved/searches/:id": "/saved",
  "/admin/accounts/:id": "/admin/accounts",
};

/** @returns the calls of this month as the account page shows them; undefined when signed out. */
export async function countCalls({ ask }: Browser): Promise<number | undefined> {
  const { status, text } = await ask("/account");
  const [, used] = /class="meter-used">([^<]*)</.exec(text) ?? [];
  return status === 200 && used !== undefined ? Number(used.replaceAll(/\D/g, "")) : undefined;
}

/** @throws an Error when more than one call was charged for the answers, or when a check fails. */
export async function askAtOnce(browser: Browser, question: Question, hold: Hold): Promise<void> {
  const { page, query, times, isAhead, address } = question;
  const at = await findAddress(browser, question);
  const path = query.length === 0 ? at : `${at}?${encode(query)}`;
  const headers = { "x-forwarded-for": address, ...(isAhead && { "sec-purpose": "prefetch" }) };
  await holdCharge(browser, page, async () => {
    const shown = await Promise.all(
      Array.from({ length: times }, () => browser.ask(path, { headers })),
    );
    if (isAhead) {
      const other = shown.find(({ status }) => status !== 503);
      if (other) throw new Error(`${other.status} ahead of time at ${page}`);
      return 0;
    }
    const isAnswered = shown.some((one) => [200, 404].includes(hold(one, path).status));
    if (!isAnswered) return 0;
    return page === "/compare" ? comparedMax : 1;
  });
}

const comparedMax = 4;

/** @throws an Error as `askAtOnce` does. */
export async function sendAtOnce(browser: Browser, sending: Sending, hold: Hold): Promise<void> {
  const { visitor, page, act, query, times, address } = sending;
  const path = await findAddress(browser, sending);
  const { forms } = await browser.ask(visitor === "nobody" ? "/sign-in" : "/account/security");
  const token = forms.flatMap(({ fields }) => fields).find(({ name }) => name === "token")?.value;
  const body = encode([["token", token ?? ""], ["act", act], ...query]).replaceAll(
    "%7Bpassword%7D",
    password,
  );
  const headers = {
    ...{ origin: browser.origin, "sec-fetch-site": "same-origin", "x-forwarded-for": address },
    "content-type": "application/x-www-form-urlencoded",
  };
  await holdCharge(browser, `${page} ${act}`, async () => {
    const sent = await Promise.all(
      Array.from({ length: times }, () => browser.ask(path, { method: "POST", headers, body })),
    );
    for (const one of sent) hold(one, path);
    return page.startsWith("/saved") ? 1 : 0;
  });
}

/** @param work returns the most calls that it may cost. */
async function holdCharge(
  browser: Browser,
  what: string,
  work: () => Promise<number>,
): Promise<void> {
  const before = await countCalls(browser);
  const most = await work();
  const after = await countCalls(browser);
  if (before === undefined || after === undefined || after - before <= most) return;
  throw new Error(`${what} was charged ${after - before} calls, and may cost ${most}`);
}

async function findAddress(
  browser: Browser,
  { page, word }: Pick<Question, "page" | "word">,
): Promise<string> {
  if (!page.includes("/:")) return page;
  const index = indexes[page];
  const isOne = new RegExp(`^${page.replace(/:\w+/, "[^/?]+")}$`);
  const links = word === undefined && index ? (await browser.ask(index)).links : [];
  const known = links.find((link) => isOne.test(link));
  // An empty word would be the address of another page.
  const filled = encodeURIComponent((word ?? "ada-example").toWellFormed()) || "-";
  return known ?? page.replace(/:\w+/, filled.replace(/^\.{1,2}$/, "-"));
}

const encode = (pairs: Question["query"]) =>
  pairs
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="))
    .join("&");
