import type { SignInContext } from "./sign-in-context.ts";

/** Asks the library as its own pages would, over its HTTP face. */
export async function callLibrary(
  desk: Pick<SignInContext, "library" | "publicUrl">,
  path: string,
  body: object,
  cookie = "",
): Promise<Response> {
  const { handler } = await desk.library();
  const url = desk.publicUrl();
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
