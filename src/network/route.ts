/** A route that another interface offers and the HTTP interface serves, since interfaces do not import each other. */
export interface Route {
  /** In the router's form: `/mcp`, `/people/:login`, `/.well-known/*`. One route per path. */
  readonly path: string;
  /** Any other method gets 405 with `Allow`; GET answers HEAD as well. */
  readonly methods: readonly Method[];
  /**
   * Answers one request, with its body still unread. An error that it throws becomes the error envelope. A header field that
   * it sets replaces the HTTP interface's own, such as Content-Security-Policy.
   */
  handle(
    request: Request,
    metadata: RequestMetadata,
    params: PathParams,
  ): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** What the HTTP interface knows of a request besides its text. */
export interface RequestMetadata {
  /** Sent as `X-Request-Id`, and part of every log line. */
  readonly requestId: string;
  /** IP address of the client, as trusted proxies report it. `undefined` without a socket. */
  readonly address: string | undefined;
  /** Adds the caller and the operation to the request's line in the log. */
  readonly note?: ((about: CallNote) => void) | undefined;
}

/** The part of a log line that only the handler knows. */
export interface CallNote {
  /** Id of the key or token; never itself. */
  readonly key: string;
  readonly operation?: string;
}

/** The value of each `:word` in the path, decoded once. */
export type PathParams = Readonly<Record<string, string>>;

/** Routes that are loaded at the first request that matches no other route. */
export interface LateRoutes {
  /** Each route itself refuses a URL that cannot be decoded, in its own form. */
  readonly routes: readonly Route[];
  /** Answers a request that matches none of these routes either; `undefined` if the error envelope is to be sent. */
  answerUnknown(request: Request, metadata: RequestMetadata): Promise<Response | undefined>;
}
