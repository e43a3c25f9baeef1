/**
 * Answers every request for a page. Checks sign-in, permission, the origin of a form and its fields before the code of the page
 * runs. Errors are answered with a page too.
 */
import { createInvalidRequest, type Problem, toProblem } from "../../contract/problem.ts";
import { compressAnswer } from "../../network/compression.ts";
import { getBasePath } from "../../network/public-url.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { RequestMetadata, Route } from "../../network/route.ts";
import { isSameSecret } from "../../network/same-secret.ts";
import type { Calls } from "./calls.ts";
import { findComplaint, readForm, removeSecrets } from "./form.ts";
import type { Forms } from "./form-tokens.ts";
import { type KeptValues, keepValues } from "./kept-values.ts";
import { renderDocument } from "./look/layout.tsx";
import { renderLeavingPage, renderProblemPage } from "./look/plain-pages.tsx";
import type {
  ActionOutcome,
  Notice,
  Page,
  PageAnswer,
  PageRequest,
  RefusedAction,
  View,
  WebModules,
} from "./page.ts";

export interface WebContext {
  readonly modules: WebModules;
  readonly calls: Calls;
  readonly forms: Forms;
  readonly notices: ReturnType<typeof createNotices>;
  /** The texts of forms that were sent after the session had ended, with the token of the form. */
  readonly typed: KeptValues<Pick<RefusedAction, "act" | "given"> & { readonly token: string }>;
  readonly isReturnPath: PageRequest["isReturnPath"];
  readonly now: () => Date;
  readonly log: { error(about: object, message: string): void };
}

export async function answerPage(
  page: Page,
  call: Parameters<Route["handle"]>,
  context: WebContext,
): Promise<Response> {
  const [request, metadata] = call;
  if (isAheadOfTime(request)) return refuseAheadOfTime();
  const prepared = await prepareRequest(call, context);
  try {
    requireDecodableUrl(request.url);
    const denial = findDenial(page, prepared.ask);
    if (denial) {
      if (!prepared.ask.visitor && request.method === "POST") await keepTyped(prepared, context);
      return await toResponse(denial, prepared);
    }
    return await answerRequest(page, prepared, context);
  } catch (thrown) {
    return await toResponse(renderThrown(thrown, metadata, context), prepared);
  }
}

/** Whether a browser fetches a page in advance, before the user opens it. */
function isAheadOfTime({ method, headers }: Request): boolean {
  const said = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => headers.get(name));
  return method !== "POST" && said.some((one) => /prefetch|prerender|preview/i.test(one ?? ""));
}

/** Refuses prefetching, because a page can cost a call or show a secret that is shown only once. Browsers expect 503 for this. */
const refuseAheadOfTime = () =>
  new Response("This page is answered when it is opened, not ahead of time.\n", {
    status: 503,
    headers: { ...pageHeaders, "content-type": "text/plain; charset=utf-8" },
  });

/** Answers a browser with a page about a problem, such as 404 for a path without a page. */
export async function answerProblemPage(
  problem: Problem,
  call: Parameters<Route["handle"]>,
  context: WebContext,
): Promise<Response> {
  const prepared = await prepareRequest(call, context);
  return toResponse(renderProblemPage(problem, prepared.ask.requestId), prepared);
}

interface PreparedRequest {
  readonly ask: PageRequest;
  readonly browserId: string;
  readonly cookies: readonly string[];
}

async function prepareRequest(
  [request, { address, requestId, note = () => {} }, params]: Parameters<Route["handle"]>,
  context: WebContext,
): Promise<PreparedRequest> {
  const { modules, calls, forms, isReturnPath, now } = context;
  const url = new URL(request.url);
  const visitor = await findVisitor(request, context);
  const { id: browserId, cookies } = forms.browserOf(request);
  const from = { address, userAgent: request.headers.get("user-agent") ?? undefined, request };
  const token = forms.tokenFor(browserId, visitor?.account.id);
  const known = { request, requestId, url, params, from, visitor, modules, calls, note, token };
  const markShown = (login: string) => forms.markShown(visitor?.account.id, login);
  const own = { markShown, isReturnPath, now: now(), newPeople: 0 };
  return { ask: { ...known, ...own, notice: undefined, refused: undefined }, browserId, cookies };
}

const findVisitor = (request: Request, { modules }: WebContext) => modules.signIn.visitor(request);

