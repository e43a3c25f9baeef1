/** The page at /docs: in the frame of the others, asks nobody but this server, and calls what it describes. */
import { afterAll, describe, expect, test } from "bun:test";
import { operations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";
import { hasBrowser, launch, openTab, textOf, waitForFocus } from "../browser.ts";
import { invited, openPerson, readable } from "../interfaces/web/person.ts";

const publicUrl = "http://127.0.0.1:7171";
const appliance = await openTestAppliance({ config: { publicUrl } });
afterAll(() => appliance.close());

const page = async (path: string) => {
  const response = await appliance.handle(new Request(`http://localhost${path}`));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

async function countCalls(email: string): Promise<number> {
  const account = await appliance.modules.accounts.find(email);
  return (await appliance.modules.quota.usage({ accountId: account?.id ?? "" })).month.used;
}

/** The answer that the page shows. */
function readAnswer(html: string) {
  const [, json = ""] = /aria-label="The answer"><pre><code>(.*?)<\/code>/s.exec(html) ?? [];
  return JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
}

describe("GET /docs", () => {
  test("200 with a policy that lets no foreign and no inline script run", async () => {
    for (const path of ["/", "/docs"]) {
      const { status, headers, text } = await page(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(text).not.toMatch(/(?:src|href)="https?:/);
      expect(text).not.toMatch(/<script>|<style>| style=| on[a-z]+=/);
    }
  });

  test("describes each operation, with every field of its request and of its answer", async () => {
    const text = readable((await page("/docs")).text);
    for (const { name, summary, path, input } of operations) {
      for (const said of [name, summary, path.replace(/:(\w+)/g, "{$1}")])
        expect(text).toContain(said);
      for (const field of Object.keys(input.properties)) expect(text).toContain(field);
    }
    expect(text).toContain("results[].matching_keywords");
  });
});

describe("a call on the page", () => {
  for (const { name, example, isFree } of operations) {
    test(`${name} answers its example as the API does, and counts like it`, async () => {
      const email = `${name}@example.com`;
      const ada = await invited(appliance, email);
      const { text, status } = await ada.send("/docs", name, { request: JSON.stringify(example) });
      expect(status).toBe(200);
      const { success, error, data, meta } = readAnswer(text);
      expect([success, error]).toEqual([true, undefined]);
      const cost = data.calls ?? (isFree ? 0 : 1);
      expect([meta.quota.used, await countCalls(email)]).toEqual([cost, cost]);
      const told = ["no call", "one call", "2 calls"][cost];
      expect(readable(text)).toContain(
        `Status 200. Used ${told} (${cost} of 1,000 calls this month).`,
      );
      expect(Object.keys(data).length).toBeGreaterThan(0);
    });
  }

  test("takes a pasted key from a guest, counts for its account, and shows it nowhere", async () => {
    const { email, key } = await appliance.newAccount("pro");
    const guest = openPerson(appliance);
    const fields = { request: '{"login":"ada-example"}', key };
    const { text } = await guest.send("/docs", "get_developer", fields);
    expect(JSON.stringify(readAnswer(text).data)).toContain('"username":"ada-example"');
    expect(await countCalls(email)).toBe(1);
    expect(text).not.toContain(key);
    expect(readable(text)).toContain(`curl -s '${publicUrl}/v1/users/ada-example'`);
  });

  test("without a key or with a wrong one is refused, and what was typed stays", async () => {
    const guest = openPerson(appliance);
    const request = '{"login": "ada-example"}';
    for (const [fields, told] of [
      [{ request }, "Paste an API key, or sign in first."],
      [{ request, key: "rst_wrong" }, "This key is not valid here"],
      [{ request: '{"login": ' }, "The request must be JSON"],
      [{ request: "[]" }, "must be one JSON object"],
    ] as const) {
      const refused = await guest.send("/docs", "get_developer", fields);
      expect(refused.status).toBe(400);
      expect(readable(refused.text)).toContain("That did not work");
      expect(readable(refused.text)).toContain(told);
      expect(readable(refused.text)).toContain(fields.request);
    }
  });

  test("that is malformed shows the refusal of the API, and counts nothing", async () => {
    const ada = await invited(appliance, "slips@example.com");
    const request = '{"location":"Berlin","skils":["Go"]}';
    const { text } = await ada.send("/docs", "search_developers", { request });
    const { success, error } = readAnswer(text);
    expect([success, error.code]).toEqual([false, "invalid_request"]);
    expect(await countCalls("slips@example.com")).toBe(0);
  });
});

test.skipIf(!hasBrowser)(
  "in a browser without a script, the answer has the focus, and nothing leaves this server",
  async () => {
    const roster = await openTestAppliance();
    const browser = await launch();
    const options = { javaScriptEnabled: false };
    const { tab, complaints } = await openTab(browser, roster.listen(), options);
    const { key } = await roster.newAccount("pro");
    await tab.goto("/docs");
    const panel = tab.locator("#search_developers");
    await panel.getByLabel("API key").fill(key);
    await panel.getByRole("button", { name: "Try it" }).click();
    expect(await textOf(panel.getByRole("status"))).toContain('"success": true');
    await waitForFocus(panel.getByRole("status"));
    expect(complaints).toEqual([]);
    await browser.close();
    await roster.close();
  },
  300_000,
);
