import type { ServerResponse } from 'node:http';
import type { Json } from './json.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export function json(status: number, body: Json, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    text: JSON.stringify(body),
  };
}

export function page(status: number, title: string): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    text: `<!doctype html><title>${status} ${title}</title><h1>${title}</h1>\n`,
  };
}

/** Cuts the text where no JSON can end. */
export function cut(answer: Answer): Answer {
  return { ...answer, text: answer.text.slice(0, Math.max(1, Math.floor(answer.text.length / 2))) };
}

/** `at`: unix milliseconds for the `Date` header. */
export function send(response: ServerResponse, { status, headers, text }: Answer, at: number): void {
  const body = Buffer.from(text);
  response.writeHead(status, { ...headers, Date: new Date(at).toUTCString(), 'Content-Length': body.length });
  response.end(body);
}
