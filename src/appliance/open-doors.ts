/** The doors of a serving Roster, all on one port: REST, MCP, the authorization server, the pages. */
import { openAccounts, openSignIn, type SignIn } from "../accounts/accounts.ts";
import { addressOf, type Config } from "../config/config.ts";
import { type HttpDoor, openHttp } from "../doors/http/http.ts";
import { mcpRoutes } from "../doors/mcp/mcp.ts";
import type { WebDoor } from "../doors/web/web.ts";
import type { Folder, Surroundings } from "./folder.ts";

export interface Doors {
  readonly http: HttpDoor;
  readonly signIn: SignIn;
}

/** @param faults why calls cannot be served now; empty when they can. */
export function openDoors(
  { rooms, control }: Pick<Folder, "rooms" | "control">,
  config: Config,
  around: Surroundings,
  faults: () => readonly string[],
): Doors {
  const { now, log, version, newId } = around;
  let address = config.publicUrl;
  const publicUrl = () => address;
  const signIn = openSignIn(control, {
    now,
    log,
    publicUrl,
    signUpMode: config.signIn.signUp,
    allowRegistration: config.signIn.assistantsRegister,
    registrationsPerHour: config.assistants.registrationsPerHour,
    privateRedirects: config.assistants.privateRedirects,
    providers: config.signIn.providers,
  });
  const { apiKeys: acceptsKeys, detail } = config.mcp;
  const mcp = mcpRoutes({ rooms, signIn, log, version, publicUrl, acceptsKeys, detail });
  const { accounts, quota } = rooms;
  const actingAs = (actor: string) => openAccounts(control, { now, actor });
  const webRooms = { signIn, accounts, actingAs, quota, control, publicUrl };
  let opening: Promise<WebDoor> | undefined;
  const web = () => {
    opening ??= import("../doors/web/web.ts")
      .then(({ openWeb }) => openWeb({ rooms: webRooms, now, log }))
      .catch((error) => {
        // Whoever comes next tries again: a moment without descriptors must not cost the pages for good.
        opening = undefined;
        throw error;
      });
    return opening;
  };
  const door = openHttp({
    ...{ rooms, newId, log, version, publicUrl, faults },
    routes: [...mcp, ...signIn.routes],
    elsewhere: async (request, visit) => (await web()).answer(request, visit),
    trustedProxies: config.trustedProxies,
  });
  const listen: HttpDoor["listen"] = (at) => {
    // 0.0.0.0 is where it listens, not where anybody can call it.
    const listening = addressOf(at.host, Number(new URL(door.listen(at)).port || "80"));
    // A free port is known only now; an address that the operator gave stands.
    if (config.publicUrl === addressOf(config.host, config.port)) address = listening;
    return listening;
  };
  return { http: { ...door, listen }, signIn };
}
