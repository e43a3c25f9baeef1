/** The pages and the sign-in of assistants, to a stranger, a user and an administrator. */
import { defineTarget, type OpenTarget } from "../campaign.ts";
import { describeServer, type Server, startServer } from "../program.ts";
import { weighted } from "../weighted.ts";
import { askAtOnce, countCalls, sendAtOnce } from "./asking.ts";
import { type AssistantCall, assistantCalls } from "./assistant-calls.ts";
import { type Browser, cookiesOf, type Form, openBrowser, type Page } from "./browser.ts";
import { type Question, questions, type Sending, sendings } from "./questions.ts";
import { type Person, password, signIn } from "./sign-in.ts";
import { type Visit, type Visitor, visits } from "./visits.ts";

export const openWebTarget: OpenTarget = async (folder) => {
  const flags = ["--trusted-proxies", "127.0.0.1", "--sign-up", "open"];
  const server = await startServer(folder, flags);
  const people: Record<Visitor, Person> = {
    nobody: { email: "nobody@example.com", browser: openBrowser(server.address) },
    user: { email: "user@example.com", browser: openBrowser(server.address) },
    administrator: { email: "root@example.com", browser: openBrowser(server.address) },
  };
  // Without this, most pages would soon answer that the quota is exceeded.
  const plan = ["--plan", "pro", "--calls-per-month", "unlimited", "--calls-per-day", "unlimited"];
  await server.command("account", "create", people.user.email, ...plan);
  await server.command("account", "create", people.administrator.email, ...plan, "--administrator");
  const client = await registerClient(server);
  const restore = async (visitor: Visitor) => {
    const person = people[visitor];
    if (visitor === "nobody") person.browser = openBrowser(server.address);
    else await signIn(server, person);
  };
  await restore("user");
  await restore("administrator");
  const statuses = new Map<number, number>();
  const hold = (page: Page, path: string) => {
    statuses.set(page.status, (statuses.get(page.status) ?? 0) + 1);
    checkPage(page, path, server.address);
    return page;
  };
  return defineTarget<Visit | AssistantCall | Question | Sending>({
    cases: weighted([4, visits], [1, assistantCalls], [4, questions], [2, sendings]),
    tryCase: async (one) => {
      const { browser } = people[one.visitor];
      if (one.kind === "question" || one.kind === "sending") {
        if (one.kind === "question") await askAtOnce(browser, one, hold);
        else await sendAtOnce(browser, one, hold);
        const isIn = (await countCalls(browser)) !== undefined;
        if (isIn === (one.visitor === "nobody")) await restore(one.visitor);
        return;
      }
      if (one.kind === "assistant") {
        hold(await callAsAssistant(browser, one, client), one.path);
        return;
      }
      const page = await walk(browser, one, hold, people);
      const isOut = page.headers.get("location")?.startsWith("/sign-in") ?? false;
      const hasLeft = /^\/(account|admin)/.test(one.path) && isOut && one.cookies === "own";
      // Cases sign people out, change passwords and disable accounts.
      if (one.visitor === "nobody" ? browser.jar.size > 1 : hasLeft) await restore(one.visitor);
    },
    reproduce: (one) => JSON.stringify(one),
    ...describeServer(server, statuses),
  });
};

type Hold = (page: Page, path: string) => Page;

/** @returns the last page. */
async function walk(
  browser: Browser,
  visit: Visit,
  hold: Hold,
  people: Record<Visitor, Person>,
): Promise<Page> {
  const forwarded = { "x-forwarded-for": visit.address };
  let path = visit.path;
  const isAhead = "sec-purpose" in visit.headers;
  const opened = await browser.ask(path, { headers: { ...forwarded, ...visit.headers } });
  if (isAhead && opened.status === 503) return opened;
  let page = hold(opened, path);
  const link = visit.hop === undefined ? undefined : page.links[visit.hop % page.links.length];
  if (link) {
    path = link;
    page = hold(await browser.ask(path, { headers: forwarded }), path);
  }
  const form = page.forms[visit.form % page.forms.length];
  if (!form) return page;
  const headers: Record<string, string> = { ...forwarded, ...visit.headers };
  const cookie = otherCookies(visit, people);
  if (cookie !== undefined) headers["cookie"] = cookie;
  const email = people[visit.visitor].email;
  const body = filledIn(form, visit)
    .replaceAll("%7Bpassword%7D", password)
    .replaceAll("%7Bemail%7D", encodeURIComponent(email));
  const action = form.action || path;
  if (form.method.toLowerCase() === "get")
    return hold(await browser.ask(`${action.split("?")[0]}?${body}`, { headers }), action);
  headers["content-type"] ??= "application/x-www-form-urlencoded";
  const sent = hold(await browser.ask(action, { method: "POST", headers, body }), action);
  const next = sent.headers.get("location");
  return next?.startsWith("/") ? hold(await browser.ask(next, { headers: forwarded }), next) : sent;
}

function filledIn({ fields }: Form, { changes, more, without }: Visit): string {
  const given = fields.map(({ name, value, options }) => [name, value || (options[0] ?? "")]);
  // The token and the act mostly stay, because the server refuses a form without them at once.
  const own = given.filter(([name]) => name !== "token" && name !== "act");
  for (const { field, value } of changes) {
    const changed = own[field % Math.max(1, own.length)];
    if (changed) changed[1] = value;
  }
  if (without !== undefined) given.splice(without % Math.max(1, given.length), 1);
  return [...given, ...more]
    .map((pair) => pair.map((text) => encodeURIComponent((text ?? "").toWellFormed())).join("="))
    .join("&");
}

function otherCookies(
  { cookies, visitor }: Visit,
  people: Record<Visitor, Person>,
): string | undefined {
  if (cookies === "none") return "";
  if (cookies === "odd")
    return `${cookiesOf(people[visitor].browser.jar)}; roster-forms=x; a=%ff; =;;`;
  if (cookies === "other")
    return cookiesOf(people[visitor === "user" ? "administrator" : "user"].browser.jar);
  return undefined;
}

function callAsAssistant(browser: Browser, call: AssistantCall, client: string): Promise<Page> {
  const { method, path, query, type, body, address } = call;
  const filled = (text: string) => text.replaceAll("%7Bclient%7D", client);
  return browser.ask(`${path}${query ? `?${filled(query)}` : ""}`, {
    method,
    headers: { "content-type": type, "x-forwarded-for": address },
    ...(body === undefined ? {} : { body: filled(body) }),
  });
}

function checkPage({ status, headers, isMarked }: Page, path: string, address: string): void {
  const shown = path.split("?")[0];
  if (status >= 500) throw new Error(`${status} at ${shown}`);
  if (isMarked) throw new Error(`markup comes back as markup at ${shown}`);
  const policy = headers.get("content-security-policy") ?? "";
  // The page of the API loads its own pictures from data: addresses.
  const isStrict = !/unsafe|\*|https?:|(?<!img-src 'self' )data:/.test(policy);
  if (!policy.includes("default-src 'none'") || !isStrict) {
    throw new Error(`the policy at ${shown} is "${policy}"`);
  }
  const location = headers.get("location");
  if (location === null || path.startsWith("/oauth2") || path.startsWith("/consent")) return;
  if (new URL(location, address).origin !== address)
    throw new Error(`${shown} leads to ${location}`);
}

async function registerClient({ address }: Server): Promise<string> {
  const body = JSON.stringify({ client_name: "Fuzz", redirect_uris: ["http://127.0.0.1:4000/cb"] });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/oauth2/register`, { method: "POST", headers, body });
  return ((await response.json()) as { client_id: string }).client_id;
}
