/** Takes pictures of the pages over the demo people for README and docs. Run it again when the pages look different. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openTestAppliance } from "../../test/appliance.ts";
import { hasBrowser, launch } from "../../test/browser.ts";
import { goodPassword } from "../../test/interfaces/web/person.ts";

const folder = join(import.meta.dir, "../../docs/images");
const email = "lead@corp.example";

const pictures = [
  { name: "search", path: "/?location=Berlin&role=backend&skills=Go%2C+k8s", height: 760 },
  { name: "developer", path: "/developers/ada-example", height: 760 },
  {
    name: "compare",
    path: "/compare?login=ada-example&login=gokce-ciyduzu-example&login=kerem-ciyduzu-example",
    height: 700,
  },
  {
    name: "who",
    path: "/who?repository=demo-guild%2Fonyx-vault&path=services%2Fpayments",
    height: 760,
  },
];

if (!hasBrowser) process.exit(1);
mkdirSync(folder, { recursive: true });
const roster = await openTestAppliance({ people: [], config: { demo: true } });
const browser = await launch();
const context = await browser.newContext({
  baseURL: roster.listen(),
  viewport: { width: 1160, height: 760 },
  colorScheme: "light",
});
const tab = await context.newPage();
await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
const { token } = await roster.modules.accounts.makeLink(email, "invitation");
await tab.goto(`/invitation?token=${token}`);
await tab.getByLabel("New password").fill(goodPassword);
await tab.getByRole("button", { name: "Accept and sign in" }).click();
await tab.waitForURL("**/account");
for (const { name, path, height } of pictures) {
  await tab.setViewportSize({ width: 1160, height });
  await tab.goto(path);
  await tab.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
await roster.close();
