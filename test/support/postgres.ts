/** PostgreSQL for tests: one server for a run, which begins with the first test that needs it, and servers of a test's own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import type { PostgresAddress } from '../../src/base/config/store-place.ts';
import { POSTGRES_PROGRAMS } from './requirements.ts';

/** The server refuses root; this user owns nothing else. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** How a program begins that is to reach its files. */
export const asServer = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Faster than is safe on a machine that may lose its power; a killed server loses nothing. */
const SETTINGS = [
  ...['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off', 'max_wal_size=4GB'],
  ...['listen_addresses=', 'max_connections=300', 'shared_buffers=16MB'],
];

/** A server in a folder, where its socket is, too. */
export interface PostgresServer {
  readonly folder: string;
  start(): Promise<void>;
  /** SIGINT ends its sessions and stops it, SIGQUIT is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops it, and removes its data. */
  end(): Promise<void>;
}

/** A socket's path has at most 107 bytes. */
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'pg-'));

export function createPostgres(folder = newFolder(), settings: readonly string[] = []): PostgresServer {
  const data = join(folder, 'data');
  let running: ChildProcess | null = null;
  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return {
    folder,
    stop,
    async start() {
      if (!existsSync(data)) {
        if (isRoot) chownSync(folder, NOBODY, NOBODY);
        const flags = ['-D', data, '-U', 'pitwall', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
        execFileSync(join(POSTGRES_PROGRAMS, 'initdb'), flags, { ...asServer, stdio: 'pipe' });
      }
      const all = [...SETTINGS, `unix_socket_directories=${folder}`, ...settings];
      const flags = ['-D', data, ...all.flatMap((setting) => ['-c', setting])];
      // It may outlive the test file that has started it.
      const log = join(folder, 'log');
      const output = openSync(log, 'w');
      const child = spawn(join(POSTGRES_PROGRAMS, 'postgres'), flags, {
        ...asServer,
        detached: true,
        stdio: ['ignore', output, output],
      });
      child.unref();
      closeSync(output);
      running = child;
      while (!readFileSync(log, 'utf8').includes('ready to accept connections')) {
        if (child.exitCode !== null) throw new Error(`postgres ended: ${readFileSync(log, 'utf8')}`);
        await pause(20);
      }
    },
    async end() {
      await stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the server of this run, which exists once a test needs it. */
    postgres: string;
  }
}

/** Starts the server of this run, unless another test file has. */
async function startShared(): Promise<string> {
  const folder = inject('postgres');
  const [begun, ready] = [join(folder, 'begun'), join(folder, 'ready')];
  try {
    mkdirSync(begun);
  } catch {
    while (!existsSync(ready)) await pause(20);
    return folder;
  }
  await createPostgres(folder).start();
  writeFileSync(ready, '');
  return folder;
}

/** A database of its own, in the server of this run or in another one. */
export interface TestDatabase {
  readonly address: PostgresAddress;
  /** As a setting. */
  readonly url: string;
  /** Runs statements as an administrator would; resolves with the rows of the last one. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  drop(): Promise<void>;
}

export async function createDatabase(server?: PostgresServer): Promise<TestDatabase> {
  const host = server?.folder ?? (await startShared());
  const database = `t${randomUUID().replaceAll('-', '')}`;
  async function run(name: string, text: string, values: readonly unknown[] = []) {
    const client = new pg.Client({ host, user: 'pitwall', database: name });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
      return rows ?? [];
    } finally {
      await client.end();
    }
  }
  await run('postgres', `CREATE DATABASE ${database}`);
  return {
    address: { host, port: 5432, user: 'pitwall', password: null, database, isEncrypted: false },
    url: `postgres://pitwall@localhost/${database}?host=${host}`,
    query: (text, values) => run(database, text, values),
    drop: async () => void (await run('postgres', `DROP DATABASE ${database} WITH (FORCE)`)),
  };
}
