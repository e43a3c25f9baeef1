import { Payload } from "../contract/envelope.ts";
import { Developer, writeDeveloper } from "../contract/people/developer.ts";
import { Problem } from "../contract/problem.ts";
import { GetRequest, isLogin } from "../contract/requests.ts";
import { viewDeveloper } from "./developer-view.ts";
import { defineOperation } from "./operation.ts";

export const getDeveloper = defineOperation({
  name: "get_developer",
  command: "get",
  summary: "Get one developer by login",
  description:
    "Shows one developer's profile: place, contact, strongest skills, scores, own repositories, and those of others with their commits. " +
    "Use it when you know the login; find_people finds it by name, and analyze_profile says how good somebody is, and why. Costs one call.",
  scope: "profile",
  method: "GET",
  path: "/v1/users/:login",
  input: GetRequest,
  output: Developer,
  aliases: ["github_experience", "twitter_username"],
  example: { login: "ada-example" },
  view: viewDeveloper,
  async run({ login }, { pool }) {
    const [card] = isLogin(login) ? await pool.findWrittenCards([login]) : [];
    if (!card) throw new Problem("not_found");
    return Payload.ofJson<Developer>(writeDeveloper(card), [card]);
  },
});
