import { type DestinationStream, type Logger, pino } from 'pino';
import { ServiceError } from './errors.ts';

export type Log = Logger;

const MAX_MESSAGE_LENGTH = 500;
const MAX_STACK_LENGTH = 4000;
const MAX_CAUSE_DEPTH = 3;
const MAX_ISSUES = 5;

/** A slash of a path, which proxies encode once or more, and JSON may escape. */
const SLASH = String.raw`(?:\\?\/|%(?:25)*2F)`;
/** Request paths contain interaction and webhook tokens; anyone who has one can post as the bot. */
const TOKEN_IN_PATH = new RegExp(`((?:webhooks|interactions)${SLASH}\\d+${SLASH})[^/?"\\\\\\s%]+`, 'gi');

/** Returns a function that logs the failures of a part of the bot, by its name. */
export function logFailures(log: Pick<Log, 'error'>, part: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${part} failed`);
}

/** JSON lines. No line contains a secret, whatever is logged: the finished line is searched for them. */
export function createLog(options: {
  readonly level: string;
  readonly secrets: readonly string[];
  /** Standard output by default. */
  readonly stream?: DestinationStream;
}): Log {
  const redact = createRedactor(options.secrets);
  // Before any truncation: half a secret would not be recognised.
  const toLoggable = (value: unknown): unknown =>
    value instanceof Error ? plainError(value, redact, 0) : value;
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (level) => ({ level }),
        // Most lines have no error, and nothing to copy.
        log: (fields) =>
          Object.values(fields).some((value) => value instanceof Error)
            ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toLoggable(value)]))
            : fields,
      },
      serializers: { err: toLoggable },
      hooks: {
        streamWrite: redact,
        /** Puts the message before the fields, since one of them may be a stack. */
        logMethod(line, method) {
          const [fields, msg] = line;
          if (fields instanceof Error) method.call(this, { msg, err: fields });
          else if (typeof fields === 'object') method.call(this, { msg, ...fields });
          else method.apply(this, line);
        },
      },
    },
    options.stream ?? standardOutput(),
  );
}

function standardOutput(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: true });
  // A log that cannot be written, as on a full disk, loses its lines but stops no answer.
  destination.on('error', () => {});
  return destination;
}

/** Length from which on a secret is also redacted within words; a shorter one would occur in every word of the log. */
const MIN_SUBSTRING_LENGTH = 6;

/** Replaces every secret in one line of output, in each form that another program may have encoded it in. */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const forms = secrets.filter((secret) => secret.length >= MIN_SUBSTRING_LENGTH).flatMap(formsOf);
  const words = secrets.filter((secret) => secret !== '' && secret.length < MIN_SUBSTRING_LENGTH);
  const pattern = [
    ...[...new Set(forms)].toSorted((a, b) => b.length - a.length).map((form) => RegExp.escape(form)),
    ...words.map((word) => `(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`),
  ].join('|');
  const secret = pattern === '' ? null : new RegExp(pattern, 'giu');
  // To look takes a third of the time of a replacement, and hardly any line holds one.
  const hide = (line: string, pattern: RegExp, by: string): string =>
    line.search(pattern) === -1 ? line : line.replace(pattern, by);
  return (line) => {
    const redactedLine = secret === null ? line : hide(line, secret, '[redacted]');
    return hide(redactedLine, TOKEN_IN_PATH, '$1[redacted]');
  };
}

function formsOf(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret);
  const plain = [
    secret,
    percent,
    encodeURIComponent(percent),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ];
  // Inside a longer text, the same bytes have three base64 spellings, and the outer characters mix with the
  // neighbouring bytes.
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + secret);
    const wholeLength = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), wholeLength);
  });
  const binary = [...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  const hex = Buffer.from(secret).toString('hex');
  return [...plain, ...binary, hex]
    .filter((form) => form !== '')
    .flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

/**
 * The parts of an error that may be logged: a fixed list of fields, since errors of libraries contain requests,
 * addresses and bodies.
 */
function plainError(error: Error, redact: (text: string) => string, depth: number): object {
  const fields: Record<string, unknown> = {
    name: error.name,
    message: redact(error.message).slice(0, MAX_MESSAGE_LENGTH),
  };
  if ('issues' in error && Array.isArray(error.issues)) {
    // A zod error's message lists every issue and can be half a megabyte long.
    fields['message'] = `${error.issues.length} issues`;
    fields['issues'] = error.issues.slice(0, MAX_ISSUES).map(plainIssue);
  }
  if (error instanceof ServiceError) {
    const { fault, endpoint, sent, refusal, retryAt, transient } = error;
    Object.assign(fields, { fault, endpoint, sent, refusal, retryAt, transient });
  }
  for (const name of ['code', 'status', 'method', 'syscall']) {
    const field: unknown = Reflect.get(error, name);
    if (typeof field === 'string' || typeof field === 'number') fields[name] = field;
  }
  // Only the frames: the full message comes before them.
  const frames = /^\s+at .*/ms.exec(error.stack ?? '')?.[0] ?? '';
  fields['stack'] = redact(frames).slice(0, MAX_STACK_LENGTH);
  if (depth === MAX_CAUSE_DEPTH) return fields;
  if (error.cause instanceof Error) fields['cause'] = plainError(error.cause, redact, depth + 1);
  if (error instanceof AggregateError) {
    fields['errors'] = error.errors
      .slice(0, MAX_ISSUES)
      .map((cause) => (cause instanceof Error ? plainError(cause, redact, depth + 1) : typeof cause));
  }
  return fields;
}

function plainIssue(issue: unknown): unknown {
  if (typeof issue !== 'object' || issue === null) return null;
  const path: unknown = Reflect.get(issue, 'path');
  return { path: Array.isArray(path) ? path.map(String).join('.') : null, code: Reflect.get(issue, 'code') };
}

/** Levels that already log everything. */
const VERBOSE = ['debug', 'trace'];

/** Switches between the configured level and `debug`; from `debug` or `trace`, to `info` and back. */
export function createLevelSwitch(log: Log): () => void {
  const configured = log.level;
  const other = VERBOSE.includes(configured) ? 'info' : 'debug';
  return () => {
    const next = log.level === configured ? other : configured;
    // Logged at the more verbose of the two levels, so that the line appears.
    if (VERBOSE.includes(next)) log.level = next;
    log.info({ now: next }, 'log level');
    log.level = next;
  };
}