/**
 * Checks whether the visitor may open this page.
 * @returns a redirect to sign-in, or `undefined` if the visitor may open the page.
 * @throws Problem with status 403 for a visitor who is not an administrator.
 */
function findDenial(
  { audience }: Page,
  { visitor, url, modules }: PageRequest,
): PageAnswer | undefined {
  if (audience === "anyone") return undefined;
  if (!visitor) {
    const isAuthorizing = modules.signIn.continueAfterSignIn(url.search.slice(1)) !== undefined;
    const query = isAuthorizing
      ? url.search
      : `?${new URLSearchParams({ next: url.pathname + url.search })}`;
    return { goTo: `/sign-in${query}` };
  }
  if (audience === "visitor" || visitor.account.administrator) return undefined;
  throw createInvalidRequest("This page is for administrators.", 403);
}

/** Keeps the texts of a form that was sent after the session had ended. After sign-in, the page shows them in its form again. */
async function keepTyped({ ask, browserId }: PreparedRequest, context: WebContext): Promise<void> {
  const { request, url } = ask;
  context.forms.refuseForeign(request);
  let token = "";
  const checkToken = (sent: string) => {
    token = sent;
  };
  const form = await readForm(request, { checkToken }).catch(() => undefined);
  if (!form) return;
  const typed = { token, act: form.act, given: removeSecrets(form.given) };
  context.typed.put(`${browserId} ${url.pathname}`, typed);
  const notice = { text: "Your session ended. Sign in to continue: what you typed is kept." };
  context.notices.put(notice, { browserId, accountId: undefined, path: "/sign-in" });
}

/** Takes the texts that were kept for this page. The token shows that the form was made for the same account and browser. */
function takeTyped({ ask, browserId }: PreparedRequest, { typed }: WebContext) {
  const kept = ask.visitor && typed.take(`${browserId} ${ask.url.pathname}`);
  if (!kept || !isSameSecret(kept.token, ask.token)) return undefined;
  const message = "Your session had ended. Check what you typed, and send it again.";
  return { act: kept.act, given: kept.given, message };
}

async function answerRequest(
  page: Page,
  prepared: PreparedRequest,
  context: WebContext,
): Promise<Response> {
  const { ask, browserId } = prepared;
  if (ask.request.method === "POST") return await runAction(page, prepared, context);
  const to = { browserId, accountId: ask.visitor?.account.id, path: ask.url.pathname };
  const { method, headers } = ask.request;
  // HEAD requests and htmx requests do not show a notice. The notice stays stored for the next request that shows it.
  const isSeen = method === "GET" && !headers.has("hx-request");
  const notice = isSeen ? context.notices.take(to) : undefined;
  const refused = isSeen ? takeTyped(prepared, context) : undefined;
  const seen = { ...prepared, ask: { ...ask, notice, refused } };
  return toResponse(await page.show(seen.ask), seen);
}

async function runAction(
  page: Page,
  first: PreparedRequest,
  context: WebContext,
): Promise<Response> {
  const { request } = first.ask;
  context.forms.refuseForeign(request);
  const { visitor, token: expected } = first.ask;
  // A page with `formBytesMax` has a form that costs a call. Without calls left, the form is refused before it is read.
  if (visitor && page.formBytesMax) {
    await context.modules.quota.refuseIfExhausted({ accountId: visitor.account.id });
  }
  const { act: name, given } = await readForm(request, {
    ...{ bytesMax: page.formBytesMax, sender: visitor?.account.id },
    checkToken: (token) => context.forms.refuseWrongToken(token, expected),
  });
  // Sending a form can take long. The visitor may have been signed out or disabled meanwhile, so access is checked again.
  const prepared = {
    ...first,
    ask: { ...first.ask, visitor: await findVisitor(request, context) },
  };
  const { ask, browserId } = prepared;
  const denial = findDenial(page, ask);
  if (denial) return toResponse(denial, prepared);
  const actions = page.actions ?? {};
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw createInvalidRequest("this page has no such form");
  const complaint = findComplaint(action.fields, given);
  const outcome: ActionOutcome = complaint
    ? { refusal: complaint.message, field: complaint.field }
    : await action.run(ask, given);
  if ("refusal" in outcome) {
    const { refusal: message, field, retryAfterSeconds, cookies = [] } = outcome;
    const again = { ...ask, refused: { act: name, message, field, retryAfterSeconds, given } };
    const retry = { ...prepared, ask: again, cookies: [...prepared.cookies, ...cookies] };
    return toResponse(await page.show(again), retry);
  }
  if ("goTo" in outcome && outcome.notice) {
    const { pathname: path } = new URL(outcome.goTo, ask.url);
    context.notices.put(outcome.notice, { browserId, accountId: ask.visitor?.account.id, path });
  }
  return toResponse(outcome, prepared);
}

