/**
 * Finds the hosts of noreply addresses in the commits of a forge's repositories. With the host, a noreply address names its
 * account without a request to the forge.
 */
import type { SampleHistories } from "./ask-authors.ts";
import type { ForgeContent, FrozenForges } from "./forge-content.ts";
import { type AccountKey, listNoreplyHosts, readForgePeople } from "./forge-people.ts";
import { knownForges } from "./known-forges.ts";
import { setNoreplyHost } from "./sources.ts";

export function deriveNoreplyHosts(forges: FrozenForges, histories: SampleHistories): void {
  const content = forges.content();
  const { sources } = content;
  const known = new Set(sources.flatMap(({ forge, noreplyHost }) => (noreplyHost ? [forge] : [])));
  const unknown = sources.filter(
    ({ kind, forge }) => knownForges[kind].hasUnknownNoreplyHost && !known.has(forge),
  );
  if (unknown.length === 0) return;
  const votes = collectVotes(content, histories);
  const taken = listNoreplyHosts(content);
  for (const { id, forge } of unknown) {
    const fitting = [...(votes.get(forge) ?? [])].flatMap(([host, isEvery]) =>
      isEvery && !taken.has(host) ? [host] : [],
    );
    const [host, other] = fitting;
    if (host && !other) forges.change((ledger) => setNoreplyHost(ledger, id, host));
  }
}

/** @returns for each forge and host, whether every address contains an account number and a login of the same account. */
function collectVotes(content: ForgeContent, histories: SampleHistories) {
  const people = readForgePeople(content);
  const votes = new Map<string, Map<string, boolean>>();
  for (const place of histories.places()) {
    const forge = people.findRepository(place.forge, place.name)?.forge;
    if (forge === undefined) continue;
    const hosts = votes.getOrInsertComputed(forge, () => new Map());
    for (const { rawEmail } of histories.mentions([place.id])) {
      const [, number = "", login = "", host = ""] = form.exec(rawEmail.toLowerCase()) ?? [];
      const key: AccountKey = `${forge}#${number}`;
      const account = people.accounts.get(key);
      if (!account || host.startsWith("users.")) continue;
      const logins = [account.login, ...account.formerLogins].map((one) => one.toLowerCase());
      hosts.set(host, (hosts.get(host) ?? true) && logins.includes(login));
    }
  }
  return votes;
}

/** The form of a noreply address: `12+ada@noreply.corp.example`. */
const form = /^([1-9]\d*)\+([a-z0-9._-]+)@([a-z0-9.-]*noreply[a-z0-9.-]*)$/;
