/**
 * Runs the double of GitHub in a process of its own, as a forge would be. It computes each answer once, by the vendor's
 * schema, and then repeats it, so that the measurement beside it is of Roster. Argument: the number of people. Prints its
 * address.
 */
import { serveGithub } from "../../test/ingest/forges/github-double.ts";

const double = serveGithub({ people: Number(process.argv[2]) });
const answers = new Map<string, Promise<Answer>>();

interface Answer {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const question = request.method === "POST" ? await request.text() : undefined;
    const key = `${pathname}${search} ${question ?? ""}`;
    const known = answers.get(key) ?? ask(`${pathname}${search}`, question);
    answers.set(key, known);
    const { body, headers } = await known;
    return new Response(body, { headers });
  },
});
const address = `http://127.0.0.1:${server.port}`;
console.log(address);

async function ask(path: string, body: string | undefined): Promise<Answer> {
  const asked = body === undefined ? {} : { method: "POST", body };
  const answer = await fetch(`${double.url}${path}`, asked);
  if (!answer.ok) throw new Error(`the double answered ${answer.status} to ${path}`);
  const link = answer.headers.get("link")?.replaceAll(double.url, address);
  const headers = { "content-type": "application/json", ...(link && { link }) };
  return { body: await answer.text(), headers };
}
