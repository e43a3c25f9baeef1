/** Finds assistants and agents by `seed/agents.json`. */
import list from "../../../../seed/agents.json" with { type: "json" };
import { normaliseAddress, parseNoreplyAddress } from "../../../identity/address.ts";

interface Agent {
  readonly id: string;
  readonly name: string;
  /** The first month of the agent, YYYY-MM. Earlier commits cannot be by the agent. */
  readonly since: string;
  readonly login?: readonly string[];
  readonly email?: readonly string[];
  /** Full names of authors that are this agent. */
  readonly author?: readonly string[];
  readonly names?: readonly string[];
  /** More names of the agent. Each may also be a common word or a person's name. */
  readonly bare?: readonly string[];
  /** Companies. A name of a company and the agent together is the agent: `openai-codex`. */
  readonly makers?: readonly string[];
  /** Trailer keys that only this agent writes. */
  readonly keys?: readonly string[];
  /** Names of the agent in notes of git-ai, if they differ from its id. */
  readonly tools?: readonly string[];
}

export const agents: readonly Agent[] = list.agents;

const nameMax = 100;
const byId = new Map(agents.map((agent) => [agent.id, agent]));
const byLogin = index(({ login = [] }) => login);
const byEmail = index(({ email = [] }) => email);
const byKey = index(({ keys = [] }) => keys);
const byTool = index(({ id, tools = [] }) => [id, ...tools]);
const named = agents.flatMap(({ id, names = [], bare = [] }) => [
  ...bare.map((name) => ({ id, name, isBare: true })),
  ...names.map((name) => ({ id, name, isBare: false })),
]);
const longestFirst = named.toSorted((a, b) => b.name.length - a.name.length);

function index(listTexts: (agent: Agent) => readonly string[]): ReadonlyMap<string, string> {
  return new Map(agents.flatMap((agent) => listTexts(agent).map((text) => [text, agent.id])));
}

/** Whether the agent existed when a commit was made. @param seconds since 1970. */
export function isReleased(id: string, seconds: number): boolean {
  const since = byId.get(id)?.since;
  return since !== undefined && seconds >= Date.parse(`${since}-01T00:00:00Z`) / 1000;
}

/** @param address from an author or a trailer. @returns the id of the agent that has this address. */
export function findAgentByAddress(address: string): string | undefined {
  const email = normaliseAddress(address);
  const known = byEmail.get(email);
  if (known !== undefined) return known;
  const local = email.slice(0, Math.max(0, email.lastIndexOf("@")));
  const login = parseNoreplyAddress(email)?.login ?? (local.endsWith("[bot]") ? local : "");
  return byLogin.get(login.toLowerCase());
}

/** @returns the id of the agent that alone writes trailers with this key. */
export function findAgentByKey(key: string): string | undefined {
  return byKey.get(key.toLowerCase());
}

/** @param tool the name in a note of git-ai. @returns `unnamed` for an unknown tool. */
export function findAgentByTool(tool: string): string {
  return byTool.get(tool.toLowerCase()) ?? "unnamed";
}

/** @param text begins with a name, such as `Claude Code (opus)`. @param mayGoOn whether other words may follow the name. */
export function findAgentByName(text: string, mayGoOn: boolean): string | undefined {
  const said = text.slice(0, nameMax).toLowerCase();
  for (const { id, name, isBare } of longestFirst) {
    if (!said.startsWith(name)) continue;
    const rest = said.slice(name.length);
    if (wordGoesOn.test(rest)) continue;
    if ((isBare || !mayGoOn) && wordFollows.test(rest)) continue;
    return id;
  }
  return undefined;
}

/** @param text the whole name or login of an author, such as `Claude Opus 4`, `openai-codex` or `gemini-bot`. */
export function findAgentByAuthor(text: string): string | undefined {
  const words = splitAgentName(text);
  const known = byWords.get(words.join(" "));
  if (known !== undefined && (!known.isBare || modelEnd.test(text))) return known.id;
  const isKind = kindsOfAgent.has(words.at(-1) ?? "");
  return isKind ? byWords.get(words.slice(0, -1).join(" "))?.id : undefined;
}

/** Splits a name into words without numbers of versions: `Qwen3-Coder` gives `qwen` and `coder`. */
function splitAgentName(text: string): readonly string[] {
  const words = text
    .slice(0, nameMax)
    .toLowerCase()
    .split(/[^a-z0-9.]+/);
  return words
    .map((word) => word.replace(/v?\d[\d.]{0,20}[a-z]?$/, ""))
    .filter((word) => word !== "");
}

/** The version of a model, such as `GPT-4o`. */
const modelEnd = /[a-z][- ]v?\d(?:\.\d+)?[a-z]?$/i;
const kindsOfAgent = new Set(["agent", "ai", "assistant", "bot"]);
const madeBy = agents.flatMap(({ id, names = [], bare = [], makers = [] }) =>
  makers.flatMap((maker) =>
    [id, ...names, ...bare].map((name) => ({ id, name: `${maker} ${name}`, isBare: false })),
  ),
);
const byWords = new Map(
  [...named, ...madeBy].map((agent) => [splitAgentName(agent.name).join(" "), agent]),
);

const wordGoesOn = /^[\p{L}_]/u;
const wordFollows = /^\s+\p{L}/u;
