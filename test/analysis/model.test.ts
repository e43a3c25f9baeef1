import { describe, expect, test } from "bun:test";
import file from "../../seed/model.json" with { type: "json" };
import { readModel, readOperatorModel, readShippedModel } from "../../src/analysis/model.ts";

/** A copy of the shipped file with one thing changed, the rest as an operator would leave it. @param path `recency.floor.why`. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(file);
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce<unknown>((one, name) => (one as Record<string, unknown>)[name], copy);
  Object.assign(parent as object, { [last]: value });
  return copy;
}

describe("the model file", () => {
  test("gives constants without their reasons", () => {
    expect(readShippedModel().modelVersion).toBe("2026.11.8");
    expect(readShippedModel().activity.volumeFull).toBe(30);
    const recency = { halfLifeMonths: 24, floor: 0.35, restMonthsMax: 12 };
    expect(readShippedModel().recency).toEqual(recency);
    expect(readModel(changed("activity.volumeFull.value", 2)).activity.volumeFull).toBe(2);
  });

  test.each([
    ["no object", 5, /model file/],
    ["an empty object", {}, /modelVersion/],
    ["a negative volume", changed("activity.volumeFull.value", -1), /volumeFull/],
    ["no reason", changed("recency.floor.why", ""), /recency\.floor\.why/],
    ["weights of 101", changed("profile.weights.value.bio", 16), /must add up to 100, got 101/],
    [
      "a high floor",
      changed("skills.matchStrengthMin.value", 31),
      /matchStrengthMin must be at most 30/,
    ],
    ["labels out of order", changed("labels.level.value.Advanced", 80), /labels.level must rise/],
    ["a misspelt constant", changed("recency.flor", file.recency.floor), /flor/],
    ["rising weights", changed("techStack.fallingWeights.value", [1, 89]), /must not rise/],
  ])("with %s is refused in words", (_name, wrong, words) => {
    expect(() => readModel(wrong)).toThrow(words);
  });
});

describe("an operator's model file", () => {
  const roles = Object.keys(file.roles.medians.value);

  test("never bears the shipped model's name, nor another file's", () => {
    const versions = [30, 2, 3].map(
      (full) => readOperatorModel(changed("activity.volumeFull.value", full), roles).modelVersion,
    );
    expect(new Set([...versions, readShippedModel().modelVersion]).size).toBe(4);
    for (const version of versions) expect(version).toMatch(/^2026\.11\.8\+[0-9a-f]{8}$/);
  });

  test("is named for its constants, not for their reasons or their order", () => {
    const reworded = changed("recency.floor.why", "Somebody else's words.");
    const turned = Object.fromEntries(Object.entries(file).reverse());
    const [a, b, c] = [file, reworded, turned].map(
      (each) => readOperatorModel(each, roles).modelVersion,
    );
    expect([b, c]).toEqual([a, a]);
  });

  test("may name no role that there is not", () => {
    const misspelt = changed("roles.medians.value.backnd", 3);
    expect(() => readOperatorModel(misspelt, roles)).toThrow(/"backnd" is no role/);
  });
});
