/** Deliveries as Python's library of Standard Webhooks checks them. `scripts/test` installs it into .tools/recipes. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sendMessage } from "../../src/delivery/send-message.ts";

const pythons = [join(import.meta.dir, "../../.tools/recipes/bin/python"), "python3"];
const python = pythons.find((path) => {
  try {
    return Bun.spawnSync([path, "-c", "import standardwebhooks"]).exitCode === 0;
  } catch {
    return false;
  }
});
if (python === undefined) {
  process.stderr.write("Skips: needs standardwebhooks of PyPI, which scripts/test installs\n");
}

const script = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
for line in sys.stdin:
    given = json.loads(line)
    try:
        print(json.dumps(Webhook(given["secret"]).verify(given["body"], given["headers"])))
    except WebhookVerificationError:
        print("refused")
`;

test.skipIf(python === undefined)(
  "Python's library takes what Roster signs, and nothing else",
  async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        got.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
        return new Response();
      },
    });
    const secret = `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`;
    const body = '{"type":"webhook.test","data":{"name":"Žofie 王"}}';
    const url = `http://127.0.0.1:${server.port}/`;
    const signal = AbortSignal.timeout(10_000);
    const posting = { url, isLocal: true, secret, id: "msg_1", body, at: new Date(), signal };
    expect(await sendMessage(posting)).toBeUndefined();
    expect(await sendMessage({ ...posting, at: new Date(Date.now() - 600_000) })).toBeUndefined();
    server.stop(true);
    const [now, old] = got;
    const lines = [
      { secret, ...now },
      { secret, ...now, body: body.replace("test", "best") },
      { secret: `whsec_${Buffer.from("x".repeat(32)).toString("base64")}`, ...now },
      { secret, ...old },
    ];
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const child = Bun.spawnSync([python ?? "", "-c", script], { stdin: Buffer.from(input) });
    const out = child.stdout.toString().trim().split("\n");
    expect(out.slice(1)).toEqual(["refused", "refused", "refused"]);
    expect(JSON.parse(out[0] ?? "")).toEqual(JSON.parse(body));
  },
);
