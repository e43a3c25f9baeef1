import { eq } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { toPromises } from "../../../sqlite/to-promises.ts";
import type { SignInStore } from "../../sign-in-store.ts";
import { instance } from "../tables.ts";
import { createClientRows } from "./client-rows.ts";
import { prune } from "./ending.ts";
import { createGrantRows } from "./grant-rows.ts";
import { createLinkRows } from "./link-rows.ts";
import { createPasswordRows } from "./password-rows.ts";
import { createRefreshTokenRows } from "./refresh-token-rows.ts";
import { createSessionRows } from "./session-rows.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { libraryTables } from "./sign-in-tables.ts";

/** The sign-in part of the port. */
export function createSignInStore(context: SignInStoreContext): SignInStore {
  const { store, guarded } = context;
  return {
    records: {
      database: store.orm,
      provider: "sqlite",
      tables: libraryTables,
      guarded: async (work) => {
        try {
          return await guarded(work);
        } catch (thrown) {
          // A rejection goes through the guard like an error that is thrown at once.
          return guarded(() => {
            throw thrown;
          });
        }
      },
    },
    ...toPromises<Omit<SignInStore, "records">>(store.path, {
      secret: () => guarded(() => readOrCreateSecret(store)),
      ...createPasswordRows(context),
      ...createLinkRows(context),
      ...createSessionRows(context),
      ...createGrantRows(context),
      ...createRefreshTokenRows(context),
      ...createClientRows(context),
      prune: (at) => guarded(() => prune(store, at)),
    }),
  };
}

/** The first process to ask creates it, like the instance's name. */
function readOrCreateSecret({ orm, sqlite }: Database): string {
  const read = () => orm.select({ secret: instance.signInSecret }).from(instance).get()?.secret;
  const known = read();
  if (known) return known;
  const make = sqlite.transaction(() => {
    const fresh = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url" });
    const secret = read() ?? fresh;
    orm.update(instance).set({ signInSecret: secret }).where(eq(instance.id, 1)).run();
    return secret;
  });
  return make.immediate();
}
