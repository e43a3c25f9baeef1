/**
 * The web door: pages for people, made on the server, that work without a script and look alike everywhere. The HTTP
 * door hands it whatever is none of its own routes; so it is loaded when somebody first opens a page.
 */
import type { Visit, WrongMethod } from "../../contract/http/route.ts";
import { answerPage, type Desk, lostPage } from "./dispatch.ts";
import { assetAt } from "./look/assets.ts";
import type { WebRooms } from "./page.ts";
import { pages } from "./pages.ts";
import { openNotices } from "./request/notices.ts";
import { openForms } from "./request/origin.ts";
import { paramsOf } from "./request/params.ts";

export type { WebRooms } from "./page.ts";

export interface WebOptions {
  readonly rooms: WebRooms;
  readonly now: () => Date;
  readonly log: Desk["log"];
  /** Fit for secrets. Default: the system's. */
  readonly random?: (bytes: number) => Uint8Array;
}

export interface WebDoor {
  /** @returns `undefined` where there is neither a page nor somebody who looks for one; or the methods that a page takes. */
  answer(request: Request, visit: Visit): Promise<Response | WrongMethod | undefined>;
}

export function openWeb({ rooms, now, log, random = systemRandom }: WebOptions): WebDoor {
  const { publicUrl } = rooms;
  const forms = openForms({ publicUrl, random });
  const desk: Desk = { rooms, forms, notices: openNotices(now), now, log };
  return {
    answer: async (request, visit) => {
      const { pathname } = new URL(request.url);
      const file = assetAt(pathname);
      if (file) return file;
      const page = pages.find(({ path }) => paramsOf(path, pathname));
      if (page) {
        const allow = page.acts ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
        return allow.includes(request.method) ? answerPage(page, request, visit, desk) : { allow };
      }
      return isBrowsing(request) ? lostPage(request, visit, desk) : undefined;
    },
  };
}

/** Somebody who looks for a page, and not for an operation. */
function isBrowsing({ method, headers, url }: Request): boolean {
  const wantsPage = headers.get("accept")?.includes("text/html") ?? false;
  return method === "GET" && wantsPage && !new URL(url).pathname.startsWith("/v1");
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
