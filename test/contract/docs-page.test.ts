/** The page at /docs in a real browser: it renders, and asks nobody but this server. */
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { operations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";
import { hasBrowser, launch } from "../browser.ts";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const appliance = await openTestAppliance();
afterAll(() => appliance.close());

const page = async (path: string) => {
  const response = await appliance.handle(new Request(`http://localhost${path}`));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

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
      expect(text).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/<script>|<style>| style=| on[a-z]+=/);
    }
  });

  test("200 for every file that the page names, for ever cacheable", async () => {
    const { text } = await page("/docs");
    const named = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`);
    expect(named.length).toBe(3);
    for (const path of named) {
      const { status, headers } = await page(path);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toContain("immutable");
    }
  });

  test.skipIf(!hasBrowser)(
    "shows the operations, with no request that leaves this server, and no broken rule that is ours to mend",
    async () => {
      const address = appliance.listen();
      const browser = await launch();
      try {
        const tab = await browser.newPage();
        const asked: string[] = [];
        const complaints: string[] = [];
        tab.on("request", (request) => asked.push(request.url()));
        tab.on("pageerror", (error) => complaints.push(String(error)));
        tab.on("console", (message) => {
          if (["error", "warning"].includes(message.type())) complaints.push(message.text());
        });
        await tab.goto(`${address}/docs`);
        await tab.waitForSelector(".opblock");
        expect(await tab.locator(".opblock").count()).toBe(operations.length);
        await tab.locator(".opblock-summary-control").first().click();
        await tab.waitForSelector(".opblock-body");
        const foreign = asked.filter((url) => !url.startsWith(address) && !url.startsWith("data:"));
        expect(foreign).toEqual([]);
        expect(complaints).toEqual([]);
        await tab.evaluate(axe);
        const found = "axe.run().then(({ violations }) => violations.map(({ id }) => id).sort())";
        // Swagger UI's own colours and markup, whose style sheet and elements are its to change.
        expect(await tab.evaluate(found)).toEqual([
          ...["color-contrast", "heading-order", "nested-interactive", "region"],
          "scrollable-region-focusable",
        ]);
      } finally {
        await browser.close();
      }
    },
    300_000,
  );
});
