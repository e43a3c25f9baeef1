/** Packs the names and keys by which a person is found. */
import type { Assessment } from "../../contract/people/assessment.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import type { FindableDeveloper } from "../finding.ts";
import { listIdentifiers } from "../identifiers.ts";

export type FindingKeys = Omit<FindableDeveloper, "rowId">;

type StoredKeys = [
  login: string,
  name: string,
  isHuman: 0 | 1,
  score: number,
  formerLogins: readonly string[],
  accounts: readonly string[],
  published: readonly string[],
  unpublished: readonly string[],
  /** Absent in rows of earlier versions. */
  otherNames?: readonly string[],
];

export function packFindable(assessment: ShownDeveloper): string {
  const { emails, otherNames, ...keys } = toFindingKeys(assessment);
  const { login, name, isHuman, score, formerLogins, accounts } = keys;
  const stored: StoredKeys = [
    ...([login, name, isHuman ? 1 : 0, score, formerLogins, accounts] as const),
    ...([emails.published, emails.unpublished, otherNames] as const),
  ];
  return JSON.stringify(stored);
}

/** @param stored the parsed JSON that `packFindable` wrote. */
export function unpackFindable(stored: unknown): FindingKeys {
  const [login, name, isHuman, score, formerLogins, accounts, published, unpublished, others] =
    stored as StoredKeys;
  return {
    ...{ login, name, otherNames: others ?? [], isHuman: isHuman === 1, score },
    ...{ formerLogins, accounts, emails: { published, unpublished } },
  };
}

type ShownDeveloper = Pick<Assessment, "facts" | "analysis" | "card">;

/** Returns the keys of a developer. The name and the published addresses are the same as in answers. */
export function toFindingKeys({ facts, analysis, card }: ShownDeveloper): FindingKeys {
  const identifiers = listIdentifiers(facts);
  const published = listOnce(analysis.emails.emails.map(({ address }) => address));
  const sources = [facts, ...(facts.supplements ?? [])];
  const known = listOnce(sources.flatMap(({ emails }) => emails.map(({ address }) => address)));
  return {
    login: facts.login,
    name: card.name ?? facts.profile.name ?? "",
    otherNames: analysis.profile.otherNames ?? facts.otherNames ?? [],
    isHuman: (facts.class ?? "human") === "human",
    score: card.score,
    formerLogins: facts.formerLogins ?? [],
    accounts: identifiers.flatMap((identifier) => accountForm.exec(identifier)?.[1] ?? []),
    emails: { published, unpublished: known.filter((address) => !published.includes(address)) },
  };
}

/** Normalizes addresses. Drops addresses that several people use. */
function listOnce(addresses: readonly string[]): readonly string[] {
  const normalised = addresses.map(normaliseAddress);
  return [...new Set(normalised)].filter((address) => !isGenericAddress(address));
}

const accountForm = /^account:([^/]*\/.*)$/;
