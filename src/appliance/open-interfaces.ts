/** The interfaces of a serving Roster, all on one port: REST, MCP, the authorization server, the pages. */
import { createAccounts, createSignIn, type SignIn } from "../accounts/accounts.ts";
import { type Config, getServiceUrl } from "../config/config.ts";
import { createHttp, type HttpServer } from "../interfaces/http/http.ts";
import { createMcpRoutes } from "../interfaces/mcp/mcp.ts";
import type { WebPages } from "../interfaces/web/web.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";

export interface Interfaces {
  readonly http: HttpServer;
  readonly signIn: SignIn;
}

/** @param faults why calls cannot be served now; empty when they can. */
export function openInterfaces(
  { modules, control }: Pick<DataFolder, "modules" | "control">,
  config: Config,
  around: Dependencies,
  faults: () => Promise<readonly string[]>,
): Interfaces {
  const { now, log, version, newId } = around;
  let address = config.publicUrl;
  const publicUrl = () => address;
  const signIn = createSignIn(control, {
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
  const mcp = createMcpRoutes({ modules, signIn, log, version, publicUrl, acceptsKeys, detail });
  const { accounts, quota } = modules;
  const actingAs = (actor: string) => createAccounts(control, { now, actor });
  const webRooms = { signIn, accounts, actingAs, quota, control, publicUrl };
  let opening: Promise<WebPages> | undefined;
  const web = () => {
    opening ??= import("../interfaces/web/web.ts")
      .then(({ createWeb }) => createWeb({ modules: webRooms, now, log }))
      .catch((error) => {
        // Whoever comes next tries again: a moment without descriptors must not cost the pages for good.
        opening = undefined;
        throw error;
      });
    return opening;
  };
  const door = createHttp({
    ...{ modules, newId, log, version, publicUrl, faults },
    routes: [...mcp, ...signIn.routes],
    elsewhere: async (request, visit) => (await web()).answer(request, visit),
    trustedProxies: config.trustedProxies,
  });
  const listen: HttpServer["listen"] = (at) => {
    // 0.0.0.0 is where it listens, not where anybody can call it.
    const listening = getServiceUrl(at.host, Number(new URL(door.listen(at)).port || "80"));
    // A free port is known only now; an address that the operator gave stands.
    if (config.publicUrl === getServiceUrl(config.host, config.port)) address = listening;
    return listening;
  };
  return { http: { ...door, listen }, signIn };
}
