import { z } from 'zod';

/** pino's levels, least said last. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface Config {
  readonly discord: {
    readonly token: string;
    /** REST base without a closing slash; null for Discord's own. */
    readonly apiUrl: string | null;
    /** Where the commands are published; null for everywhere. */
    readonly guildId: string | null;
  };
  readonly service: {
    /** Base address without a closing slash. */
    readonly url: string;
    readonly key: string;
    readonly game: string;
    readonly chatPath: string;
  };
  readonly store: StorePlace;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Where people read about the bot; null where nobody has said. */
  readonly readmeUrl: string | null;
}

/** Where everything is kept that outlives a restart. */
export type StorePlace =
  /** Path of the database file, relative to the working directory or absolute. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `password` stands in the address, in the first form as it is written there, in the second as it is meant. */
  | { readonly kind: 'redis'; readonly url: string; readonly password: readonly string[] };

/** One bad setting. Never holds the value itself: it may be a secret, or a URL with one in it. */
export interface Problem {
  readonly variable: string;
  /** What is wrong with it. */
  readonly wrong: string;
  readonly expected: string;
  readonly where: string;
}

export type Checked =
  | { readonly config: Config; readonly problems: null }
  | { readonly config: null; readonly problems: readonly Problem[] };

/** Whether a request to this host stays on this machine. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** An address that requests are built on: https, or plain http where it does not leave the machine. */
const address = z.string().transform((text, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) return refuse('is not an http or https URL');
  if (url.username !== '' || url.password !== '') return refuse('holds a user name or password');
  // An empty query or fragment leaves no trace in the parsed URL, but would swallow the path added to it.
  if (/[?#]/.test(text)) return refuse('holds a query or fragment');
  if (url.protocol === 'http:' && !isLoopback(url))
    return refuse('is plain http to another machine; use https');
  return url.href.replace(/\/+$/, '');
});

const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+';

/**
 * Whether a host is one of this machine's own network: loopback, a private address (RFC 1918, RFC 4193), or a name
 * without a dot, such as a container's, which no public name server knows.
 */
function isNearby(url: URL): boolean {
  const { hostname } = url;
  const isPrivate =
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname) ||
    /^\[f[cd][\da-f:]+\]$/.test(hostname);
  return isLoopback(url) || isPrivate || /^[\w-]+$/.test(hostname);
}

