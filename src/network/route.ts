/** A route of the web or MCP interface. The HTTP interface serves it without importing the other interface. */
export interface Route {
  /** A pattern such as `/mcp`, `/people/:login` or `/.well-known/*`. Each path has one route. */
  readonly path: string;
  /** The methods that the route answers. GET includes HEAD. */
  readonly methods: readonly Method[];
  /**
   * Answers a request whose body is unread. Thrown errors become the error envelope. Headers of the answer replace headers that
   * the HTTP interface sets.
   */
  handle(
    request: Request,
    metadata: RequestMetadata,
    params: PathParams,
  ): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** Data about a request that the request itself does not contain. */
export interface RequestMetadata {
  /** The request's id, which is sent as `X-Request-Id` and is in every log line. */
  readonly requestId: string;
  /** IP address of the client, as trusted proxies report it; undefined if the request came without a connection. */
  readonly address: string | undefined;
  /** Adds the caller and the operation to the request's line in the log. */
  readonly note?: ((about: CallNote) => void) | undefined;
}

/** An answered request, as monitors see it. */
export interface ObservedAnswer {
  /** The pattern of the route, such as `/v1/developers/:login`; undefined if no route matches. */
  readonly route: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** The length of the body; undefined for a stream. */
  readonly bytes: number | undefined;
}

/** The part of a log line that only the handler knows. */
export interface CallNote {
  /** Id of the API key or token, not the secret itself. */
  readonly key: string;
  readonly operation?: string;
}

/** The decoded value of each `:word` in the path. */
export type PathParams = Readonly<Record<string, string>>;

/** Routes that are loaded only when a request matches none of the routes that are loaded at the start. */
export interface LateRoutes {
  /** These routes receive URLs that cannot be decoded, and must refuse them. */
  readonly routes: readonly Route[];
  /** Answers a request that matches none of `routes` either. @returns undefined if the error envelope is to be sent. */
  answerUnknown(request: Request, metadata: RequestMetadata): Promise<Response | undefined>;
}
