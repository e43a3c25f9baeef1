/** A way in that one interface offers and the HTTP interface serves, since interfaces never know each other. */
export interface Route {
  /** In the router's form: `/mcp`, `/people/:login`, `/.well-known/*`. One route per path. */
  readonly path: string;
  /** Any other is 405 with `Allow`; GET answers HEAD as well. */
  readonly methods: readonly Method[];
  /**
   * Answers one request, whose body nobody has read. What is thrown is answered in the error envelope, as
   * anywhere; a header set here stands in place of the HTTP interface's own, such as its Content-Security-Policy.
   */
  handle(
    request: Request,
    visit: RequestMetadata,
    params: PathParams,
  ): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** What the HTTP interface knows of a request beside the request itself. */
export interface RequestMetadata {
  /** Goes out as `X-Request-Id`, and belongs into every line of log. */
  readonly requestId: string;
  /** IP address of the client, past the proxies that the operator named. `undefined` without a socket. */
  readonly address: string | undefined;
}

/** What stands in a path in place of each `:word`, decoded once. */
export type PathParams = Readonly<Record<string, string>>;

/** Routes that are loaded when a request first comes for which there is no other. */
export interface LateRoutes {
  /** Each judges by itself whether an address can be decoded, and says so in its own form. */
  readonly routes: readonly Route[];
  /** Answers where there is no route either; `undefined`: with the error envelope. */
  answerUnknown(request: Request, visit: RequestMetadata): Promise<Response | undefined>;
}
