import { and, asc, eq, isNull } from "drizzle-orm";
import { execute, fetchRow, fetchRows } from "../../queries/work.ts";
import type { RegisteredClient, SignInStore } from "../sign-in-store.ts";
import type { ControlRow } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores OAuth clients: programs that may ask people for a grant. */
export function createClientRows({ tables, read, commitOne, transact }: RowsContext) {
  const { clients } = tables;
  const oldestFirst = [asc(clients.createdAt), asc(clients.id)];
  return {
    findClient: (clientId) =>
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
    listClientsNamed: (name) =>
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
    addClient: (client, at, by) =>
      transact(function* (queries, log) {
        const row = { ...toRow(client, at), isVerified: by !== undefined };
        yield* execute(queries.insert(clients).values(row));
        if (by) yield* log(by);
      }),
    renewClient: (clientId, at) =>
      commitOne((queries) => {
        const isMeant = eq(clients.clientId, clientId);
        return execute(queries.update(clients).set({ createdAt: at }).where(isMeant));
      }),
    listVerifiedClients: () =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries
            .select()
            .from(clients)
            .where(eq(clients.isVerified, true))
            .orderBy(...oldestFirst),
        );
        return rows.map(({ clientId, name, redirectUris, scopes, createdAt }) => ({
          clientId,
          name: name ?? clientId,
          redirectUris,
          scopes: scopes ?? [],
          createdMs: createdAt?.getTime() ?? 0,
        }));
      }),
    removeClient: (clientId, by) =>
      transact(function* (queries, log) {
        const isMeant = and(eq(clients.clientId, clientId), eq(clients.isVerified, true));
        // The database also deletes the client's consents and tokens, by foreign keys.
        const removed = yield* fetchRows(
          queries.delete(clients).where(isMeant).returning({ id: clients.id }),
        );
        if (removed.length > 0) yield* log(by);
        return removed.length > 0;
      }),
  } satisfies Partial<SignInStore>;
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
