import type { SignInContext } from "./sign-in-context.ts";

/** Asks the library as its own pages would, over its HTTP face. */
export async function callLibrary(
  context: Pick<SignInContext, "library" | "publicUrl">,
  path: string,
  body: object,
  cookie = "",
): Promise<Response> {
  const { handler } = await context.library();
  const url = context.publicUrl();
  const headers = { "content-type": "application/json", accept: "application/json" };
  const origin = new URL(url).origin;
  return handler(
    new Request(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, origin, cookie },
      body: JSON.stringify(body),
    }),
  );
}
