/** The settings, which are environment variables: each with its form, and how to correct it. */
import { z } from 'zod';
import { Address, NearAddress } from './config/address.ts';
import { ListenAddress } from './config/listen-address.ts';
import { isPart, ShardsSetting } from './config/shards-setting.ts';
import { StorePlace } from './config/store-place.ts';

/** pino's levels, from most to least verbose. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+';

/** Usernames between commas; a username may contain spaces. */
const Usernames = z.string().transform((list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

/** The environment variables that the bot reads. */
const Settings = z.object({
  DISCORD_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no token contains'),
  DISCORD_API_URL: NearAddress.refine(
    (url) => !/\/v\d+$/.test(url),
    'ends in a version; leave that out',
  ).optional(),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{15,20}$/, 'is not a server id')
    .optional(),
  SERVICE_URL: Address,
  SERVICE_KEY: z.string().regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no key contains'),
  SERVICE_GAME: z
    .string()
    .regex(new RegExp(`^${SEGMENT}$`), 'is not one path segment')
    .default('drivesim'),
  SERVICE_CHAT_PATH: z
    .string()
    .regex(new RegExp(`^/?${SEGMENT}(?:/${SEGMENT})*/?$`), 'is not a path')
    .default('chat_status'),
  STORE_URL: StorePlace.default({ kind: 'sqlite', file: 'data/pitwall.sqlite' }),
  STORE_APPLICATION: z
    .string()
    .regex(/^\d{15,20}$/, 'is not an application id')
    .optional(),
  SHARDS: ShardsSetting.default('auto'),
  LOG_LEVEL: z.enum(LOG_LEVELS, 'is not a level').default('info'),
  HTTP_PORT: ListenAddress.optional(),
  HIDDEN_DRIVERS: Usernames.default([]),
  SHOWN_DRIVERS: Usernames.default([]),
  README_URL: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'is not an https URL' })
    .optional(),
});

const isRefused = (all: z.output<typeof Settings>): boolean =>
  typeof all.SHARDS === 'object' && isPart(all.SHARDS) && all.STORE_URL.kind === 'sqlite';

const AllSettings = Settings.refine((all) => !isRefused(all), {
  // Processes that divide the shards among themselves share one budget, and a file serves one process.
  error: 'names a part of the shards, which needs a STORE_URL that processes share',
  path: ['SHARDS'],
  // Runs even if other settings are wrong, so that one list names all; an unreadable value has no kind.
  when: () => true,
});

/** How to correct a setting. */
interface Help {
  readonly expected: string;
  /** Place where the operator finds the value. */
  readonly where: string;
}

export const HELP: Record<keyof z.input<typeof Settings>, Help> = {
  DISCORD_TOKEN: {
    expected: "the bot's token alone, without the word Bot",
    where: 'Discord Developer Portal, your application, Bot, Reset Token',
  },
  DISCORD_API_URL: {
    expected:
      'empty, or the REST base of another chat server or a REST proxy: https, or http on this network',
    where: 'only for a chat server other than Discord, or a proxy of its REST; the demo sets it itself',
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
      'sqlite:// and a file path, for example sqlite://data/pitwall.sqlite; or, for several processes, postgres:// with user, host and database',
    where: 'a file: any writable folder, created if missing; PostgreSQL: ask its operator',
  },
  STORE_APPLICATION: {
    expected: 'empty, or the id of the application that is to have the store from now on: 15 to 20 digits',
    where: 'Discord Developer Portal, that application, General Information; only to hand a store over',
  },
  SHARDS: {
    expected: 'auto, a number of shards, or, with PostgreSQL, shards of a number: 3-5/16 or 3/16',
    where: 'auto is right unless you assign the shards yourself, for example by the ordinal of a pod',
  },
  LOG_LEVEL: {
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    where: 'info is usual; debug says more',
  },
  HTTP_PORT: {
    expected:
      'empty, or a port, for example 9464; with an address to be reachable from outside: 0.0.0.0:9464',
    where: 'any free port; health and metrics are served there',
  },
  HIDDEN_DRIVERS: {
    expected: 'empty, or usernames with commas between them: ann,Marek Nowicki',
    where: 'drivers who asked you to be in no list and no history',
  },
  SHOWN_DRIVERS: {
    expected: 'empty, or usernames with commas between them: ann,Marek Nowicki',
    where: 'drivers linked by someone else: they can be neither hidden nor deleted',
  },
  README_URL: {
    expected: 'empty, or the https address that /help links to',
    where: "the place where you publish this bot's README, for example its repository",
  },
};

