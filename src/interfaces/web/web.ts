/**
 * The web interface: pages for people, made on the server, that work without a script and look alike everywhere. The HTTP
 * interface mounts their routes when somebody first asks for something that it does not have itself.
 */
import type { LateRoutes, Route } from "../../network/route.ts";
import { answerPage, answerUnknownPage, type WebContext } from "./dispatch.ts";
import { assetRoutes } from "./look/assets.ts";
import { createNotices } from "./notices.ts";
import { createForms } from "./origin.ts";
import type { WebModules } from "./page.ts";
import { pages } from "./pages.ts";

export type { WebModules } from "./page.ts";

interface WebOptions {
  readonly modules: WebModules;
  readonly now: () => Date;
  readonly log: WebContext["log"];
  /** Fit for secrets. Default: the system's. */
  readonly random?: (bytes: number) => Uint8Array;
}

export function createWeb({ modules, now, log, random = systemRandom }: WebOptions): LateRoutes {
  const { publicUrl } = modules;
  const forms = createForms({ publicUrl, random });
  const context: WebContext = { modules, forms, notices: createNotices(now), now, log };
  return {
    routes: [
      ...assetRoutes,
      ...pages.map((page): Route => {
        return {
          path: page.path,
          methods: page.actions ? ["GET", "POST"] : ["GET"],
          handle: (...asked) => answerPage(page, asked, context),
        };
      }),
    ],
    answerUnknown: async (request, visit) =>
      isBrowsing(request) ? answerUnknownPage(request, visit, context) : undefined,
  };
}

/** Somebody who looks for a page, and not for an operation. */
function isBrowsing({ method, headers, url }: Request): boolean {
  const wantsPage = headers.get("accept")?.includes("text/html") ?? false;
  return method === "GET" && wantsPage && !new URL(url).pathname.startsWith("/v1");
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
