import { DefaultRestOptions, REST, type RESTOptions } from 'discord.js';

/**
 * discord.js's REST client with one token for good. Once Discord has rejected a request's token, be it by mistake, the
 * library's own forgets it and sends nothing more. `apiUrl`: null for Discord's own.
 */
export function createRestClient({
  token,
  apiUrl,
  ...options
}: { readonly token: string; readonly apiUrl: string | null } & Partial<RESTOptions>): REST {
  const rest = new REST({ ...options, api: apiUrl ?? DefaultRestOptions.api }).setToken(token);
  rest.setToken = () => rest;
  return rest;
}

/** Ends the client's timers. */
export function closeRestClient(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}
