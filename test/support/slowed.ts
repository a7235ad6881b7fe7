import { createServer, request } from 'node:http';
import { listenOnFreePort } from './listen.ts';

/** A server in front of the one at `url` that passes everything on, `ms` milliseconds later. */
export async function slowed(url: string, ms: number) {
  const behind = new URL(url);
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    setTimeout(() => {
      const passed = request(
        { host: behind.hostname, port: behind.port, method, path, headers },
        (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
        },
      );
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    }, ms);
  });
  const port = await listenOnFreePort(server);
  return { url: `http://127.0.0.1:${port}${behind.pathname}`, close: () => server.close() };
}
