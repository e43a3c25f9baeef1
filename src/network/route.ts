/** A route that another interface offers and the HTTP interface serves, since interfaces do not import each other. */
export interface Route {
  /** In the router's form: `/mcp`, `/people/:login`, `/.well-known/*`. One route per path. */
  readonly path: string;
  /** Any other method gets 405 with `Allow`; GET answers HEAD as well. */
  readonly methods: readonly Method[];
  /**
   * Answers one request, whose body has not been read. What it throws becomes the error envelope, as everywhere; a
   * header it sets replaces the HTTP interface's own, such as Content-Security-Policy.
   */
  handle(
    request: Request,
    metadata: RequestMetadata,
    params: PathParams,
  ): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** What the HTTP interface adds to a request. */
export interface RequestMetadata {
  /** Sent as `X-Request-Id`, and part of every log line. */
  readonly requestId: string;
  /** IP address of the client, as trusted proxies report it. `undefined` without a socket. */
  readonly address: string | undefined;
  /** Adds to the request's line in the log who called what. */
  readonly note?: ((about: CallNote) => void) | undefined;
}

/** What only the handler of a request knows of it, and an operator may see. */
export interface CallNote {
  /** Id of the key or token; never itself. */
  readonly key: string;
  readonly operation?: string;
}

/** The value of each `:word` in the path, decoded once. */
export type PathParams = Readonly<Record<string, string>>;

/** Routes that are loaded with the first request that no other route matches. */
export interface LateRoutes {
  /** Each checks by itself whether the URL can be decoded, and answers in its own form if not. */
  readonly routes: readonly Route[];
  /** Answers what matches none of these routes either; `undefined`: the error envelope is sent. */
  answerUnknown(request: Request, metadata: RequestMetadata): Promise<Response | undefined>;
}
