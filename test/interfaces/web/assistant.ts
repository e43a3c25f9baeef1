/** An assistant on this machine waits for its person's browser at a callback. */
/** Where an assistant waits for the browser that comes back. */
export interface Callback {
  readonly address: string;
  /** The query of the next visit, or of the last one if nobody has taken it. */
  came(): Promise<URLSearchParams>;
  close(): void;
}

export function openCallback(): Callback {
  let next = Promise.withResolvers<URLSearchParams>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      next.resolve(new URL(request.url).searchParams);
      const html = "<!doctype html><title>Done</title><link rel=icon href=data:,><p>Connected.";
      return new Response(html, { headers: { "content-type": "text/html" } });
    },
  });
  return {
    address: `${server.url.origin}/callback`,
    came: async () => {
      const params = await next.promise;
      next = Promise.withResolvers();
      return params;
    },
    close: () => {
      void server.stop(true);
    },
  };
}
