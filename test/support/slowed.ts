import { createServer, request } from 'node:http';

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
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server is not listening');
  return { url: `http://127.0.0.1:${address.port}${behind.pathname}`, close: () => server.close() };
}
