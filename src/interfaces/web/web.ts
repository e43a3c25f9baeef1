/**
 * The web interface: pages for people, rendered on the server, which work without a script. The HTTP interface mounts
 * their routes on the first request for a path that it does not have itself.
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
  /** A cryptographically secure source. Default: the system's. */
  readonly random?: (bytes: number) => Uint8Array;
}

export function createWeb({ modules, now, log, random = systemRandom }: WebOptions): LateRoutes {
  const { publicUrl } = modules;
  const forms = createForms({ publicUrl, random });
  const context: WebContext = { modules, forms, notices: createNotices(now), now, log };
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
      isBrowsing(request) ? answerUnknownPage(request, metadata, context) : undefined,
  };
}

/** Whether a browser looks for a page, not for an operation. */
function isBrowsing({ method, headers, url }: Request): boolean {
  const wantsPage = headers.get("accept")?.includes("text/html") ?? false;
  return method === "GET" && wantsPage && !new URL(url).pathname.startsWith("/v1");
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
