import { and, asc, eq } from "drizzle-orm";
import type { Office } from "../sign-in.ts";
import type { SignInStore } from "../sign-in-store.ts";
import { clients } from "../tables.ts";
import { listOf } from "./grants.ts";

type Clients = Pick<
  SignInStore,
  "findClient" | "addClient" | "listVerifiedClients" | "removeClient"
>;

/** Programs that may ask people for a grant. */
export function openClients({ store, guarded, transact }: Office): Clients {
  const { orm } = store;
  return {
    findClient: (clientId) =>
      guarded(() => {
        const row = orm.select().from(clients).where(eq(clients.clientId, clientId)).get();
        if (!row || row.disabled) return undefined;
        return {
          name: row.name ?? undefined,
          uri: row.uri ?? undefined,
          scopes: row.scopes === null ? undefined : listOf(row.scopes),
          isVerified: row.isVerified,
        };
      }),
    addClient: ({ clientId, name, redirectUris, scopes }, by) =>
      transact((log) => {
        const lists = {
          redirectUris: JSON.stringify(redirectUris),
          scopes: JSON.stringify(scopes),
          grantTypes: JSON.stringify(["authorization_code", "refresh_token"]),
          responseTypes: JSON.stringify(["code"]),
        };
        // Public, like those that register by themselves: it runs on people's machines, where no secret is one.
        const kind = { tokenEndpointAuthMethod: "none", requirePKCE: true, isVerified: true };
        const row = { id: clientId, clientId, name, createdAt: by.at, updatedAt: by.at };
        orm
          .insert(clients)
          .values({ ...row, ...lists, ...kind, applicationType: "native", disabled: false })
          .run();
        log(by);
      }),
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
            redirectUris: listOf(redirectUris),
            scopes: listOf(scopes),
            createdMs: createdAt?.getTime() ?? 0,
          })),
      ),
    removeClient: (clientId, by) =>
      transact((log) => {
        const isMeant = and(eq(clients.clientId, clientId), eq(clients.isVerified, true));
        // Consents and tokens go with it, by the tables' own rule.
        const removed = orm.delete(clients).where(isMeant).returning({ id: clients.id }).all();
        if (removed.length === 0) return false;
        log(by);
        return true;
      }),
  };
}
