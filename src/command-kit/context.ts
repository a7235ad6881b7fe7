import { z } from 'zod';
import { ServiceError, UserError } from '../base/errors.ts';
import type { HiddenDrivers } from '../community/accounts/hidden-drivers.ts';
import type { createOwnData } from '../community/accounts/own-data.ts';
import type { AccountRepositories } from '../community/accounts/repositories.ts';
import type { History } from '../community/history/history.ts';
import type { TextKey, Translator } from '../i18n/translator.ts';
import type { BoardRequests } from '../messages/boards/board-requests.ts';
import type { BudgetSnapshot } from '../service/budget/budget-snapshot.ts';
import type { Service } from '../service/client.ts';
import type { Facts } from '../service/models/facts.ts';
import { escapeMarkdown } from '../text/names.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Features } from './features.ts';
import type { RecentNames } from './names/recent-names.ts';
import type { Options } from './option.ts';
import type { Topic } from './topics.ts';

/** The person who asks, and the place. */
export interface Person {
  readonly id: string;
  /** Null in a direct message, and in a guild without the bot, where only this person has installed it. */
  readonly guildId: string | null;
  readonly channelId: string | null;
  /** Manage Server in that guild, which no channel can add to their rights. */
  readonly mayManage: boolean;
  /** And Manage Roles in that channel, which is no right in the guild: see `Standing`. Left out where not. */
  readonly mayManageRoles?: boolean;
  /** Their roles in that guild, without everyone's; absent: none. */
  readonly roles?: readonly string[];
  /** The person's own language as Discord sends it (BCP 47); a guild may have chosen another one. */
  readonly locale: string;
  /** The accounts named in the command that Discord says are members of that guild; absent: none. */
  readonly members?: ReadonlySet<string>;
  /** Name of a channel in that guild, null while it is not known; absent: of none. */
  readonly nameOfChannel?: (channelId: string) => string | null;
  /** Name of a role in that guild, null while it is not known; absent: of none. */
  readonly nameOfRole?: (roleId: string) => string | null;
  /** Token with which Discord lets the reply be edited for 15 minutes; a secret until then. Absent: not editable. */
  readonly card?: string;
}

/** The person's right in Discord that a command may require. */
export type Permission = 'manage-guild' | 'manage-roles';

export function hasPermission(
  { mayManage, mayManageRoles = false }: Pick<Person, 'mayManage' | 'mayManageRoles'>,
  permission: Permission,
): boolean {
  return permission === 'manage-guild' ? mayManage : mayManageRoles;
}

/** Returns the guild that the person asks in. Throws a UserError in a direct message. */
export function requireGuild({ person: { guildId }, t }: Pick<Context, 'person' | 't'>): string {
  if (guildId === null) throw new UserError(t('discord.guildOnly'));
  return guildId;
}

/** Returns the channel that the person asks in. Throws a UserError where Discord names none. */
export function requireChannel({ person: { channelId }, t }: Pick<Context, 'person' | 't'>): string {
  if (channelId === null) throw new UserError(t('discord.guildOnly'));
  return channelId;
}

/**
 * Throws a UserError for a person who may not use it. Discord hides commands that a person may not use, but a guild can
 * override that, and a button is visible to everyone.
 */
export function requireRights(
  { permission, guildOnly = false }: { readonly permission?: Permission; readonly guildOnly?: boolean },
  { person, t }: Pick<Context, 'person' | 't'>,
): void {
  if (guildOnly) requireGuild({ person, t });
  if (permission !== undefined && !hasPermission(person, permission))
    throw new UserError(t(permission === 'manage-roles' ? 'discord.notAllowedRoles' : 'discord.notAllowed'));
}

/** Returns the guild that the person asks in. Throws a UserError for a person who does not manage it. */
export function requireManagedGuild(context: Pick<Context, 'person' | 't'>): string {
  requireRights({ permission: 'manage-guild', guildOnly: true }, context);
  return requireGuild(context);
}

