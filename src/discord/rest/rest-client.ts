import {
  DefaultRestOptions,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  type ResponseLike,
  type RouteLike,
} from '@discordjs/rest';

type Ask = (route: RouteLike, options?: RequestData) => Promise<unknown>;

/** Requests to Discord. Rejects with `DiscordAPIError`, `HTTPError`, `RateLimitError`, or as undici does. */
export interface Rest {
  readonly get: Ask;
  readonly post: Ask;
  readonly put: Ask;
  readonly patch: Ask;
  readonly delete: Ask;
}

type RestSettings = { readonly apiUrl: string | null } & Partial<RESTOptions>;

/** `@discordjs/rest` without a token. `apiUrl`: null for Discord's own. */
export function createRest({ apiUrl, ...options }: RestSettings): REST {
  return new REST({ ...options, api: apiUrl ?? DefaultRestOptions.api });
}

export function endTimers(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

/**
 * `@discordjs/rest` with one token for good. Once Discord has rejected a request's token, be it by mistake, the
 * library forgets a token that it was given, and sends nothing more: so each request brings it along. A request with
 * `auth: false` goes without one.
 */
export function createRestClient({ token, ...options }: RestSettings & { readonly token: string }): Rest & {
  /** Calls back with every response; `method` is in capitals, `path` is the route. */
  onResponse(listener: (request: { method: string; path: string }, response: ResponseLike) => void): void;
  /** How many requests a second may leave from now on. */
  limitTo(requestsPerSecond: number): void;
  /** Ends the client's timers. */
  close(): void;
} {
  const rest = createRest(options);
  const headers = { Authorization: `Bot ${token}` };
  const withToken = (options: RequestData = {}): RequestData =>
    options.auth === false
      ? options
      : { ...options, auth: false, headers: { ...options.headers, ...headers } };
  return {
    get: (route, options) => rest.get(route, withToken(options)),
    post: (route, options) => rest.post(route, withToken(options)),
    put: (route, options) => rest.put(route, withToken(options)),
    patch: (route, options) => rest.patch(route, withToken(options)),
    delete: (route, options) => rest.delete(route, withToken(options)),
    onResponse(listener) {
      rest.on(RESTEvents.Response, ({ method, path }, response) =>
        listener({ method: method.toUpperCase(), path }, response),
      );
    },
    limitTo(requestsPerSecond) {
      rest.options.globalRequestsPerSecond = requestsPerSecond;
    },
    close: () => endTimers(rest),
  };
}
