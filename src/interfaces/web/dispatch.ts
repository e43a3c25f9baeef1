/**
 * One way through which every page is reached: who is there, may they, was the form ours, are its fields right, and
 * only then the page's own code. Whatever goes wrong on the way is a page too.
 */

import { Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { RequestMetadata, Route } from "../../network/route.ts";
import { findComplaint, readForm } from "./form.ts";
import { renderDocument } from "./look/layout.tsx";
import { renderLeavingPage, renderProblemPage } from "./look/plain-pages.tsx";
import type { Notices } from "./notices.ts";
import type { Forms } from "./origin.ts";
import type {
  ActionOutcome,
  Page,
  PageAnswer,
  PageRequest,
  RefusedAction,
  View,
  WebModules,
} from "./page.ts";

export interface WebContext {
  readonly modules: WebModules;
  readonly forms: Forms;
  readonly notices: Notices;
  readonly now: () => Date;
  readonly log: { error(about: object, message: string): void };
}

export async function answerPage(
  page: Page,
  asked: Parameters<Route["handle"]>,
  context: WebContext,
): Promise<Response> {
  const [request, visit] = asked;
  const prepared = await prepareRequest(asked, context);
  try {
    requireDecodableUrl(request.url);
    const denial = findDenial(page, prepared.ask);
    if (denial) return asResponse(denial, prepared);
    return await answerRequest(page, prepared, context);
  } catch (thrown) {
    return asResponse(problemView(thrown, visit, context), prepared);
  }
}

/** What a browser sees where there is no page. */
export async function answerUnknownPage(
  request: Request,
  visit: RequestMetadata,
  context: WebContext,
): Promise<Response> {
  const prepared = await prepareRequest([request, visit, {}], context);
  const problem = new Problem("not_found", { message: "There is no such page." });
  return asResponse(renderProblemPage(problem, visit.requestId), prepared);
}

/** A request with everything that is found out about it before a page is asked. */
interface PreparedRequest {
  readonly ask: PageRequest;
  readonly browserId: string;
  readonly cookies: readonly string[];
}

async function prepareRequest(
  [request, { address, requestId }, params]: Parameters<Route["handle"]>,
  context: WebContext,
): Promise<PreparedRequest> {
  const { modules, forms, now } = context;
  const url = new URL(request.url);
  const visitor = await visitorOf(request, context);
  const { id: browserId, cookies } = forms.browserOf(request);
  const from = { address, userAgent: request.headers.get("user-agent") ?? undefined, request };
  const token = forms.tokenFor(browserId, visitor?.account.id);
  const nothing = { notice: undefined, refused: undefined };
  const found = { request, requestId, url, params, from, visitor, modules, token, now: now() };
  return { ask: { ...found, ...nothing }, browserId, cookies };
}

const visitorOf = (request: Request, { modules }: WebContext) => modules.signIn.visitor(request);

/** Where somebody goes who may not see this page; `undefined` for those who may. */
function findDenial({ who }: Page, { visitor, url, modules }: PageRequest): PageAnswer | undefined {
  if (who === "anyone") return undefined;
  if (!visitor) {
    const isAssistants = modules.signIn.continueAfterSignIn(url.search.slice(1)) !== undefined;
    const query = isAssistants ? url.search : `?${new URLSearchParams({ next: url.pathname })}`;
    return { goTo: `/sign-in${query}` };
  }
  if (who === "visitor" || visitor.account.administrator) return undefined;
  throw new Problem("invalid_request", {
    status: 403,
    message: "This page is for administrators.",
  });
}

async function answerRequest(
  page: Page,
  prepared: PreparedRequest,
  context: WebContext,
): Promise<Response> {
  const { ask, browserId } = prepared;
  if (ask.request.method === "POST") return await runAction(page, prepared, context);
  const to = { browserId, accountId: ask.visitor?.account.id, path: ask.url.pathname };
  // HEAD shows nothing to anybody, nor does a page that is fetched in case somebody might want it.
  const isSeen = ask.request.method === "GET" && !ask.request.headers.has("sec-purpose");
  const notice = isSeen ? context.notices.take(to) : undefined;
  return asResponse(await page.show({ ...ask, notice }), prepared);
}

async function runAction(
  page: Page,
  first: PreparedRequest,
  context: WebContext,
): Promise<Response> {
  const { request } = first.ask;
  context.forms.refuseForeign(request);
  const { act: name, token, given } = await readForm(request);
  context.forms.refuseWrongToken(token, first.ask.token);
  // A form can be sent as slowly as somebody likes: who was signed out or disabled meanwhile does nothing more.
  const prepared = { ...first, ask: { ...first.ask, visitor: await visitorOf(request, context) } };
  const { ask, browserId } = prepared;
  const denial = findDenial(page, ask);
  if (denial) return asResponse(denial, prepared);
  const actions = page.actions ?? {};
  const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!act) throw new Problem("invalid_request", { message: "this page has no such form" });
  const complaint = findComplaint(act.fields, given);
  const done: ActionOutcome = complaint
    ? { refusal: complaint.message, field: complaint.field }
    : await act.run(ask, given);
  if ("refusal" in done) {
    const { refusal: message, field, retryAfterSeconds, cookies = [] } = done;
    const refused: RefusedAction = { act: name, message, field, retryAfterSeconds, given };
    const again = { ...ask, refused };
    const shown = { ...prepared, ask: again, cookies: [...prepared.cookies, ...cookies] };
    return asResponse(await page.show(again), shown);
  }
  if ("goTo" in done && done.notice) {
    const { pathname: path } = new URL(done.goTo, ask.url);
    context.notices.put(done.notice, { browserId, accountId: ask.visitor?.account.id, path });
  }
  return asResponse(done, prepared);
}

function problemView(thrown: unknown, { requestId }: RequestMetadata, { log }: WebContext): View {
  const problem = toProblem(thrown);
  if (problem.status >= 500) log.error({ requestId, err: problem.cause ?? problem }, "page failed");
  return renderProblemPage(problem, requestId);
}

/**
 * `same-origin` and not `no-referrer`: with the latter, browsers send `Origin: null` with our own forms. No address
 * of ours leaves for another site with either.
 */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
};

function asResponse(answer: PageAnswer, { ask, cookies }: PreparedRequest): Response {
  const headers = new Headers(pageHeaders);
  const own = "cookies" in answer ? (answer.cookies ?? []) : [];
  for (const line of [...cookies, ...own]) headers.append("set-cookie", line);
  if ("goTo" in answer) {
    headers.set("location", answer.goTo);
    return new Response(null, { status: 303, headers });
  }
  const view = "leaveFor" in answer ? renderLeavingPage(answer.leaveFor) : answer;
  const { refused } = ask;
  const wait = refused?.retryAfterSeconds;
  if (wait !== undefined) headers.set("retry-after", String(wait));
  if ("leaveFor" in answer) headers.set("refresh", `0; url=${answer.leaveFor}`);
  const status = view.status ?? (refused ? (wait === undefined ? 400 : 429) : 200);
  return new Response(renderDocument(view, ask), { status, headers });
}
