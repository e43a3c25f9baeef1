import { describe, expect, test } from "bun:test";
import { Problem } from "../../../src/contract/problem.ts";
import { readForm } from "../../../src/interfaces/web/form.ts";

const type = "application/x-www-form-urlencoded";
const sent = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  readForm(
    new Request("http://localhost/", {
      method: "POST",
      body,
      headers: { "content-type": type, ...headers },
    }),
    { checkToken: () => {} },
  );
const refusal = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const thrown = await sent(body, headers).catch((error: unknown) => error);
  if (!(thrown instanceof Problem)) throw new Error("that form was taken");
  return [thrown.status, thrown.message];
};

describe("what a form sends", () => {
  test("is read once decoded, apart from the act and the token", async () => {
    expect(await sent("act=create&token=t&email=a%2Bb%40c&name=x+%26+y%3D&empty=&blank=+")).toEqual(
      { act: "create", given: { email: "a+b@c", name: "x & y=" } },
    );
  });

  test("415 for any other content type", async () => {
    for (const other of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
      expect((await refusal("a=b", { "content-type": other }))[0]).toBe(415);
    }
  });

  test("400 for a field sent twice, for bytes that are no text, for broken escapes", async () => {
    expect(await refusal("plan=free&plan=pro")).toEqual([400, 'the field "plan" was sent twice']);
    // Boxes that choose people all have this name.
    expect((await sent("login=ada&login=ben")).given).toEqual({ login: "ada ben" });
    for (const broken of ["a=%ff", "a=%zz", "a=%C3%28", new Uint8Array([97, 61, 0xff])]) {
      const answer = await refusal(broken).catch(() => "taken");
      // A raw byte above ASCII is read as itself or refused.
      if (answer !== "taken") expect(answer[0]).toBe(400);
    }
  });

  test("413 for more than a form can be, announced or not", async () => {
    const large = `a=${"x".repeat(20_000)}`;
    expect((await refusal(large))[0]).toBe(413);
    const stream = new Response(large).body as ReadableStream;
    const request = new Request("http://localhost/", {
      method: "POST",
      body: stream,
      headers: { "content-type": type },
    });
    const thrown = await readForm(request, { checkToken: () => {} }).catch(
      (error: unknown) => error,
    );
    expect((thrown as Problem).status).toBe(413);
  });

  test("400 for more fields than any form has, and the token is checked before a field is decoded", async () => {
    const many = Array.from({ length: 61 }, (_, at) => `f${at}=x`).join("&");
    expect(await refusal(many)).toEqual([400, "a form has at most 60 fields"]);
    const request = new Request("http://localhost/", {
      method: "POST",
      body: "broken=%zz&token=wrong&broken=%zz",
      headers: { "content-type": type },
    });
    const checkToken = (token: string) => {
      throw new Problem("invalid_request", { status: 403, message: token });
    };
    const thrown = await readForm(request, { checkToken }).catch((error: unknown) => error);
    expect([(thrown as Problem).status, (thrown as Problem).message]).toEqual([403, "wrong"]);
  });

  test("no field reaches a prototype", async () => {
    const { given } = await sent("__proto__=x&constructor=y");
    expect(Object.keys(given)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});
