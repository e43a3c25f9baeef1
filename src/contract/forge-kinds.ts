/** The kinds of forges that Roster can read. `src/ingest/forges/known-forges.ts` describes each of them. */
export const forgeKinds = ["github", "gitlab", "gitea"] as const;

export type ForgeKind = (typeof forgeKinds)[number];