export interface Config {
  readonly discord: {
    readonly token: string;
    /** REST base without a trailing slash; null for Discord's own. */
    readonly apiUrl: string | null;
    /** The guild to publish the commands in; null for globally. */
    readonly guildId: string | null;
    readonly shards: ShardsSetting;
  };
  readonly service: {
    /** Base address without a trailing slash. */
    readonly url: string;
    readonly key: string;
    readonly game: string;
    readonly chatPath: string;
  };
  readonly store: StorePlace;
  /** The application that the store of another one is handed over to; null: none. */
  readonly storeApplication: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Address for health and metrics; null: none. */
  readonly http: ListenAddress | null;
  /** Usernames. `hidden`: in no list and no history; `shown`: drivers whom no account can hide or delete. */
  readonly drivers: { readonly hidden: readonly string[]; readonly shown: readonly string[] };
  /** The bot's public documentation; null if not configured. */
  readonly readmeUrl: string | null;
}

/** One invalid setting. Never contains the value: it may be a secret, or a URL with one in it. */
export interface Problem extends Help {
  readonly variable: string;
  readonly wrong: string;
}

type Checked =
  | { readonly config: Config; readonly problems: null }
  | { readonly config: null; readonly problems: readonly Problem[] };

function isSetting(name: unknown): name is keyof typeof HELP {
  return typeof name === 'string' && Object.hasOwn(HELP, name);
}

/** Checks all settings at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Checked {
  const values = Object.fromEntries(
    Object.keys(HELP).flatMap((name) => {
      const value = trimValue(environment[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const checked = AllSettings.safeParse(values);
  const quoted = Object.keys(values).filter((name) => isQuoted(values[name]));
  if (!checked.success || quoted.length > 0) {
    const inQuotes = quoted.map((variable) => ({ path: [variable], message: QUOTED }));
    const problems = [...inQuotes, ...(checked.error?.issues ?? [])].flatMap(
      ({ path: [variable], message }) =>
        isSetting(variable)
          ? { variable, wrong: variable in values ? message : 'is missing', ...HELP[variable] }
          : [],
    );
    // One value may be wrong in several ways.
    const first = new Map(problems.toReversed().map((problem) => [problem.variable, problem]));
    return { config: null, problems: problems.filter((problem) => first.get(problem.variable) === problem) };
  }
  const settings = checked.data;
  return {
    problems: null,
    config: {
      discord: {
        token: settings.DISCORD_TOKEN,
        apiUrl: settings.DISCORD_API_URL ?? null,
        guildId: settings.DISCORD_GUILD_ID ?? null,
        shards: settings.SHARDS,
      },
      service: {
        url: settings.SERVICE_URL,
        key: settings.SERVICE_KEY,
        game: settings.SERVICE_GAME,
        chatPath: settings.SERVICE_CHAT_PATH,
      },
      store: settings.STORE_URL,
      storeApplication: settings.STORE_APPLICATION ?? null,
      logLevel: settings.LOG_LEVEL,
      http: settings.HTTP_PORT ?? null,
      drivers: { hidden: settings.HIDDEN_DRIVERS, shown: settings.SHOWN_DRIVERS },
      readmeUrl: settings.README_URL ?? null,
    },
  };
}

/** An empty or blank variable counts as absent. */
function trimValue(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/** Docker and systemd pass on the quotes of an environment file in different ways: `--env-file` keeps them. */
function isQuoted(value: string | undefined): boolean {
  return value !== undefined && /^(["'`]).*\1$/s.test(value) && value.length > 1;
}

const QUOTED = 'has quotes around it, which are taken as part of the value; leave them out';

/** Returns the fault of a value for that setting; null: no fault. */
export function whyWrong(name: keyof typeof HELP, value: string | undefined): string | null {
  if (isQuoted(trimValue(value))) return QUOTED;
  const checked = Settings.shape[name].safeParse(trimValue(value));
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'cannot be used');
}

/** Reads STORE_URL alone, for tools that need no other setting. Returns the problem if it is wrong. */
export function readStorePlace(
  environment: Readonly<Record<string, string | undefined>>,
): StorePlace | Problem {
  const value = environment['STORE_URL'];
  const wrong = whyWrong('STORE_URL', value);
  if (wrong !== null) return { variable: 'STORE_URL', wrong, ...HELP.STORE_URL };
  return Settings.shape.STORE_URL.parse(trimValue(value));
}

/** The list shown to the person who starts the bot. */
export function describeProblems(problems: readonly Problem[]): string {
  const entries = problems.map(
    ({ variable, wrong, expected, where }) =>
      `\n  ${variable} ${wrong}\n    expected: ${expected}\n    find it:  ${where}`,
  );
  const count = problems.length === 1 ? 'one setting is' : `${problems.length} settings are`;
  return `${count} wrong (see .env.example)${entries.join('')}`;
}
