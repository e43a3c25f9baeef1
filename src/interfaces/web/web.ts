/**
 * The web interface: pages for people, made on the server, that work without a script and look alike everywhere. The HTTP
 * interface hands it whatever is none of its own routes; so it is loaded when somebody first opens a page.
 */
import type { RequestMetadata, WrongMethod } from "../../network/route.ts";
import { answerPage, answerUnknownPage, type WebContext } from "./dispatch.ts";
import { findAsset } from "./look/assets.ts";
import { createNotices } from "./notices.ts";
import { createForms } from "./origin.ts";
import type { WebModules } from "./page.ts";
import { pages } from "./pages.ts";
import { matchPath } from "./params.ts";

export type { WebModules } from "./page.ts";

export interface WebOptions {
  readonly modules: WebModules;
  readonly now: () => Date;
  readonly log: WebContext["log"];
  /** Fit for secrets. Default: the system's. */
  readonly random?: (bytes: number) => Uint8Array;
}

export interface WebPages {
  /** @returns `undefined` where there is neither a page nor somebody who looks for one; or the methods that a page takes. */
  answer(request: Request, visit: RequestMetadata): Promise<Response | WrongMethod | undefined>;
}

export function createWeb({ modules, now, log, random = systemRandom }: WebOptions): WebPages {
  const { publicUrl } = modules;
  const forms = createForms({ publicUrl, random });
  const context: WebContext = { modules, forms, notices: createNotices(now), now, log };
  return {
    answer: async (request, visit) => {
      const { pathname } = new URL(request.url);
      const file = findAsset(pathname);
      if (file) return file;
      const page = pages.find(({ path }) => matchPath(path, pathname));
      if (page) {
        const allow = page.actions ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
        return allow.includes(request.method)
          ? answerPage(page, request, visit, context)
          : { allow };
      }
      return isBrowsing(request) ? answerUnknownPage(request, visit, context) : undefined;
    },
  };
}

/** Somebody who looks for a page, and not for an operation. */
function isBrowsing({ method, headers, url }: Request): boolean {
  const wantsPage = headers.get("accept")?.includes("text/html") ?? false;
  return method === "GET" && wantsPage && !new URL(url).pathname.startsWith("/v1");
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
