import { and, asc, eq, isNull } from "drizzle-orm";
import { execute, fetchRow, fetchRows } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { RegisteredClient } from "../sign-in-store.ts";
import type { ControlRow } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores OAuth clients: programs that may ask people for a grant. */
export function createClientRows({ tables, read, commitOne, transact }: RowsContext) {
  const { clients } = tables;
  const oldestFirst = [asc(clients.createdAt), asc(clients.id)];
  return {
    findClient: (clientId: string) =>
      read(function* (queries) {
        const isMeant = eq(clients.clientId, clientId);
        const row = yield* fetchRow(queries.select().from(clients).where(isMeant));
        if (!row || row.disabled) return undefined;
        return {
          name: row.name ?? undefined,
          uri: row.uri ?? undefined,
          scopes: row.scopes ?? undefined,
          isVerified: row.isVerified,
        };
      }),
    /** Lists clients that registered themselves under this name. `undefined` selects clients without a name. */
    listClientsNamed: (name: string | undefined) =>
      read(function* (queries) {
        const isNamed = name === undefined ? isNull(clients.name) : eq(clients.name, name);
        const isPublic = and(isNull(clients.clientSecret), eq(clients.disabled, false));
        const isMeant = and(isNamed, isPublic, eq(clients.isVerified, false));
        const rows = yield* fetchRows(
          queries
            .select()
            .from(clients)
            .where(isMeant)
            .orderBy(...oldestFirst),
        );
        return rows.map(toRegisteredClient);
      }),
    /** @param by the operator's entry. `undefined` means that the client registered itself. */
    addClient: (client: RegisteredClient, at: Date, by: NewAuditEntry | undefined): Promise<void> =>
      transact(function* (queries, log) {
        const row = { ...toRow(client, at), isVerified: by !== undefined };
        yield* execute(queries.insert(clients).values(row));
        if (by) yield* log(by);
      }),
    /** Records that the client registered again. */
    renewClient: (clientId: string, at: Date): Promise<void> =>
      commitOne((queries) => {
        const isMeant = eq(clients.clientId, clientId);
        return execute(queries.update(clients).set({ createdAt: at }).where(isMeant));
      }),
    /** Lists clients for which the operator vouches, the oldest first. */
    listVerifiedClients: () =>
      read(function* (queries) {
        const { clientId, name, redirectUris } = clients;
        const rows = yield* fetchRows(
          queries
            .select({ clientId, name, redirectUris })
            .from(clients)
            .where(eq(clients.isVerified, true))
            .orderBy(...oldestFirst),
        );
        return rows.map((row) => ({ ...row, name: row.name ?? row.clientId }));
      }),
    /** Removes a client for which the operator vouches, with every grant to it. @returns whether the client existed. */
    removeClient: (clientId: string, by: NewAuditEntry): Promise<boolean> =>
      transact(function* (queries, log) {
        const isMeant = and(eq(clients.clientId, clientId), eq(clients.isVerified, true));
        // The database also deletes the client's consents and tokens, by foreign keys.
        const removed = yield* fetchRows(
          queries.delete(clients).where(isMeant).returning({ id: clients.id }),
        );
        if (removed.length > 0) yield* log(by);
        return removed.length > 0;
      }),
  };
}

function toRow({ clientId, ...described }: RegisteredClient, at: Date) {
  return {
    ...{ id: clientId, clientId, createdAt: at, updatedAt: at, disabled: false },
    ...described,
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    // The client has no secret, because a program on a user's machine could not protect a secret.
    ...{ tokenEndpointAuthMethod: "none", requirePKCE: true, applicationType: "native" },
  };
}

function toRegisteredClient(row: ControlRow<"clients">): RegisteredClient {
  return {
    clientId: row.clientId,
    name: row.name ?? undefined,
    uri: row.uri ?? undefined,
    softwareId: row.softwareId ?? undefined,
    softwareVersion: row.softwareVersion ?? undefined,
    redirectUris: row.redirectUris,
    scopes: row.scopes ?? [],
  };
}
