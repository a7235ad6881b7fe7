import {
  DefaultRestOptions,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  type ResponseLike,
} from 'discord.js';

/** Requests to Discord. Rejects with `DiscordAPIError`, `HTTPError`, `RateLimitError`, or as undici does. */
export type Rest = Pick<REST, 'get' | 'post' | 'put' | 'patch' | 'delete'>;

type RestSettings = { readonly apiUrl: string | null } & Partial<RESTOptions>;

/** A REST client without a token. `apiUrl`: null for Discord's own. */
export function createRest({ apiUrl, ...options }: RestSettings): REST {
  return new REST({ ...options, api: apiUrl ?? DefaultRestOptions.api });
}

/**
 * A REST client with one token for good. Once Discord has rejected a request's token, be it by mistake, the
 * library forgets a token that it was given, and sends nothing more: so each request brings it along. A request with
 * `auth: false` goes without one.
 */
export function createRestClient({ token, ...options }: RestSettings & { readonly token: string }): Rest & {
  /** Calls back with every response; `method` is in capitals, `path` is the route. */
  onResponse(listener: (request: { method: string; path: string }, response: ResponseLike) => void): void;
  /** How many requests a second may leave from now on. */
  limitTo(requestsPerSecond: number): void;
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
  };
}
