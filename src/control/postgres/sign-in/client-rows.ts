import { and, asc, eq, isNull } from "drizzle-orm";
import type { RegisteredClient, SignInStore } from "../../sign-in-store.ts";
import type { ControlContext } from "../context.ts";
import { toTexts } from "./grant-rows.ts";
import { clients } from "./sign-in-tables.ts";

type Clients = Pick<
  SignInStore,
  | "findClient"
  | "listClientsNamed"
  | "addClient"
  | "touchClient"
  | "listVerifiedClients"
  | "removeClient"
>;

/** @package OAuth clients: programs that may ask people for a grant. */
export function createClientRows({ read, commitOne, transact }: ControlContext): Clients {
  return {
    findClient: (clientId) =>
      read(async (statements) => {
        const [row] = await statements.select().from(clients).where(eq(clients.clientId, clientId));
        if (!row || row.disabled) return undefined;
        return {
          name: row.name ?? undefined,
          uri: row.uri ?? undefined,
          scopes: row.scopes === null ? undefined : toTexts(row.scopes),
          isVerified: row.isVerified,
        };
      }),
    listClientsNamed: (name) =>
      read(async (statements) => {
        const isNamed = name === undefined ? isNull(clients.name) : eq(clients.name, name);
        const isPublic = and(isNull(clients.clientSecret), eq(clients.disabled, false));
        const rows = await statements
          .select()
          .from(clients)
          .where(and(isNamed, isPublic, eq(clients.isVerified, false)))
          .orderBy(asc(clients.createdAt), asc(clients.id));
        return rows.map(toRegisteredClient);
      }),
    addClient: (client, at, by) =>
      transact(async (statements, log) => {
        const row = { ...toRow(client, at), isVerified: by !== undefined };
        await statements.insert(clients).values(row);
        if (by) await log(by);
      }),
    touchClient: async (clientId, at) => {
      const isMeant = eq(clients.clientId, clientId);
      await commitOne((statements) =>
        statements.update(clients).set({ createdAt: at }).where(isMeant),
      );
    },
    listVerifiedClients: () =>
      read(async (statements) => {
        const rows = await statements
          .select()
          .from(clients)
          .where(eq(clients.isVerified, true))
          .orderBy(asc(clients.createdAt), asc(clients.id));
        return rows.map(({ clientId, name, redirectUris, scopes, createdAt }) => ({
          clientId,
          name: name ?? clientId,
          redirectUris: toTexts(redirectUris),
          scopes: toTexts(scopes),
          createdMs: createdAt?.getTime() ?? 0,
        }));
      }),
    removeClient: (clientId, by) =>
      transact(async (statements, log) => {
        const isMeant = and(eq(clients.clientId, clientId), eq(clients.isVerified, true));
        // The foreign keys delete its consents and tokens with it.
        const removed = await statements
          .delete(clients)
          .where(isMeant)
          .returning({ id: clients.id });
        if (removed.length === 0) return false;
        await log(by);
        return true;
      }),
  };
}

function toRow({ clientId, ...described }: RegisteredClient, at: Date) {
  return {
    ...{ id: clientId, clientId, createdAt: at, updatedAt: at, disabled: false },
    ...described,
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    // Public: a program on a user's machine cannot keep a secret.
    ...{ tokenEndpointAuthMethod: "none", requirePKCE: true, applicationType: "native" },
  };
}

function toRegisteredClient(row: typeof clients.$inferSelect): RegisteredClient {
  return {
    clientId: row.clientId,
    name: row.name ?? undefined,
    uri: row.uri ?? undefined,
    softwareId: row.softwareId ?? undefined,
    softwareVersion: row.softwareVersion ?? undefined,
    redirectUris: toTexts(row.redirectUris),
    scopes: toTexts(row.scopes),
  };
}
