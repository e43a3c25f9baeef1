/** Turns what GitHub answers into facts, field by field; what is not named here is dropped. */
import type { AccountFacts, ForgePage, ForgeRepository } from "../forge.ts";
import {
  type AnswerObject,
  dropAbsent,
  listObjects,
  readAddress,
  readCount,
  readField,
  readFields,
  readInstant,
  readLogin,
  readNumber,
  readRepositoryName,
  readWebAddress,
} from "./answer-fields.ts";

/** @param person GraphQL's User or Bot. */
export function readGithubPerson(person: AnswerObject): AccountFacts | undefined {
  return toAccount({
    ...person,
    isBot: person["__typename"] === "Bot",
    followers: readFields(person["followers"])["totalCount"],
  });
}

/** @param user REST's `public-user`, or `private-user` where the token is their own. */
export function readGithubUser(user: AnswerObject): AccountFacts | undefined {
  if (user["suspended_at"] != null || user["type"] === "Organization") return undefined;
  return toAccount({
    ...{ databaseId: user["id"], login: user["login"], url: user["html_url"] },
    ...{ name: user["name"], bio: user["bio"], company: user["company"], email: user["email"] },
    ...{ location: user["location"], websiteUrl: user["blog"], followers: user["followers"] },
    ...{ twitterUsername: user["twitter_username"], isHireable: user["hireable"] },
    ...{
      avatarUrl: user["avatar_url"],
      createdAt: user["created_at"],
      updatedAt: user["updated_at"],
    },
    isBot: user["type"] === "Bot",
  });
}

function toAccount(given: AnswerObject): AccountFacts | undefined {
  const [number, login] = [readNumber(given["databaseId"]), readLogin(given["login"])];
  if (number === undefined || login === undefined) return undefined;
  // GitHub's profile shows an address only where the person chose one to show.
  const email = readAddress(given["email"]);
  return {
    ...{ number, login, isBot: given["isBot"] === true || login.endsWith("[bot]") },
    profile: dropAbsent({
      name: readField(given["name"]),
      bio: readField(given["bio"]),
      company: readField(given["company"]),
      location: readField(given["location"]),
      blog: readWebAddress(given["websiteUrl"]),
      socialUsername: readField(given["twitterUsername"])?.replace(/^@/, ""),
      avatarUrl: readWebAddress(given["avatarUrl"]),
      profileUrl: readWebAddress(given["url"]),
      // No flag means that nothing was said, not that the person is unavailable.
      hireable: given["isHireable"] === true ? true : undefined,
      followers: readCount(given["followers"]),
      createdAt: readInstant(given["createdAt"]),
      updatedAt: readInstant(given["updatedAt"]),
    }),
    addresses: email ? [{ address: email, isPublished: true }] : [],
  };
}

/** @param list GraphQL's RepositoryConnection. @param owner number of the person whose list it is. */
export function readGithubRepositories(
  list: AnswerObject,
  owner: string | undefined,
): Pick<ForgePage, "repositories" | "hidden"> {
  const all = listObjects(list["nodes"]);
  const shown = all.filter(({ visibility }) => visibility === "PUBLIC");
  const repositories = shown.flatMap((repository) => toRepository(repository, owner) ?? []);
  return { repositories, hidden: all.length - shown.length };
}

function toRepository(given: AnswerObject, owner: string | undefined): ForgeRepository | undefined {
  const [number, name] = [
    readNumber(given["databaseId"]),
    readRepositoryName(given["nameWithOwner"]),
  ];
  const url = readWebAddress(given["url"]);
  if (number === undefined || name === undefined || url === undefined) return undefined;
  const topics = listObjects(readFields(given["repositoryTopics"])["nodes"]).flatMap(
    ({ topic }) => readField(readFields(topic)["name"]) ?? [],
  );
  const kilobytes = readCount(given["diskUsage"]);
  return {
    ...{ number, name, owner, isFork: given["isFork"] === true },
    urls: [url, `${url}.git`, readField(given["sshUrl"]) ?? []].flat(),
    ...dropAbsent({
      stars: readCount(given["stargazerCount"]),
      forks: readCount(given["forkCount"]),
      topics: topics.length > 0 ? topics : undefined,
      description: readField(given["description"]),
      language: readField(readFields(given["primaryLanguage"])["name"]),
      pushedAt: readInstant(given["pushedAt"]),
      megabytes: kilobytes === undefined ? undefined : kilobytes / 1024,
    }),
  };
}
