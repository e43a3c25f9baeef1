/** Turns GitHub's answers into facts, field by field. All other fields are dropped. */
import type { AccountFacts, ForgeRepository } from "../forge.ts";
import {
  type AnswerObject,
  listNodes,
  readAccountFacts,
  readAddress,
  readFields,
  readRepositoryFacts,
  readWebAddress,
} from "./answer-fields.ts";

/** @param person a User or Bot from GraphQL. */
export function readGithubPerson(person: AnswerObject): AccountFacts | undefined {
  return readAccountFacts({
    ...person,
    ...{ number: person["databaseId"], login: person["login"] },
    isBot: isBot(person["__typename"], person["login"]),
    ...{ blog: person["websiteUrl"], socialUsername: person["twitterUsername"] },
    ...{ profileUrl: person["url"], hireable: person["isHireable"] },
    followers: readFields(person["followers"])["totalCount"],
    addresses: listAddresses(person["email"]),
  });
}

/** @param user a user from REST. */
export function readGithubUser(user: AnswerObject): AccountFacts | undefined {
  if (user["suspended_at"] != null || user["type"] === "Organization") return undefined;
  return readAccountFacts({
    ...user,
    ...{ number: user["id"], login: user["login"], isBot: isBot(user["type"], user["login"]) },
    ...{ socialUsername: user["twitter_username"], profileUrl: user["html_url"] },
    ...{ avatarUrl: user["avatar_url"], createdAt: user["created_at"] },
    updatedAt: user["updated_at"],
    addresses: listAddresses(user["email"]),
  });
}

function isBot(type: unknown, login: unknown): boolean {
  return type === "Bot" || (typeof login === "string" && login.endsWith("[bot]"));
}

/** Lists the address of a profile. GitHub shows the address only if the person allows it. */
function listAddresses(email: unknown): AccountFacts["addresses"] {
  const address = readAddress(email);
  return address ? [{ address, isPublished: true }] : [];
}

/** @param list a RepositoryConnection of GraphQL. @param owner account number of the repositories' owner. */
export function readGithubRepositories(list: AnswerObject, owner: string | undefined) {
  const all = listNodes(list);
  const shown = all.filter(({ visibility }) => visibility === "PUBLIC");
  const repositories = shown.flatMap((repository) => toRepository(repository, owner) ?? []);
  return { repositories, hidden: all.length - shown.length };
}

function toRepository(given: AnswerObject, owner: string | undefined): ForgeRepository | undefined {
  const url = readWebAddress(given["url"]);
  if (url === undefined) return undefined;
  const topics = listNodes(given["repositoryTopics"]);
  return readRepositoryFacts({
    ...{ number: given["databaseId"], name: given["nameWithOwner"], owner },
    ...{ isFork: given["isFork"] === true, urls: [url, `${url}.git`, given["sshUrl"]] },
    ...{ stars: given["stargazerCount"], forks: given["forkCount"] },
    topics: topics.map(({ topic }) => readFields(topic)["name"]),
    language: readFields(given["primaryLanguage"])["name"],
    ...{ description: given["description"], pushedAt: given["pushedAt"] },
    kilobytes: given["diskUsage"],
  });
}
