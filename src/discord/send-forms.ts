import { DefaultRestOptions, type RESTOptions } from 'discord.js';

/**
 * How the chat client makes a request, with files written out as bytes first. The client and the bot bring two
 * versions of undici; the newer one is everybody's dispatcher, and refuses forms that the other one hands to it.
 */
export const sendForms: RESTOptions['makeRequest'] = async (url, init) => {
  if (!(init.body instanceof FormData)) return DefaultRestOptions.makeRequest(url, init);
  const form = new Response(init.body);
  const headers = { ...plain(init.headers), 'content-type': form.headers.get('content-type') ?? '' };
  return DefaultRestOptions.makeRequest(url, {
    ...init,
    headers,
    body: new Uint8Array(await form.arrayBuffer()),
  });
};

/** The client writes them as a plain object, and as nothing else. */
function plain(headers: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
