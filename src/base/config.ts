import type { ListenAddress } from './config/listen-address.ts';
import { HELP, type Help, type LOG_LEVELS, Settings } from './config/settings.ts';
import type { ShardsSetting } from './config/shards-setting.ts';
import type { StorePlace } from './config/store-place.ts';

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
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Where to serve health and metrics; null for nowhere. */
  readonly http: ListenAddress | null;
  /** Usernames of drivers in no list and no history; and of those whom no account can hide. */
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

/** Checks all settings at once. An empty or blank variable counts as absent. */
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
    // One value may be wrong in several ways.
    const first = new Map(problems.toReversed().map((problem) => [problem.variable, problem]));
    return { config: null, problems: problems.filter((problem) => first.get(problem.variable) === problem) };
  }
  const settings = checked.data;
  // Processes that divide the shards among themselves share one budget, and a file serves one process.
  if (settings.SHARDS.kind === 'fixed' && settings.STORE_URL.kind === 'sqlite') {
    const wrong = 'names a part of the shards, which needs a STORE_URL that processes share';
    return { config: null, problems: [{ variable: 'SHARDS', wrong, ...HELP.SHARDS }] };
  }
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
      logLevel: settings.LOG_LEVEL,
      http: settings.HTTP_PORT ?? null,
      drivers: { hidden: settings.HIDDEN_DRIVERS, shown: settings.SHOWN_DRIVERS },
      readmeUrl: settings.README_URL ?? null,
    },
  };
}

/** What is wrong with a value for that setting; null where nothing is. */
export function whyWrong(name: keyof typeof HELP, value: string): string | null {
  const checked = Settings.shape[name].safeParse(value.trim() === '' ? undefined : value.trim());
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'cannot be used');
}

/** The setting that says where everything is stored, for tools that need no other; or what is wrong with it. */
export function readStorePlace(
  environment: Readonly<Record<string, string | undefined>>,
): StorePlace | Problem {
  const given = environment['STORE_URL']?.trim() ?? '';
  const checked = Settings.shape.STORE_URL.safeParse(given === '' ? undefined : given);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  return { variable: 'STORE_URL', wrong: issue?.message ?? 'is wrong', ...HELP.STORE_URL };
}

/** The list shown to the person who starts the bot. */
export function describeProblems(problems: readonly Problem[]): string {
  const entries = problems.map(
    ({ variable, wrong, expected, where }) =>
      `  ${variable} ${wrong}\n    expected: ${expected}\n    find it:  ${where}\n`,
  );
  const count = problems.length === 1 ? 'one setting is' : `${problems.length} settings are`;
  return `Pitwall cannot start: ${count} wrong (see .env.example)\n${entries.join('')}`;
}
