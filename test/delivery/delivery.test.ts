import { afterEach, describe, expect, test } from "bun:test";
import type { ControlStore } from "../../src/control/control-store.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import {
  createWebhooks,
  type SenderParts,
  startSender,
  webhookEvents,
} from "../../src/delivery/delivery.ts";
import { isLocalHost } from "../../src/delivery/send-message.ts";
import { openReceiver } from "./receiver.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const now = () => new Date();
const all = Object.keys(webhookEvents);
const says: string[] = [];
const log = { warn: (_: object, text: string) => void says.push(text) };
const soon = Array.from({ length: 9 }, () => 0);

async function open({
  isLocal = true,
  ...more
}: Partial<SenderParts> & { isLocal?: boolean } = {}) {
  const control = openSqliteControlStore(":memory:");
  const webhooks = createWebhooks(control, now);
  let secret = "";
  const start = () => {
    const sender = startSender({ control, now, log, ...more });
    closing.push(sender.close);
    return sender;
  };
  closing.push(control.close);
  const receive = (...given: [Parameters<typeof openReceiver>[1], boolean?]) => {
    const receiver = openReceiver(() => secret, ...given);
    closing.push(receiver.close);
    return receiver;
  };
  const add = async (url: string) => {
    const added = await webhooks.add({ url, events: all, isLocal }, "ada");
    secret = added.secret;
    return added.id;
  };
  return { control, webhooks, start, receive, add };
}

const event = (n: number) => ({ type: "run.ended", at: now(), data: { n } });

async function until(isTrue: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error("It did not happen in time.");
    await Bun.sleep(20);
  }
}

/** How many deliveries of the first target wait and are dead, and why the latest failed. */
const stateOf = async ({ deliveries }: ControlStore) =>
  (await deliveries.listTargets()).map(({ waiting, dead, fault }) => [waiting, dead, fault])[0];
const isDead = async (control: ControlStore) => (await stateOf(control))?.[1] === 1;
const isTaken = async (control: ControlStore) => `${await stateOf(control)}` === "0,0,";

describe("a delivery", () => {
  test("is signed, and tried again with the same id until the target takes it", async () => {
    const { control, start, receive, add } = await open({ waitsMs: soon });
    const target = receive((_, count) => (count < 4 ? 500 : 204));
    await add(target.url);
    await control.deliveries.addEvents([event(1)]);
    start();
    await until(() => isTaken(control));
    expect(target.received.map(({ isRight }) => isRight)).toEqual([true, true, true, true]);
    expect(new Set(target.received.map(({ id }) => id)).size).toBe(1);
    expect(JSON.parse(target.received[0]?.body ?? "")).toMatchObject({ data: { n: 1 } });
  });

  test("is dead after the last wait, and is sent again when somebody asks", async () => {
    const { control, webhooks, start, receive, add } = await open({ waitsMs: [0, 0] });
    let status = 500;
    const target = receive(() => status);
    const id = await add(target.url);
    await control.deliveries.addEvents([event(1)]);
    start();
    await until(() => isDead(control));
    expect(await stateOf(control)).toEqual([0, 1, "it answered 500"]);
    expect(target.count()).toBe(3);
    status = 200;
    expect(await webhooks.retry(id)).toBe(1);
    await until(() => isTaken(control));
    expect(target.count()).toBe(4);
  });

  test("waits while webhooks are turned off, and goes out once they are on again", async () => {
    let isOn = false;
    const { control, start, receive, add } = await open({ isOn: () => isOn });
    const target = receive(() => 204);
    await add(target.url);
    await control.deliveries.addEvents([event(1)]);
    start();
    await Bun.sleep(2500);
    expect(target.count()).toBe(0);
    isOn = true;
    await until(() => isTaken(control));
    expect(target.count()).toBe(1);
  });

  test("follows no redirect", async () => {
    const { control, start, receive, add } = await open({ waitsMs: [] });
    const target = receive(() => 302);
    await add(target.url);
    await control.deliveries.addEvents([event(1)]);
    start();
    await until(() => isDead(control));
    expect(await stateOf(control)).toEqual([0, 1, "it answered 302"]);
    expect(target.count()).toBe(1);
  });

  test("to a slow target holds up no other", async () => {
    const { control, start, receive, add } = await open();
    const slow = receive(() => Bun.sleep(60_000).then(() => 200));
    const slowId = await add(slow.url);
    await control.deliveries.addEvents(Array.from({ length: 40 }, (_, n) => event(n)));
    const quick = receive(() => 200);
    await add(quick.url);
    const sender = start();
    await until(() => slow.count() > 0);
    await control.deliveries.addEvents([event(99)]);
    await until(() => quick.count() === 1, 5);
    expect(slow.count()).toBe(4);
    await sender.close();
    const { deliveries } = control;
    const late = new Date(Date.now() + 1e6);
    const waiting = await deliveries.claim(slowId, late, new Date(Date.now() + 1e9), 100);
    expect(waiting.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 41 }, () => 0));
  }, 30_000);
});

