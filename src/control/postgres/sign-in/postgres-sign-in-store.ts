import { eq } from "drizzle-orm";
import { toDatabaseFault } from "../../../postgres/database-failure.ts";
import type { SignInRecords, SignInStore } from "../../sign-in-store.ts";
import type { ControlContext } from "../context.ts";
import { instance } from "../tables.ts";
import { createClientRows } from "./client-rows.ts";
import { prune } from "./ending.ts";
import { createGrantRows } from "./grant-rows.ts";
import { createLinkRows } from "./link-rows.ts";
import { createPasswordRows } from "./password-rows.ts";
import { createRefreshTokenRows } from "./refresh-token-rows.ts";
import { createSessionRows } from "./session-rows.ts";
import { libraryTables } from "./sign-in-tables.ts";

/** The sign-in part of the port. */
export function createSignInStore(context: ControlContext): SignInStore {
  return {
    records: createSignInRecords(context),
    secret: () => readOrCreateSecret(context),
    ...createPasswordRows(context),
    ...createLinkRows(context),
    ...createSessionRows(context),
    ...createGrantRows(context),
    ...createRefreshTokenRows(context),
    ...createClientRows(context),
    prune: (at) => context.transact((statements) => prune(statements, at)),
  };
}

/** Each step of the library is a statement that commits by itself, and is never repeated here. */
function createSignInRecords({ database: { orm, place } }: ControlContext): SignInRecords {
  return {
    database: orm,
    provider: "pg",
    tables: libraryTables,
    guarded: async (work) => {
      try {
        return await work();
      } catch (thrown) {
        throw toDatabaseFault(thrown, place);
      }
    },
  };
}

/** The first node to ask creates it, like the instance's name. */
async function readOrCreateSecret({ read, transact }: ControlContext): Promise<string> {
  const secret = { secret: instance.signInSecret };
  const [known] = await read((statements) => statements.select(secret).from(instance));
  if (known?.secret) return known.secret;
  return transact(async (statements) => {
    const [row] = await statements.select(secret).from(instance);
    if (row?.secret) return row.secret;
    const fresh = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url" });
    await statements.update(instance).set({ signInSecret: fresh }).where(eq(instance.id, 1));
    return fresh;
  });
}
