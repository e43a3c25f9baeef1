/**
 * Describes each kind of forge, for the command line, the settings and the adapters. To add a forge, write its adapter and the
 * adapter's test, name the kind in `src/contract/forge-kinds.ts`, and describe it here.
 */
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type { ForgeConnector } from "./adapters/client.ts";
import type { ForgeSelection } from "./forge.ts";

export interface KnownForge {
  /** The display name of the product or products. */
  readonly name: string;
  /** Address of the forge unless the operator states another one. */
  readonly url?: string;
  /** How people can be selected, in addition to all, users and searches. */
  readonly groupings: readonly Extract<ForgeSelection["kind"], "org" | "team" | "group">[];
  /** Words of the help for a forge of this kind that cannot list all people. */
  readonly exceptFromAll?: string;
  /** Whether the host of noreply addresses is known only from an answer or a commit. */
  readonly hasUnknownNoreplyHost?: boolean;
  /** Examples in the help of the command. */
  readonly examples: readonly string[];
  /** Imports the adapter, which most runs do not need. */
  readonly load: () => Promise<ForgeConnector>;
}

/** All kinds of forge, in the order of the help. */
export const knownForges: Readonly<Record<ForgeKind, KnownForge>> = {
  gitea: {
    name: "Gitea or Forgejo",
    groupings: ["org", "team"],
    hasUnknownNoreplyHost: true,
    examples: [
      "roster ingest gitea --url https://git.corp.example --token-file git.token --all",
      "roster ingest gitea --url https://git.corp.example --token-file git.token --org acme --dry-run",
    ],
    load: async () => (await import("./adapters/gitea.ts")).gitea,
  },
  gitlab: {
    name: "GitLab",
    groupings: ["group"],
    examples: [
      "roster ingest gitlab --url https://gitlab.corp.example --token-file F --group platform",
    ],
    load: async () => (await import("./adapters/gitlab.ts")).gitlab,
  },
  github: {
    name: "GitHub or GitHub Enterprise Server",
    url: "https://github.com",
    groupings: ["org", "team"],
    exceptFromAll: "not of github.com",
    examples: [
      "roster ingest github --url https://ghe.corp.example --token-file F --org acme",
      'roster ingest github --token-file F --search "location:Berlin language:go" --limit 500',
    ],
    load: async () => (await import("./adapters/github.ts")).github,
  },
};
