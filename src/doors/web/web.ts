/**
 * The web door: pages for people, made on the server, that work without a script and look alike everywhere. It offers
 * them as routes that the HTTP door serves.
 */
import type { Route, Visit } from "../../contract/http/route.ts";
import { asRoute, type Desk, lostPage } from "./dispatch.ts";
import { assetRoutes } from "./look/assets.ts";
import type { WebRooms } from "./page.ts";
import { pages } from "./pages.ts";
import { openNotices } from "./request/notices.ts";
import { openForms } from "./request/origin.ts";

export type { WebRooms } from "./page.ts";

export interface WebOptions {
  readonly rooms: WebRooms;
  readonly now: () => Date;
  readonly log: Desk["log"];
  /** Fit for secrets. Default: the system's. */
  readonly random?: (bytes: number) => Uint8Array;
}

export interface WebDoor {
  readonly routes: readonly Route[];
  /** What a browser sees where no route is. */
  lost(request: Request, visit: Visit): Promise<Response>;
}

export function openWeb({ rooms, now, log, random = systemRandom }: WebOptions): WebDoor {
  const { publicUrl } = rooms;
  const forms = openForms({ publicUrl, random });
  const desk: Desk = { rooms, forms, notices: openNotices(now), now, log };
  return {
    routes: [...assetRoutes, ...pages.map((page) => asRoute(page, desk))],
    lost: (request, visit) => lostPage(request, visit, desk),
  };
}

const systemRandom = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
