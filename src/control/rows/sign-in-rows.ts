import { eq } from "drizzle-orm";
import { execute, fetchRow, type Queries } from "../../queries/work.ts";
import { createClientRows } from "./client-rows.ts";
import { prune } from "./ending.ts";
import { createGrantRows } from "./grant-rows.ts";
import { createLinkRows } from "./link-rows.ts";
import { createPasswordRows } from "./password-rows.ts";
import { createRefreshTokenRows } from "./refresh-token-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { createSessionRows } from "./session-rows.ts";

/** What sign-in stores, without the records that the sign-in library writes itself. */
export function createSignInRows(context: RowsContext) {
  const { tables, transact } = context;
  return {
    /** Returns the secret that signs cookies. It is created at its first use and never changes. */
    secret: () => readOrCreateSecret(context),
    ...createPasswordRows(context),
    ...createLinkRows(context),
    ...createSessionRows(context),
    ...createGrantRows(context),
    ...createRefreshTokenRows(context),
    ...createClientRows(context),
    /** Removes rows that can never be used again. */
    prune: (at: Date): Promise<void> => transact((queries) => prune(queries, tables, at)),
  };
}

async function readOrCreateSecret({ tables, read, transact }: RowsContext): Promise<string> {
  const { instance } = tables;
  const fetchSecret = (queries: Queries) =>
    fetchRow(queries.select({ secret: instance.signInSecret }).from(instance));
  const known = await read(fetchSecret);
  if (known?.secret) return known.secret;
  return transact(function* (queries) {
    const row = yield* fetchSecret(queries);
    if (row?.secret) return row.secret;
    const secret = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url" });
    yield* execute(
      queries.update(instance).set({ signInSecret: secret }).where(eq(instance.id, 1)),
    );
    return secret;
  });
}
