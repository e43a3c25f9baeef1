/** Opens the interfaces of a running server on one port: REST, MCP, the authorization server, and the pages. */
import { createAccounts, createSignIn } from "../accounts/accounts.ts";
import { type Config, getServiceUrl } from "../config/config.ts";
import { createWebhooks } from "../delivery/delivery.ts";
import { createHookRoutes } from "../hooks/hooks.ts";
import {
  createHttp,
  createOAuthRoutes,
  createSecurityRoutes,
  type HttpOptions,
} from "../interfaces/http/http.ts";
import { createMcpRoutes } from "../interfaces/mcp/mcp.ts";
import type { WebModules } from "../interfaces/web/web.ts";
import type { Traces } from "../metrics/metrics.ts";
import type { DataFolder, ServerDependencies } from "./data-folder.ts";
import { createPersonCopy } from "./person-copy.ts";
import type { OpenSources } from "./sources/open-sources.ts";

type InterfaceParts = Pick<HttpOptions, "faults" | "healthNotes" | "listener"> &
  Pick<WebModules, "administration" | "searchMail"> & {
    readonly sources: OpenSources;
    readonly traces: Traces | undefined;
  };

export function openInterfaces(
  folder: Pick<DataFolder, "modules" | "control" | "erasure">,
  config: Config,
  dependencies: ServerDependencies,
  { sources, traces, administration, searchMail, ...health }: InterfaceParts,
) {
  const { modules, control } = folder;
  const { now, log, version, newId, live } = dependencies;
  const providers = () => live().signIn.providers;
  let address = config.publicUrl;
  /** The URL that people and assistants use. It is final when the server listens. */
  const publicUrl = () => address;
  let local = config.host;
  const signIn = createSignIn(control, {
    now,
    log,
    publicUrl,
    signUpMode: config.signIn.signUp,
    canRegister: config.signIn.assistantsRegister,
    registrationsPerHour: config.assistants.registrationsPerHour,
    privateRedirects: config.assistants.privateRedirects,
    providers,
  });
  const { apiKeys: acceptsKeys, detail } = config.mcp;
  const mcp = createMcpRoutes({
    ...{ modules, signIn, log, version, publicUrl, acceptsKeys, detail },
    onToolCall: dependencies.metrics?.countToolCall,
  });
  const { assistantsRegister: canRegister } = config.signIn;
  const oauth = createOAuthRoutes({ signIn, publicUrl, canRegister, providers, log });
  const hooks = createHookRoutes({ now, ...sources });
  const contact = createSecurityRoutes({ contact: () => live().securityContact, publicUrl, now });
  const { accounts, quota } = modules;
  const actingAs = (actor: string) => createAccounts(control, { now, actor });
  const countDemoPeople = async () =>
    (await modules.pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0;
  const webModules = {
    ...{ signIn, accounts, actingAs, quota, control, publicUrl, countDemoPeople },
    sources: {
      ...sources,
      turnHookOn: async (id: string, by: string) => {
        const secret = await sources.turnHookOn(id, by);
        return secret === undefined ? undefined : { secret, url: `${publicUrl()}/hooks/${id}` };
      },
    },
    webhooks: createWebhooks(control, now),
    ...{ administration, searchMail },
    operating: modules,
    copyPerson: (login: string) => createPersonCopy(folder, login, now()),
  };
  const server = createHttp({
    ...{ modules, newId, log, version, publicUrl, ...health },
    onAnswered: (answered) => {
      dependencies.metrics?.observeAnswer(answered);
      traces?.observeAnswer(answered);
    },
    routes: [...mcp, ...oauth, ...hooks, ...contact],
    loadPages: async () => {
      const { createWeb } = await import("../interfaces/web/web.ts");
      return createWeb({ modules: webModules, now, log });
    },
    trustedProxies: config.trustedProxies,
  });
  /** Opens the port. @returns the URL for this machine. @throws the listener's error. */
  const listen = (at: Config): string => {
    const listening = getServiceUrl({ ...at, port: server.listen(at) ?? at.port });
    // With port 0, the system chooses the port, so the URL is known only now. The operator's own `publicUrl` stays.
    if (config.publicUrl === getServiceUrl(config)) address = listening;
    if (!local.startsWith("unix:")) local = listening;
    return listening;
  };
  /** Where programs of this machine reach the server: a URL, or `unix:` and a path. It is final when the server listens. */
  return { http: { ...server, listen, publicUrl, local: () => local }, signIn };
}
