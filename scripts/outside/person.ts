/** A person with an account, at a simulated browser. */
import type { Server } from "../fuzzing/program.ts";
import { type Browser, type Form, openBrowser, type Page } from "./browser.ts";

/** Signs in by a link that sets the password, as the account's owner would. */
export async function signIn(server: Server, email: string, password: string): Promise<Browser> {
  const { link } = await server.command("account", "reset", email);
  const path = `/reset-password${new URL(link).search}`;
  const browser = openBrowser(server.address);
  const [form] = (await browser.ask(path)).forms.filter(({ fields }) =>
    fields.some(({ name }) => name === "password"),
  );
  const done = form && (await send(browser, path, form, { password }));
  if (done?.status !== 303) throw new Error("the person could not sign in");
  return browser;
}

/**
 * Opens the address that a client sends its user to, and gives consent. @returns the address that the browser is sent
 * back to.
 */
export async function allow(browser: Browser, address: string): Promise<string> {
  let path = address;
  let page = await browser.ask(path);
  for (let hops = 0; page.headers.has("location") && hops < 5; hops += 1) {
    path = page.headers.get("location") ?? "";
    page = await browser.ask(path);
  }
  const form = page.forms.find(({ fields }) => fields.some(({ value }) => value === "allow"));
  if (!form) throw new Error(`no consent is asked for at ${path}: ${page.status}`);
  const sent = await send(browser, path, form, {});
  const back =
    /url=(.+)$/.exec(sent.headers.get("refresh") ?? "")?.[1] ?? sent.headers.get("location");
  if (!back) throw new Error(`the browser is not sent back from ${path}: ${sent.status}`);
  return back;
}

function send(
  browser: Browser,
  path: string,
  form: Form,
  own: Record<string, string>,
): Promise<Page> {
  const body = new URLSearchParams();
  for (const { name, value } of form.fields) body.set(name, own[name] ?? value);
  return browser.ask(form.action || path, { method: "POST", body });
}
