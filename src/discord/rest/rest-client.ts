import { DefaultRestOptions, REST, type RESTOptions } from 'discord.js';

/** Requests to Discord. Rejects with `DiscordAPIError`, `HTTPError`, `RateLimitError`, or as undici does. */
export type Rest = Pick<REST, 'get' | 'post' | 'put' | 'patch' | 'delete'>;

/** The library forgets a token that Discord has rejected once, be it by mistake, and would send nothing more. */
class RestWithLastingToken extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/** A REST client with one token for good. `apiUrl`: null for Discord's own. */
export function createRestClient({
  token,
  apiUrl,
  ...options
}: { readonly token: string; readonly apiUrl: string | null } & Partial<RESTOptions>): REST {
  return new RestWithLastingToken({ ...options, api: apiUrl ?? DefaultRestOptions.api }).setToken(token);
}
