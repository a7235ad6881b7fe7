import { once } from 'node:events';
import { createServer } from 'node:http';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { listenOnFreePort } from './listen.ts';

/** What stands in for an answer: any JSON, or a text as it is. */
type Stand = { readonly json: unknown } | { readonly text: string };

/** Sits between the bot and the data service; a test can have other answers sent than the true ones. */
interface Altered {
  /** For SERVICE_URL. */
  readonly url: string;
  /** Null: the true answer. Called with the path, the parameters and the true answer's JSON; null where it has none. */
  alter: (path: string, asked: URLSearchParams, json: unknown) => Stand | null;
}

export async function altered(dataService: DataService): Promise<Altered & AsyncDisposable> {
  const server = createServer(async (asked, answer) => {
    const { pathname, search, searchParams } = new URL(asked.url ?? '/', 'http://127.0.0.1');
    try {
      const response = await fetch(new URL(pathname + search, dataService.url));
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const stand = all.alter(pathname, searchParams, isJson ? JSON.parse(text) : null);
      if (stand === null) answer.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
      else
        answer
          .writeHead(200, { 'content-type': 'application/json' })
          .end('text' in stand ? stand.text : JSON.stringify(stand.json));
    } catch {
      answer.destroy();
    }
  });
  const all: Altered = { url: `http://127.0.0.1:${await listenOnFreePort(server)}`, alter: () => null };
  return Object.assign(all, {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}
