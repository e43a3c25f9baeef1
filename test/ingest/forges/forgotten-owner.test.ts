/** What is kept of a forgotten account leaves with it, however it is recognised. */
import { expect, test } from "bun:test";
import { eraseAccounts } from "../../../src/ingest/forges/erase-accounts.ts";
import { readForgeContent } from "../../../src/ingest/forges/forge-content.ts";
import { openForgeLedger } from "../../../src/ingest/forges/forge-ledger.ts";
import { addSource } from "../../../src/ingest/forges/sources.ts";
import { putPage } from "../../../src/ingest/forges/walk-pages.ts";
import { endWalk, findStep, openWalk } from "../../../src/ingest/forges/walks.ts";

const forge = "git.corp.example";
const account = {
  ...{ number: "1", login: "ada", isBot: false, profile: {} },
  addresses: [{ address: "ada@corp.example", isPublished: true }],
};
const repositories = ["ada", "corp"].map((owner, at) => ({
  ...{ number: `${at}`, name: `${owner}/tool`, owner: owner === "ada" ? "1" : undefined },
  ...{ urls: [`https://${forge}/${owner}/tool.git`], isFork: false },
}));

function open() {
  const forges = openForgeLedger(":memory:");
  const source = { id: "corp", kind: "gitea" as const, url: `https://${forge}`, forge };
  addSource(forges, { ...source, selections: [{ kind: "all" }] });
  const walk = (
    accounts: readonly (typeof account)[],
    isForgotten: (address: string) => boolean,
  ) => {
    const going = openWalk(forges, "corp", [{ name: "all", ask: "all" }]);
    const step = findStep(going);
    if (!step) throw new Error("A walk without a step.");
    const page = { accounts, repositories, hidden: 0, next: undefined };
    // Only an account's own page tells its addresses, by which it is recognised here.
    putPage(going, step, page, ({ addresses }) =>
      addresses.some(({ address }) => isForgotten(address)),
    );
    endWalk(going, "2026-11-21T00:00:00Z");
  };
  return {
    forges,
    walk,
    names: () => readForgeContent(forges).repositories.map(({ name }) => name),
  };
}

test("its repositories, when a walk leaves the account out", () => {
  const { walk, names } = open();
  walk([account], () => false);
  expect(names()).toEqual(["ada/tool", "corp/tool"]);
  walk([account], () => true);
  expect(names()).toEqual(["corp/tool"]);
});

test("its former login, when it has another name and address by then", () => {
  const { forges, walk } = open();
  const isForgotten = (address: string) => address === "ada@corp.example";
  walk([account], () => false);
  const addresses = [{ address: "ada@home.example", isPublished: true }];
  walk([{ ...account, login: "ada-new", addresses }], isForgotten);
  expect(readForgeContent(forges).accounts).toMatchObject([
    { login: "ada-new", formerLogins: [], addresses },
  ]);
  expect(JSON.stringify(readForgeContent(forges).accounts)).not.toContain("ada@corp.example");
});

test("its repositories, when the account was never stored and its number is known later", () => {
  const { forges, walk, names } = open();
  walk([], () => true);
  expect(names()).toEqual(["ada/tool", "corp/tool"]);
  const isTheirAccount = ({ number }: { readonly number: string }) => number === "1";
  eraseAccounts(forges, { isTheirAccount, isTheirAddress: () => false });
  expect(names()).toEqual(["corp/tool"]);
});
