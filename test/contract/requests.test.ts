import { expect, test } from "bun:test";
import { Facts } from "../../src/contract/people/facts.ts";
import { isLogin } from "../../src/contract/requests.ts";
import { Value } from "../../src/contract/schema.ts";
import { inventedPeople } from "../invented-people.ts";

const longest = "a".repeat(100);

test.each([
  ["ada-example", true],
  [longest, true],
  [`${longest}a`, false],
  // A second forge's namesake, however long the login: what can be stored can be asked for.
  [`${longest}@forge.example`, true],
  ["ada@", false],
  ["ada@forge@forge", false],
  ["", false],
])("%s as a login, in facts and in requests alike: %p", (login, isOne) => {
  expect(isLogin(login)).toBe(isOne);
  expect(Value.Check(Facts, { ...inventedPeople[0], login })).toBe(isOne);
});
