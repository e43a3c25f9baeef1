import type { Facts } from "../../../src/contract/people/facts.ts";
import { inventedPeople } from "../../invented-people.ts";

/** Somebody who wrote the same into every field that takes words. */
export function poisoned(words: string): Facts {
  const model = inventedPeople[0] as Facts;
  const [repository] = model.repositories;
  const named = { ...repository, name: words.slice(0, 300), language: words } as typeof repository;
  return {
    ...model,
    login: "mallory",
    otherNames: [words.slice(0, 200)],
    profile: {
      ...{ ...model.profile, location: "Berlin", name: words, bio: words, company: words },
      ...{ blog: words, socialUsername: words, profileUrl: words, avatarUrl: words },
    },
    emails: [{ address: words, sources: ["profile"], published: true }],
    repositories: [named as NonNullable<typeof named>, ...model.repositories.slice(1)],
  };
}
