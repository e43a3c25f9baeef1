import { Payload, writeFields } from "../contract/envelope.ts";
import { createCountSchema, createTextSchema } from "../contract/field-schemas.ts";
import { quoteForModel } from "../contract/foreign-text.ts";
import { formatCounted } from "../contract/format.ts";
import { limits } from "../contract/limits.ts";
import { Developer, type WrittenCard, writeDeveloper } from "../contract/people/developer.ts";
import { Problem } from "../contract/problem.ts";
import { BatchRequest, isLogin } from "../contract/requests.ts";
import { createComponent, createRowsSchema, type Static, Type } from "../contract/schema.ts";
import { listedWithout, viewPeople } from "./developer-view.ts";
import { defineOperation } from "./operation.ts";

const BatchData = createComponent("BatchData", {
  users: Type.Array(Developer, { description: "Profiles in the order of the logins, each once." }),
  missing: Type.Array(Type.String(), { description: "Logins that no developer has, as sent." }),
  renamed: Type.Optional(
    createRowsSchema("Former logins that were sent; absent if none was.", {
      asked: createTextSchema("Former login, as sent."),
      username: createTextSchema("Login that the developer has now."),
    }),
  ),
  calls: createCountSchema("Calls that this costs: one for each developer found."),
});
type BatchData = Static<typeof BatchData>;

export const getDevelopers = defineOperation({
  name: "get_developers",
  command: "batch",
  summary: "Get many developers by login",
  description:
    `Shows up to ${limits.batchMax} developers at once, by login. Use it instead of several calls of get_developer. Answers with their ` +
    "profiles in the order of the logins, and the logins that nobody has. Costs one call for each developer found.",
  scope: "profile",
  isAddition: true,
  isUncounted: (outcome) => !(outcome instanceof Problem) && outcome.cards?.length === 0,
  countCalls: ({ cards = [] }) => cards.length,
  method: "POST",
  path: "/v1/users/batch",
  input: BatchRequest,
  output: BatchData,
  slimWithout: [
    ...[...listedWithout, "blog", "social_username", "created_at", "updated_at", "avatar_url"],
  ].map((field) => `users.${field}`),
  aliases: ["users.github_experience", "users.twitter_username"],
  example: { logins: ["ada-example", "nobody-here"] },
  view: ({ users, missing, renamed = [], calls }) => [
    viewPeople(
      "score",
      users.map((user) => {
        const matching_keywords = user.matching_keywords.join(", ");
        return { ...user, login: user.username, matching_keywords };
      }),
    ),
    ...renamed.map(({ asked, username }) => `${quoteForModel(asked)} is now ${username}.`),
    missing.length > 0 ? `Nobody has the login ${missing.map(quoteForModel).join(", ")}.` : "",
    `Costs ${formatCounted(calls, "call")}.`,
  ],
  async run({ logins }, { pool }) {
    const found = await pool.findWrittenCards(logins.map((one) => (isLogin(one) ? one : "")));
    const users = new Map<string, WrittenCard>();
    const renamed = new Map<string, object>();
    const missing = new Set<string>();
    for (const [at, asked] of logins.entries()) {
      const card = found[at];
      if (!card) missing.add(asked);
      else users.set(card.login, card);
      const username = card ? (JSON.parse(card.login) as string) : asked;
      const isFormer = username.toLowerCase() !== asked.toLowerCase();
      if (isFormer) renamed.set(asked.toLowerCase(), { asked, username });
    }
    const rest = {
      missing: [...missing],
      ...(renamed.size > 0 && { renamed: [...renamed.values()] }),
      calls: users.size,
    };
    const profiles = [...users.values()].map(writeDeveloper).join(",");
    const json = `{"users":[${profiles}],${writeFields(rest)}}`;
    return Payload.ofJson<BatchData>(json, [...users.values()]);
  },
});