describe("an address", () => {
  test.each([
    ["http://127.0.0.1:9/", "this machine or its link"],
    ["http://localhost./", "this machine or its link"],
    ["http://[::ffff:127.0.0.1]/", "this machine or its link"],
    ["http://169.254.169.254/latest", "this machine or its link"],
    ["http://[fe80::1]/", "this machine or its link"],
    ["http://0x7f.1/", "this machine or its link"],
    ["ftp://hooks.example.com/", "https:// or http://"],
    ["https://ada:secret@hooks.example.com/", "no user"],
    ["nothing", "https:// or http://"],
  ])("such as %s is refused", async (url, words) => {
    const { webhooks } = await open();
    const added = webhooks.add({ url, events: all, isLocal: false }, "ada");
    expect(await added.catch(({ message }: Error) => message)).toContain(words);
  });

  test("is checked again when its name is looked up", async () => {
    const { control, start, receive } = await open({ waitsMs: [] });
    const target = receive(() => 200);
    const url = target.url.replace("127.0.0.1", "localhost");
    const by = { at: now(), actor: "ada", action: "webhook.added", subject: "wh_x" } as const;
    const given = {
      id: "wh_x",
      url,
      events: all,
      isLocal: false,
      told: "",
      notices: "[]",
      fault: null,
    };
    await control.deliveries.addTarget(given, { ...by, detail: {} });
    await control.deliveries.addEvents([event(1)]);
    start();
    await until(() => isDead(control));
    const fault = "its address is on this machine or its link, which it may not be";
    expect(await stateOf(control)).toEqual([0, 1, fault]);
    expect(target.count()).toBe(0);
  });

  test("of a cloud's own services counts as local, and others do not", () => {
    for (const host of ["100.100.100.200", "[fd00:ec2::254]", "0.0.0.0", "[::]", "a.localhost"])
      expect([host, isLocalHost(host)]).toEqual([host, true]);
    for (const host of ["10.0.0.1", "192.168.1.2", "hooks.example.com", "[2001:db8::1]"])
      expect([host, isLocalHost(host)]).toEqual([host, false]);
  });
});

test("a secret is derived: no file has it, and each webhook has another", async () => {
  const { webhooks, control } = await open();
  const url = "https://hooks.example.com/";
  const [one, two] = [
    await webhooks.add({ url, events: all, isLocal: false }, "ada"),
    await webhooks.add({ url, events: ["run.ended"], isLocal: false }, "ada"),
  ];
  expect(one.secret).not.toBe(two.secret);
  expect(Buffer.from(one.secret.slice("whsec_".length), "base64").length).toBe(32);
  expect(
    JSON.stringify([await control.deliveries.listTargets(), await control.auditEntries(9)]),
  ).not.toContain(one.secret.slice(6, 20));
});
