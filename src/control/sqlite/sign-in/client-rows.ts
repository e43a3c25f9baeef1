import { and, asc, eq, isNull } from "drizzle-orm";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { RegisteredClient, SignInStore } from "../../sign-in-store.ts";
import { parseTextList } from "./grant-rows.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { clients } from "./sign-in-tables.ts";

type Clients = Pick<
  Immediate<SignInStore>,
  | "findClient"
  | "listClientsNamed"
  | "addClient"
  | "touchClient"
  | "listVerifiedClients"
  | "removeClient"
>;

/** @package OAuth clients: programs that may ask people for a grant. */
export function createClientRows({ store, guarded, transact }: SignInStoreContext): Clients {
  const { orm } = store;
  return {
    findClient: (clientId) =>
      guarded(() => {
        const row = orm.select().from(clients).where(eq(clients.clientId, clientId)).get();
        if (!row || row.disabled) return undefined;
        return {
          name: row.name ?? undefined,
          uri: row.uri ?? undefined,
          scopes: row.scopes === null ? undefined : parseTextList(row.scopes),
          isVerified: row.isVerified,
        };
      }),
    listClientsNamed: (name) =>
      guarded(() => {
        const isNamed = name === undefined ? isNull(clients.name) : eq(clients.name, name);
        const isPublic = and(isNull(clients.clientSecret), eq(clients.disabled, false));
        return orm
          .select()
          .from(clients)
          .where(and(isNamed, isPublic, eq(clients.isVerified, false)))
          .orderBy(asc(clients.createdAt), asc(clients.id))
          .all()
          .map(toRegisteredClient);
      }),
    addClient: (client, at, by) =>
      transact((log) => {
        orm
          .insert(clients)
          .values({ ...toRow(client, at), isVerified: by !== undefined })
          .run();
        if (by) log(by);
      }),
    touchClient: (clientId, at) => {
      const isMeant = eq(clients.clientId, clientId);
      guarded(() => orm.update(clients).set({ createdAt: at }).where(isMeant).run());
    },
    listVerifiedClients: () =>
      guarded(() =>
        orm
          .select()
          .from(clients)
          .where(eq(clients.isVerified, true))
          .orderBy(asc(clients.createdAt), asc(clients.id))
          .all()
          .map(({ clientId, name, redirectUris, scopes, createdAt }) => ({
            clientId,
            name: name ?? clientId,
            redirectUris: parseTextList(redirectUris),
            scopes: parseTextList(scopes),
            createdMs: createdAt?.getTime() ?? 0,
          })),
      ),
    removeClient: (clientId, by) =>
      transact((log) => {
        const isMeant = and(eq(clients.clientId, clientId), eq(clients.isVerified, true));
        // The foreign keys delete its consents and tokens with it.
        const removed = orm.delete(clients).where(isMeant).returning({ id: clients.id }).all();
        if (removed.length === 0) return false;
        log(by);
        return true;
      }),
  };
}

function toRow(client: RegisteredClient, at: Date) {
  const { clientId, redirectUris, scopes, ...described } = client;
  return {
    ...{ id: clientId, clientId, createdAt: at, updatedAt: at, disabled: false },
    ...described,
    redirectUris: JSON.stringify(redirectUris),
    scopes: JSON.stringify(scopes),
    grantTypes: JSON.stringify(["authorization_code", "refresh_token"]),
    responseTypes: JSON.stringify(["code"]),
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
    redirectUris: parseTextList(row.redirectUris),
    scopes: parseTextList(row.scopes),
  };
}