/** What is meant by percent signs, or null where nothing is. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const store = z.string().transform((text, context): StorePlace => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const file = /^sqlite:\/\/(?<path>.+)$/.exec(text)?.groups?.['path'];
  if (file !== undefined) return { kind: 'sqlite', file };
  if (!/^rediss?:\/\//i.test(text))
    return refuse('is neither a sqlite:// URL with a path nor a redis:// URL');
  const url = URL.parse(text);
  const password = url === null ? null : decoded(url.password);
  if (url === null || url.hostname === '' || password === null || decoded(url.username) === null)
    return refuse('is not a redis:// URL with a host');
  if (/[?#]/.test(text)) return refuse('holds a query or fragment');
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname)) return refuse('names a database that is not a number');
  // The password and who is which driver would be readable on the way.
  if (url.protocol === 'redis:' && !isNearby(url))
    return refuse('is plain redis:// to another network; use rediss://');
  const forms = [url.password, password].filter((form) => form !== '');
  return { kind: 'redis', url: url.href, password: [...new Set(forms)] };
});

const Settings = z.object({
  DISCORD_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no token contains'),
  DISCORD_API_URL: address.optional(),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{15,20}$/, 'is not a server id')
    .optional(),
  SERVICE_URL: address,
  SERVICE_KEY: z.string().regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no key contains'),
  SERVICE_GAME: z
    .string()
    .regex(new RegExp(`^${SEGMENT}$`), 'is not one path segment')
    .default('drivesim'),
  SERVICE_CHAT_PATH: z
    .string()
    .regex(new RegExp(`^/?${SEGMENT}(?:/${SEGMENT})*/?$`), 'is not a path')
    .default('chat_status'),
  STORE_URL: store.default({ kind: 'sqlite', file: 'data/pitwall.sqlite' }),
  LOG_LEVEL: z.enum(LOG_LEVELS, 'is not a level').default('info'),
  README_URL: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'is not an https URL' })
    .optional(),
});

/** For whoever has to mend a setting: what belongs there, and where it is found. */
const HELP: Record<keyof z.input<typeof Settings>, Pick<Problem, 'expected' | 'where'>> = {
  DISCORD_TOKEN: {
    expected: "the bot's token alone, without the word Bot",
    where: 'Discord Developer Portal, your application, Bot, Reset Token',
  },
  DISCORD_API_URL: {
    expected: 'empty, or the REST base of another chat server: https, or http on this machine',
    where: 'only for a chat server other than Discord; the demo sets it itself',
  },
  DISCORD_GUILD_ID: {
    expected: 'empty, or one server id: 15 to 20 digits',
    where: 'Discord in developer mode: right-click the server, Copy Server ID',
  },
  SERVICE_URL: {
    expected: 'the base address of the data service: https, or http on this machine',
    where: "the data service's documentation; the key is not part of it",
  },
  SERVICE_KEY: {
    expected: 'the API key alone',
    where: "the account page of the community's web portal",
  },
  SERVICE_GAME: {
    expected: "the game's path segment on the data service, for example drivesim",
    where: "the data service's documentation",
  },
  SERVICE_CHAT_PATH: {
    expected: 'the path of the chat-server status below SERVICE_URL, for example chat_status',
    where: "the data service's documentation",
  },
  STORE_URL: {
    expected:
      'sqlite:// and a file path, for example sqlite://data/pitwall.sqlite; or, for several processes, redis:// (same network only) or rediss:// with host, port and database',
    where: 'a file: any writable folder, created if missing; Redis: ask whoever runs it',
  },
  LOG_LEVEL: {
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    where: 'info is usual; debug says more',
  },
  README_URL: {
    expected: 'empty, or the https address that /help links to',
    where: "wherever you publish this bot's README, for example its repository",
  },
};

function isSetting(name: unknown): name is keyof typeof HELP {
  return typeof name === 'string' && Object.hasOwn(HELP, name);
}

/** Checks all settings at once. A variable that is empty or blank counts as absent. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Checked {
  const given = Object.fromEntries(
    Object.keys(HELP).flatMap((name) => {
      const value = environment[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  const checked = Settings.safeParse(given);
  if (!checked.success) {
    const problems = checked.error.issues.flatMap(({ path: [variable], message }) =>
      isSetting(variable)
        ? { variable, wrong: variable in given ? message : 'is missing', ...HELP[variable] }
        : [],
    );
    return { config: null, problems };
  }
  const settings = checked.data;
  return {
    problems: null,
    config: {
      discord: {
        token: settings.DISCORD_TOKEN,
        apiUrl: settings.DISCORD_API_URL ?? null,
        guildId: settings.DISCORD_GUILD_ID ?? null,
      },
      service: {
        url: settings.SERVICE_URL,
        key: settings.SERVICE_KEY,
        game: settings.SERVICE_GAME,
        chatPath: settings.SERVICE_CHAT_PATH,
      },
      store: settings.STORE_URL,
      logLevel: settings.LOG_LEVEL,
      readmeUrl: settings.README_URL ?? null,
    },
  };
}

/** The list that whoever starts the bot reads. */
export function describeProblems(problems: readonly Problem[]): string {
  const entries = problems.map(
    ({ variable, wrong, expected, where }) =>
      `  ${variable} ${wrong}\n    expected: ${expected}\n    find it:  ${where}\n`,
  );
  const count = problems.length === 1 ? 'one setting is' : `${problems.length} settings are`;
  return `Pitwall cannot start: ${count} wrong (see .env.example)\n${entries.join('')}`;
}
