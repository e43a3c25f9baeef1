/**
 * Describes each kind of forge, for the command line, the settings and the adapters. To add a forge, write its adapter and the
 * adapter's test, name the kind in `src/contract/forge-kinds.ts`, and describe it here.
 */
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type { ForgeConnector } from "./adapters/client.ts";
import type { ForgeSelection } from "./forge.ts";

export interface KnownForge {
  readonly name: string;
  readonly url?: string;
  /** Kinds of selection that the forge has besides `all`, `user` and `search`. */
  readonly groupings: readonly Extract<ForgeSelection["kind"], "org" | "team" | "group">[];
  /** Text of the help about forges that cannot list all people: "not of github.com". */
  readonly exceptFromAll?: string;
  /** Whether the host of noreply addresses must be found in answers or commits. */
  readonly hasUnknownNoreplyHost?: boolean;
  readonly examples: readonly string[];
  readonly load: () => Promise<ForgeConnector>;
}

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