function renderThrown(thrown: unknown, { requestId }: RequestMetadata, { log }: WebContext): View {
  const problem = toProblem(thrown);
  if (problem.status >= 500) log.error({ requestId, err: problem.cause ?? problem }, "page failed");
  return renderProblemPage(problem, requestId);
}

/**
 * The referrer policy `same-origin` hides Roster's URLs from other sites. With `no-referrer`, browsers would hide the origin of
 * Roster's own forms too.
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

async function toResponse(
  answer: PageAnswer,
  { ask, cookies }: PreparedRequest,
): Promise<Response> {
  const headers = new Headers(pageHeaders);
  const own = "cookies" in answer ? (answer.cookies ?? []) : [];
  for (const line of [...cookies, ...own]) headers.append("set-cookie", line);
  if ("goTo" in answer) {
    headers.set("location", answer.goTo);
    return new Response(null, { status: 303, headers });
  }
  if ("content" in answer) {
    headers.set("content-type", answer.type);
    const { fileName } = answer;
    if (fileName) headers.set("content-disposition", `attachment; filename="${fileName}"`);
    return new Response(answer.content, { headers });
  }
  const view = "leaveFor" in answer ? renderLeavingPage(answer.leaveFor) : answer;
  const { refused } = ask;
  const wait = refused?.retryAfterSeconds;
  if (wait !== undefined) headers.set("retry-after", String(wait));
  if ("leaveFor" in answer) headers.set("refresh", `0; url=${answer.leaveFor}`);
  const isRefused = refused && ask.request.method === "POST";
  const status = view.status ?? (isRefused ? (wait === undefined ? 400 : 429) : 200);
  const { visitor, modules } = ask;
  const demoPeople = visitor ? await modules.countDemoPeople() : 0;
  // New people in saved searches are counted after the page has run, because the page may mark them as seen.
  const newPeople = visitor ? await modules.control.saved.countNew(visitor.account.id) : 0;
  const document = renderDocument(view, { ...ask, newPeople }, demoPeople);
  return compressPage(ask, document, { status, headers });
}

/**
 * Compresses a page that the user opened from Roster or typed. A page that another site opened is sent as it is: that site could
 * choose words of the request, and learn secrets of the page from the compressed length. Below a base path, the links of a page
 * are still to be changed.
 */
function compressPage(
  { request, modules }: PageRequest,
  document: string,
  init: { readonly status: number; readonly headers: Headers },
): Response {
  const isOwn = /^(same-origin|none)$/.test(request.headers.get("sec-fetch-site") ?? "");
  if (!isOwn || getBasePath(modules.publicUrl()) !== "") return new Response(document, init);
  const { body, headers } = compressAnswer(request, [Buffer.from(document)]);
  for (const [name, value] of Object.entries(headers)) init.headers.set(name, value);
  return new Response(new Blob([...body]), init);
}

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page that will show the notice. */
  readonly path: string;
}

/** How long a notice is stored. The time is short because a notice can contain a secret. */
const noticeMs = 2 * 60_000;

/**
 * Stores the notices of actions until a page shows them. A notice is for one browser and is shown once. A notice with a secret, such
 * as a new key, is shown only to the account that created the secret.
 */
export function createNotices(now: () => Date) {
  const notices = keepValues<{ notice: Notice; accountId: string | undefined }>(now, noticeMs);
  const keyOf = ({ browserId, path }: Addressee) => `${browserId} ${path}`;
  return {
    put: (notice: Notice, to: Addressee) =>
      notices.put(keyOf(to), { notice, accountId: to.accountId }),
    take: (to: Addressee): Notice | undefined => {
      const found = notices.take(keyOf(to));
      if (found?.notice.secret && found.accountId !== to.accountId) return undefined;
      return found?.notice;
    },
  };
}
