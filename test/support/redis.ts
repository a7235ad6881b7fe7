import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptClient } from '../../src/service/budget/ledger/redis.ts';
import { listenOnFreePort } from './listen.ts';

/** A server of its own on a free loopback port, with its data in `folder` until its end. */
export interface RedisServer {
  readonly port: number;
  readonly folder: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** It keeps its connections and answers nothing until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Stops it, and removes its data. */
  end(): Promise<void>;
}

export async function createRedis(further: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-redis-'));
  let running: ChildProcess | null = null;
  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return {
    port,
    folder,
    stop,
    start: async () => {
      const options = { bind: '127.0.0.1', port, dir: folder, save: '', appendonly: 'yes', ...further };
      const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
      const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
      running = child;
      await new Promise<void>((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('Ready to accept connections')) resolve();
        });
      });
    },
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
    async end() {
      await stop();
      // A process that it has begun for writing may still add to it.
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** The arguments of ACL SETUSER in deploy/README.md: all that the bot may do. */
export function leastRights(password: string): readonly string[] {
  const text = readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8');
  const [, rights = ''] = /ACL SETUSER ((?:.*\\\n)*.*)/.exec(text) ?? [];
  return rights
    .replaceAll('\\\n', '')
    .split(/\s+/)
    .map((one) => one.replaceAll("'", '').replace('>PASSWORD', `>${password}`));
}

/** What has been refused for want of a right since the server started. */
export async function refusedRights(admin: TestClient): Promise<readonly string[]> {
  const entries = await admin.command('ACL', 'LOG');
  const lines = Array.isArray(entries) ? entries.map((entry) => String(entry)) : [];
  // A server that has just started does not know the user yet. The client names itself to newer ones, where it may.
  return lines.filter((line) => !/reason,auth|client\|setinfo/.test(line));
}

interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A client just large enough for scripts. Rejects at once while it is not connected, and connects again by itself. */
export class TestClient implements ScriptClient {
  readonly #port: number;
  #socket: Socket | null = null;
  #waiting: Waiting[] = [];
  #received = Buffer.alloc(0);
  #closed = false;

  constructor(port: number) {
    this.#port = port;
    this.#connect();
  }

  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
    return this.command('EVAL', script, String(options.keys.length), ...options.keys, ...options.arguments);
  }

  command(...parts: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#socket === null) return reject(new Error('not connected'));
      this.#waiting.push({ resolve, reject });
      const bulk = parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('');
      this.#socket.write(`*${parts.length}\r\n${bulk}`);
    });
  }

  /** Resolves when it is connected. */
  async ready(): Promise<void> {
    while (this.#socket === null) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = createConnection(this.#port, '127.0.0.1');
    socket.on('connect', () => {
      this.#socket = socket;
    });
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#socket = null;
      this.#received = Buffer.alloc(0);
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the connection was lost'));
      if (!this.#closed) setTimeout(() => this.#connect(), 50);
    });
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const reply = parse(this.#received, 0);
      if (reply === null) return;
      this.#received = this.#received.subarray(reply.end);
      const waiting = this.#waiting.shift();
      if (reply.value instanceof Error) waiting?.reject(reply.value);
      else waiting?.resolve(reply.value);
    }
  }
}

/** One reply of the protocol (RESP 2), or null while it has not arrived whole. */
function parse(bytes: Buffer, start: number): { readonly value: unknown; readonly end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd === -1) return null;
  const kind = String.fromCharCode(bytes[start] ?? 0);
  const line = bytes.toString('utf8', start + 1, lineEnd);
  const after = lineEnd + 2;
  if (kind === '+') return { value: line, end: after };
  if (kind === '-') return { value: new Error(line), end: after };
  if (kind === ':') return { value: Number(line), end: after };
  const length = Number(line);
  if (length === -1) return { value: null, end: after };
  if (kind === '$') {
    if (bytes.length < after + length + 2) return null;
    return { value: bytes.toString('utf8', after, after + length), end: after + length + 2 };
  }
  const items: unknown[] = [];
  let end = after;
  for (let index = 0; index < length; index += 1) {
    const item = parse(bytes, end);
    if (item === null) return null;
    items.push(item.value);
    end = item.end;
  }
  return { value: items, end };
}