/** The facts for `/help` about a command without subcommands, or one subcommand. */
export interface CommandFacts {
  readonly name: string;
  readonly subcommand: string | null;
  /** The command's, also of a subcommand. */
  readonly description: TextKey;
  readonly topic: Topic | null;
  readonly leads: boolean;
  /** The options filled in by the example; empty where it needs none. */
  readonly example: Options;
  readonly permission: Permission | null;
  readonly guildOnly: boolean;
}

/** Everything that a command may use: no Discord client, no clock, no environment. */
export interface Context {
  /** Bound to this person: look-ups are charged to them. */
  readonly service: Service;
  /** Kept current by the poll, so that it costs nothing. */
  readonly poll: { readonly facts: Facts };
  /** In the viewer's language and number format. */
  readonly t: Translator;
  readonly person: Person;
  /** When the command is run, by this machine's clock, in unix milliseconds: records are dated by that, too. */
  readonly now: number;
  /** When the person sent it, by Discord's clock, in unix milliseconds: times that they type count from then. */
  readonly sentAt: number;
  /** Recently seen names and VINs, for suggestions. */
  readonly recentNames: RecentNames;
  readonly boards: BoardRequests;
  /** Features by name. */
  readonly features: Features;
  /** The persistent data that commands may read and write. */
  readonly store: AccountRepositories & { readonly userData: ReturnType<typeof createOwnData> };
  readonly history: History;
  /** Makes ready to draw, so that this takes none of the time after the command's answer. */
  readonly expectPicture: () => void;
  /** The drivers in no list and no history, and the privacy settings of links. */
  readonly hidden: Pick<
    HiddenDrivers,
    'isHidden' | 'isFixed' | 'isProved' | 'findPublicAttendee' | 'countsFrom' | 'setPrivacy' | 'refresh'
  >;
  readonly bot: {
    readonly commands: readonly CommandFacts[];
    /** The command's id in Discord; null while unknown. */
    readonly commandId: (name: string) => string | null;
    /** The bot's public documentation; null if not configured. */
    readonly readmeUrl: string | null;
    readonly translatorFor: (locale: string) => Translator;
    /** The request budget; null while unknown, in which case nothing is sent. */
    readonly budget: () => Promise<BudgetSnapshot | null>;
    /** Returns the bot's health, with the boards of that guild. */
    readonly diagnose: (guildId: string | null) => Promise<Diagnosis>;
  };
}

/** The parts that are the same for everyone. */
export type ContextParts = Omit<Context, 't' | 'person' | 'now' | 'sentAt' | 'expectPicture'>;

/** Oldest record that *Refresh* may show, in ms. */
const MAX_REFRESH_AGE_MS = 30_000;

/** `refresh`: the person wants a newer record than the one shown. */
export function contextFor(
  parts: ContextParts,
  {
    t,
    person,
    now,
    sentAt,
    refresh = false,
    expectPicture = () => {},
  }: Pick<Context, 't' | 'person' | 'now' | 'sentAt'> &
    Partial<Pick<Context, 'expectPicture'>> & { readonly refresh?: boolean },
): Context {
  const { id: personId, guildId } = person;
  const ask = { asker: { personId, guildId }, ...(refresh ? { maxAge: MAX_REFRESH_AGE_MS } : {}) };
  return {
    ...parts,
    t,
    person,
    now,
    sentAt,
    expectPicture,
    service: {
      async get(endpoint, params, options) {
        try {
          return await parts.service.get(endpoint, params, { ...ask, ...options });
        } catch (error) {
          throw withName(error, params);
        }
      },
    },
  };
}

const Asked = z.union([
  z.object({ username: z.string() }).transform(({ username }) => username),
  z.object({ vin: z.string() }).transform(({ vin }) => vin),
]);

/** Adds the unknown name: with two names in one command, the person has to know which one it is. */
function withName(error: unknown, params: unknown): unknown {
  const name = Asked.safeParse(params);
  if (!(error instanceof ServiceError) || error.fault !== 'not-found' || !name.success) return error;
  return new ServiceError('not-found', {
    ...error,
    unknownName: name.data,
    subject: escapeMarkdown(name.data),
  });
}
