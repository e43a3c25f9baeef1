/**
 * The web interface: pages that are rendered on the server and work without a script. The HTTP interface loads them at the first
 * request for a page.
 */
import { Problem } from "../../contract/problem.ts";
import type { LateRoutes, Route } from "../../network/route.ts";
import type { Log } from "../../operations/log-call.ts";
import type { Modules } from "../../operations/operation.ts";
import { createCalls } from "./calls.ts";
import { answerPage, answerProblemPage, createNotices, type WebContext } from "./dispatch.ts";
import { createForms } from "./form-tokens.ts";
import { keepValues } from "./kept-values.ts";
import { assetRoutes } from "./look/assets.ts";
import type { WebModules } from "./page.ts";
import { pages } from "./pages.ts";
import { createReturnPathCheck } from "./return-path.ts";

export type * from "./admin/administration.ts";
export type { WebModules } from "./page.ts";
export { runSearchAgain } from "./saved/saved-actions.ts";

interface WebOptions {
  readonly modules: GivenModules;
  readonly now: () => Date;
  readonly log: Log;
  readonly random?: (bytes: number) => Uint8Array;
}

interface GivenModules
  extends Omit<WebModules, "pool" | "index" | "listRepositories" | "checkedSources"> {
  /** The modules of the server. Pages get only parts of them. */
  readonly operating: Modules;
}

/** How long a checked source, with its token, stays in memory until it is saved. */
const checkedSourceMs = 10 * 60_000;

/** How long the texts of a form wait for a sign-in. */
const typedMs = 10 * 60_000;

export function createWeb(options: WebOptions): LateRoutes {
  const { now, log, random = systemRandom } = options;
  const { operating, ...given } = options.modules;
  const { pool, search: index, knowledge } = operating;
  const modules: WebModules = {
    ...{ ...given, pool, index },
    listRepositories: () => knowledge.repositories(),
    checkedSources: keepValues(now, checkedSourceMs),
  };
  const { publicUrl } = modules;
  const forms = createForms({ publicUrl, random });
  const calls = createCalls(operating, log);
  const notices = createNotices(now);
  const typed: WebContext["typed"] = keepValues(now, typedMs);
  const isReturnPath = createReturnPathCheck(pages);
  const context: WebContext = { modules, calls, forms, notices, typed, isReturnPath, now, log };
  return {
    routes: [
      ...assetRoutes,
      ...pages.map(
        (page): Route => ({
          path: page.path,
          methods: page.actions ? ["GET", "POST"] : ["GET"],
          handle: (...call) => answerPage(page, call, context),
        }),
      ),
    ],
    answerUnknown: async (request, metadata) =>
      isBrowsing(request)
        ? answerProblemPage(unknownPage, [request, metadata, {}], context)
        : undefined,
  };
}

const unknownPage = new Problem("not_found", { message: "There is no such page." });

function isBrowsing({ method, url, headers }: Request): boolean {
  const wantsPage = headers.get("accept")?.includes("text/html") ?? false;
  return method === "GET" && wantsPage && !new URL(url).pathname.startsWith("/v1");
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
