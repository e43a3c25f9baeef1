/** The kinds of forges that Roster can read. `src/ingest/forges/known-forges.ts` describes each of them. */
export const forgeKinds = ["github", "gitlab", "gitea"] as const;

export type ForgeKind = (typeof forgeKinds)[number];

/** The kinds of sources: a forge, one repository by its address, or a folder of repositories on this machine. */
export const sourceKinds = [...forgeKinds, "git", "folder"] as const;

export type SourceKind = (typeof sourceKinds)[number];
