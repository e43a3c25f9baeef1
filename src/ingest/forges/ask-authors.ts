/**
 * Asks a forge about sample commits, to find the accounts of commit addresses. A found account is stored permanently. The answer
 * "nobody" is stored for thirty days.
 */

import { splitBatches } from "../../contract/split-batches.ts";
import { isGenericAddress, normaliseAddress, parseKnownNoreply } from "../../identity/address.ts";
import { putCommitAuthors } from "./accounts.ts";
import { type CommitAuthor, type CommitSample, type ForgeAdapter, ForgeDenial } from "./forge.ts";
import { type ForgeContent, readForgeContent } from "./forge-content.ts";
import { listNoreplyHosts, readForgePeople } from "./forge-people.ts";
import { type KnownSource, setNoreplyHost } from "./sources.ts";
import type { Walk } from "./walks.ts";

/** The counted histories of git, from which sample commits are taken. */
export interface SampleHistories {
  readonly places: () => readonly {
    readonly id: number;
    readonly forge: string | undefined;
    readonly name: string;
  }[];
  /** Lists the authors in the given repositories, each with one commit. */
  readonly mentions: (
    places: readonly number[],
  ) => readonly { readonly rawEmail: string; readonly sample: string | undefined }[];
}

export interface WalkQuestions<Asked extends keyof ForgeAdapter> {
  readonly adapter: Pick<ForgeAdapter, Asked>;
  readonly walk: Walk;
  readonly histories: SampleHistories;
  readonly now: () => Date;
  readonly tell: (what: string) => void;
}

const nobodyFor = 30 * 86_400_000;
/** The most sample commits for one address. If the forge has none of them, the address counts as having no account. */
const samplesMax = 3;

/** Asks for authors. Stores each answer at once. @returns warnings. */
export async function askCommitAuthors(questions: WalkQuestions<"findCommitAuthors" | "batch">) {
  const { adapter, histories, now, tell } = questions;
  const { ledger, source, forge } = questions.walk;
  const samples = collectSamples(readForgeContent(ledger), { id: source, forge }, histories, now);
  let open = samples.size;
  try {
    for (const addresses of splitBatches([...samples.keys()].sort(), adapter.batch.samples)) {
      tell(`the accounts of ${open} authors`);
      open -= addresses.length;
      const owners = await findOwners(adapter, samples, addresses);
      putCommitAuthors(ledger, source, owners, now().toISOString());
      const host = findNoreplyHost(owners);
      if (host !== undefined) setNoreplyHost(ledger, source, host);
    }
  } catch (error) {
    if (!(error instanceof ForgeDenial)) throw error;
    return [error.message];
  }
  return [];
}

/** Counts, for each source, the addresses that were not asked about yet. Sources without such addresses are left out. */
export function countUnasked(content: ForgeContent, histories: SampleHistories, now: () => Date) {
  return content.sources.flatMap((source) => {
    const addresses = collectSamples(content, source, histories, now).size;
    return addresses > 0 ? [{ source: source.id, addresses }] : [];
  });
}

/** Finds HOST in an address such as `12+ada@noreply.HOST` that the forge assigned to account 12. */
function findNoreplyHost(owners: ReadonlyMap<string, CommitAuthor>): string | undefined {
  for (const [address, owner] of owners) {
    const [, number, host] = /^(\d+)[+-][^@]*@(.+)$/.exec(address) ?? [];
    if (typeof owner !== "string" && number === owner.number) return host;
  }
  return undefined;
}

async function findOwners(
  adapter: Pick<ForgeAdapter, "findCommitAuthors">,
  samples: ReadonlyMap<string, readonly CommitSample[]>,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, CommitAuthor>> {
  const found = new Map<string, CommitAuthor>();
  let open = addresses;
  for (let at = 0; at < samplesMax && open.length > 0; at++) {
    const asked = open.flatMap((address) => {
      const sample = samples.get(address)?.[at];
      return sample ? [{ address, sample }] : [];
    });
    const answers = await adapter.findCommitAuthors(asked.map(({ sample }) => sample));
    for (const [index, { address }] of asked.entries()) {
      found.set(address, answers[index] ?? "unknown commit");
    }
    open = asked.map(({ address }) => address).filter((one) => found.get(one) === "unknown commit");
  }
  return found;
}

/** Collects sample commits by address, in the order of the repositories. */
function collectSamples(
  content: ForgeContent,
  { id, forge }: Pick<KnownSource, "id" | "forge">,
  histories: SampleHistories,
  now: () => Date,
): ReadonlyMap<string, readonly CommitSample[]> {
  const people = readForgePeople(content);
  const hosts = listNoreplyHosts(content);
  const answers = content.commitAuthors.filter(({ source }) => source === id);
  const known = new Map(answers.map((answer) => [answer.address, answer]));
  const isOpen = (address: string): boolean => {
    // A noreply address already names its account.
    if (isGenericAddress(address) || parseKnownNoreply(address, hosts)?.id) return false;
    if (people.accountsAt(address).some((key) => key.startsWith(`${forge}#`))) return false;
    const answer = known.get(address);
    if (!answer) return true;
    const isOld = now().getTime() - Date.parse(answer.askedAt) > nobodyFor;
    return typeof answer.owner === "string" && isOld;
  };
  const found = new Map<string, CommitSample[]>();
  for (const place of histories.places()) {
    const owned = people.findRepository(place.forge, place.name);
    if (owned?.forge !== forge) continue;
    for (const { rawEmail, sample } of histories.mentions([place.id])) {
      const address = normaliseAddress(rawEmail);
      if (sample === undefined || !isOpen(address)) continue;
      const samples = found.getOrInsertComputed(address, () => []);
      if (samples.length < samplesMax) samples.push({ repository: owned.name, commit: sample });
    }
  }
  return found;
}
