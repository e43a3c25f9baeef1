import { Problem } from "../../contract/problem.ts";
import type { ControlStore, NewAuditEntry } from "../../control/control-store.ts";
import { createRandomBase62, type RandomBytes } from "../keys.ts";
import { describeRefusedRedirect, parseRegistration } from "./registration.ts";

/** Assistants that the operator registered: people are asked about each of them once, and can believe its name. */
export interface OAuthClients {
  /** @throws Problem invalid_request, naming the field. */
  register(client: {
    readonly name: string;
    readonly redirectUris: readonly string[];
  }): Promise<AssistantClient>;
  /** Oldest first. */
  list(): Promise<readonly AssistantClient[]>;
  /** Every grant to it is dead when this returns. @throws Problem not_found. */
  remove(clientId: string): Promise<void>;
}

export interface AssistantClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

interface ClientsOptions {
  readonly random: RandomBytes;
  readonly privateRedirects: readonly string[];
  readonly entry: (
    action: string,
    subject: { readonly id: string },
    detail: NewAuditEntry["detail"],
  ) => NewAuditEntry;
}

export function createOAuthClients(
  { signIn }: ControlStore,
  { random, privateRedirects, entry }: ClientsOptions,
): OAuthClients {
  return {
    register: async ({ name, redirectUris }) => {
      if (name.trim() === "") throw wrong("the name must not be blank");
      const described = { client_name: name, redirect_uris: redirectUris };
      const read = parseRegistration(described, privateRedirects);
      if (!read.ok) throw wrong(read.description);
      if (read.dropped.length > 0) throw wrong(describeRefusedRedirect(read.dropped[0]));
      const clientId = `assistant_${createRandomBase62(16, random)}`;
      const by = entry("client.registered", { id: clientId }, { name });
      await signIn.addClient({ ...read.client, clientId }, by.at, by);
      return { clientId, name, redirectUris };
    },
    list: async () =>
      (await signIn.listVerifiedClients()).map(({ clientId, name, redirectUris }) => {
        return { clientId, name, redirectUris };
      }),
    remove: async (clientId) => {
      if (await signIn.removeClient(clientId, entry("client.removed", { id: clientId }, {})))
        return;
      throw new Problem("not_found", { message: `no assistant has the client id "${clientId}"` });
    },
  };
}

const wrong = (message: string) => new Problem("invalid_request", { message });
