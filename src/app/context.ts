import { z } from 'zod';
import type { Boards } from '../board/requests.ts';
import type { BudgetFigures } from '../cards/about/budget-card.ts';
import type { Diagnosis } from '../cards/about/diagnosis-card.ts';
import type { Topic } from '../cards/about/help-card.ts';
import { named } from '../cards/kit/lines.ts';
import { ServiceError } from '../errors.ts';
import type { TextKey, Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import type { GuildSettingsStore } from '../store/guild-settings.ts';
import type { Links } from '../store/links.ts';
import type { RecentNames } from '../store/names/recent-names.ts';
import type { Subscriptions } from '../store/subscriptions.ts';
import type { UserData } from '../store/user-data.ts';
import type { Options } from './option.ts';

/** Plain facts about who asks, and where. */
export interface Person {
  readonly id: string;
  /** Null in a direct message, and in a guild without the bot, where only this person has installed it. */
  readonly guildId: string | null;
  readonly channelId: string | null;
  /** Whether this person holds Manage Server in that guild. */
  readonly mayManage: boolean;
  /** The person's own language as Discord tells it (BCP 47); a guild may have chosen another one. */
  readonly locale: string;
}

/** What commands may read and write of what outlives a restart. */
export interface CommandStore {
  /** Who is which driver. */
  readonly links: Links;
  /** What guilds have decided. */
  readonly settings: GuildSettingsStore;
  readonly subscriptions: Subscriptions;
  /** What is stored under a person's account. */
  readonly userData: UserData;
}

/** What `/help` tells of something that can be typed: a command without subcommands, or one subcommand. */
export interface CommandFacts {
  readonly name: string;
  /** Null for a command without any. */
  readonly subcommand: string | null;
  readonly description: TextKey;
  readonly topic: Topic;
  readonly leads: boolean;
  /** The options that an example fills in; empty where it needs none. */
  readonly example: Options;
  readonly permission: 'manage-guild' | null;
  readonly guildOnly: boolean;
}

/** The bot itself. */
export interface AboutBot {
  readonly commands: readonly CommandFacts[];
  /** The id under which Discord has the command of that name; null while nobody knows. */
  readonly commandId: (name: string) => string | null;
  /** Where more about it can be read; null where nobody has said. */
  readonly readmeUrl: string | null;
  readonly translatorFor: (locale: string) => Translator;
  /** How often the data service may still be asked; null while nobody knows, so that nothing is asked. */
  readonly budget: () => Promise<BudgetFigures | null>;
  /** How it is doing, with the boards of that guild. */
  readonly diagnose: (guildId: string | null) => Promise<Diagnosis>;
}

/** All that a command gets to work with: no client, no clock, no environment. */
export interface Context {
  /** As this person asks it: what they look up is charged to them. */
  readonly service: Service;
  /** In the reader's language, with the reader's numbers. */
  readonly t: Translator;
  readonly person: Person;
  /** Unix milliseconds at which it was asked. */
  readonly now: number;
  /** Names and VINs seen lately, for suggestions. */
  readonly recentNames: RecentNames;
  readonly boards: Boards;
  readonly store: CommandStore;
  readonly bot: AboutBot;
}

/** What is the same for everyone who asks. */
export type ContextParts = Omit<Context, 't' | 'person' | 'now'>;

/** Oldest record that *Refresh* may show, in ms. */
const REFRESH_MAX_AGE = 30_000;

/** `refresh`: whether the person wants a newer record than the one on the screen. */
export function contextFor(
  { service, recentNames, boards, store, bot }: ContextParts,
  { t, person, now, refresh = false }: Pick<Context, 't' | 'person' | 'now'> & { readonly refresh?: boolean },
): Context {
  const { id: personId, guildId } = person;
  const ask = { asker: { personId, guildId }, ...(refresh ? { maxAge: REFRESH_MAX_AGE } : {}) };
  return {
    ...{ t, person, now, recentNames, boards, store, bot },
    service: {
      async get(endpoint, asked, more) {
        try {
          return await service.get(endpoint, asked, { ...ask, ...more });
        } catch (error) {
          throw withName(error, asked);
        }
      },
    },
  };
}

const Asked = z.union([
  z.object({ username: z.string() }).transform(({ username }) => username),
  z.object({ vin: z.string() }).transform(({ vin }) => vin),
]);

/** Of two names that were asked for at once, the reader has to know which one nobody has. */
function withName(error: unknown, asked: unknown): unknown {
  const name = Asked.safeParse(asked);
  if (!(error instanceof ServiceError) || error.fault !== 'not-found' || !name.success) return error;
  const { endpoint, sent, detail } = error;
  return new ServiceError('not-found', {
    endpoint,
    sent,
    about: named(name.data),
    ...(detail === null ? {} : { detail }),
  });
}
