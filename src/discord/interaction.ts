/** Interactions as Discord sends them, and the ways to answer one. */
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIInteractionResponseCallbackData,
  type APIMessageComponentInteraction,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  type APIPingInteraction,
  type APIUserApplicationCommandInteraction,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
  type RawFile,
  RESTJSONErrorCodes,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { abortAfter } from '../base/clock.ts';
import type { Person } from '../command-kit/context.ts';
import type { Guild } from './gateway/guild.ts';
import { hasRight, isProvisional } from './permissions.ts';
import { hasCode, isOutage, resendUntilConfirmed } from './rest/resend.ts';
import type { Rest } from './rest/rest-client.ts';

export interface Message {
  readonly body: APIInteractionResponseCallbackData;
  readonly files: readonly RawFile[];
}

/** Discord sends pings over HTTP alone. */
type RawInteraction = Exclude<APIInteraction, APIPingInteraction>;

/** An interaction by the kinds that the bot answers; `other`: it has registered nothing of that kind. */
interface Raw {
  readonly command: APIChatInputApplicationCommandInteraction;
  readonly 'user-menu': APIUserApplicationCommandInteraction;
  readonly completion: APIApplicationCommandAutocompleteInteraction;
  readonly press: APIMessageComponentInteraction;
  readonly submission: APIModalSubmitInteraction;
  readonly other: RawInteraction;
}

/** The kind, and what Discord sent of it. */
type RawOfKind<Kind extends keyof Raw> = { [K in Kind]: { readonly kind: K; readonly raw: Raw[K] } }[Kind];

export type Interaction<Kind extends keyof Raw = keyof Raw> = RawOfKind<Kind> & {
  /**
   * The person behind it. Where only this person has installed the bot, it is not in the guild, whatever permissions they
   * have there.
   */
  readonly person: Person;
  /** The guild where it was made; null in a direct conversation, and where the bot is no member. */
  readonly guild: Guild | null;
  /**
   * The person as a member of the guild where it was made, as Discord shows them; null elsewhere, and while they are none for
   * good. `joinedAt`: as Discord writes it.
   */
  readonly membership: {
    readonly guildId: string;
    readonly personId: string;
    readonly joinedAt: string;
  } | null;
  /** How Discord has been answered, as far as is known; `elsewhere`: by another process. */
  answered: 'deferred' | 'replied' | 'elsewhere' | null;
  /** Another process may have answered it, as expected. */
  isContested: boolean;
} & ReturnType<typeof createResponses>;

export function createInteraction(
  raw: RawInteraction,
  rest: Rest,
  guilds: { get(id: string): Guild | null | undefined },
): Interaction {
  const user = raw.user ?? raw.member?.user;
  if (user === undefined) throw new TypeError('an interaction without a person');
  const guild = guilds.get(raw.guild_id ?? '') ?? null;
  return {
    ...sentOf(raw),
    // Read where what reads it is caught: Discord's own types promise more than it may send.
    get person() {
      return personOf(raw, user.id, guild);
    },
    guild,
    membership: membershipOf(raw, user.id),
    answered: null,
    isContested: false,
    ...createResponses(raw, rest),
  };
}

function membershipOf(
  { guild_id: guildId, member }: RawInteraction,
  personId: string,
): Interaction['membership'] {
  const joinedAt = member?.joined_at ?? null;
  if (guildId === undefined || joinedAt === null || isProvisional(member ?? {})) return null;
  return { guildId, personId, joinedAt };
}

function personOf(raw: RawInteraction, id: string, guild: Guild | null): Person {
  const installedFor = raw.authorizing_integration_owners;
  // Discord always sends a language; what stands in for Discord may not.
  const { locale = 'en' }: { readonly locale?: string } = raw;
  const isPersonal =
    installedFor[ApplicationIntegrationType.UserInstall] !== undefined &&
    installedFor[ApplicationIntegrationType.GuildInstall] === undefined;
  const guildId = isPersonal ? null : (raw.guild_id ?? null);
  return {
    id,
    guildId,
    channelId: raw.channel?.id ?? null,
    // Read where one is needed: most commands are for everyone.
    get mayManage() {
      return !isPersonal && hasRight(raw.member?.permissions, PermissionFlagsBits.ManageGuild);
    },
    get mayManageRoles() {
      return !isPersonal && hasRight(raw.member?.permissions, PermissionFlagsBits.ManageRoles);
    },
    locale,
    roles: isPersonal ? [] : (raw.member?.roles ?? []),
    nameOfChannel: (channelId) => guild?.channels.get(channelId)?.name ?? null,
    card: `${raw.application_id}/${raw.token}`,
    members: guildId === null ? new Set() : membersIn(raw),
  };
}

/** Discord sends the data of each account that a command names, and a member's only where that account is in the guild. */
function membersIn({ data }: RawInteraction): ReadonlySet<string> {
  const resolved = data !== undefined && 'resolved' in data ? data.resolved : undefined;
  return new Set(resolved !== undefined && 'members' in resolved ? Object.keys(resolved.members ?? {}) : []);
}

function sentOf(raw: RawInteraction): RawOfKind<keyof Raw> {
  switch (raw.type) {
    case InteractionType.ApplicationCommandAutocomplete:
      return { kind: 'completion', raw };
    case InteractionType.MessageComponent:
      return { kind: 'press', raw };
    case InteractionType.ModalSubmit:
      return { kind: 'submission', raw };
    default:
      if (isCommand(raw)) return { kind: 'command', raw };
      return isUserMenu(raw) ? { kind: 'user-menu', raw } : { kind: 'other', raw };
  }
}

function isCommand(raw: RawInteraction): raw is Raw['command'] {
  return (
    raw.type === InteractionType.ApplicationCommand && raw.data.type === ApplicationCommandType.ChatInput
  );
}

function isUserMenu(raw: RawInteraction): raw is Raw['user-menu'] {
  return raw.type === InteractionType.ApplicationCommand && raw.data.type === ApplicationCommandType.User;
}

/** When Discord took the interaction, in unix milliseconds: its id says that, whatever the clock of this machine shows. */
export function sentAt({ id }: Pick<RawInteraction, 'id'>): number {
  return SnowflakeUtil.timestampFrom(id);
}

export function isPrivate({ flags }: { readonly flags?: MessageFlags | undefined }): boolean {
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}

/**
 * Over the interaction's own token: the bot's is not needed. Each rejects where Discord does not take it. One of the first
 * six has to be the first: where nobody knows whether that one arrived, it is sent again. A message after the first response
 * is sent once.
 */
function createResponses({ id, token, application_id }: RawInteraction, rest: Rest) {
  const webhook = Routes.webhook(application_id, token);
  const original = Routes.webhookMessage(application_id, token, '@original');
  const respond = (type: InteractionResponseType, data?: object, files: readonly RawFile[] = []) =>
    acknowledge((signal) =>
      rest.post(Routes.interactionCallback(id, token), {
        body: { type, data },
        files: [...files],
        auth: false,
        ...(signal === null ? {} : { signal }),
      }),
    );
  return {
    reply: ({ body, files }: Message) =>
      respond(InteractionResponseType.ChannelMessageWithSource, body, files),
    /** Over the message whose button was pressed. */
    update: ({ body, files }: Message) => respond(InteractionResponseType.UpdateMessage, body, files),
    deferReply: (isPrivate: boolean) =>
      respond(
        InteractionResponseType.DeferredChannelMessageWithSource,
        isPrivate ? { flags: MessageFlags.Ephemeral } : {},
      ),
    deferUpdate: () => respond(InteractionResponseType.DeferredMessageUpdate),
    showModal: (modal: APIModalInteractionResponseCallbackData) =>
      respond(InteractionResponseType.Modal, modal),
    suggest: (choices: readonly APIApplicationCommandOptionChoice[]) =>
      respond(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices }),
    editReply: ({ body, files }: Message) =>
      resendUntilConfirmed(() => rest.patch(original, { body, files: [...files], auth: false })),
    // A message that is gone may have been deleted by a first attempt whose answer was lost.
    deleteReply: () =>
      resendUntilConfirmed(() => rest.delete(original, { auth: false })).catch((error: unknown) => {
        if (!hasCode(error, RESTJSONErrorCodes.UnknownMessage)) throw error;
      }),
    followUp: ({ body, files }: Message) => rest.post(webhook, { body, files: [...files], auth: false }),
  };
}

/**
 * How long a try may take before the next one, in ms, which goes over a new connection: something on the way may have
 * forgotten the old one without a word, and Discord waits for three seconds. The last try takes as long as the REST client lets it.
 */
const TRY_LIMITS_MS: readonly (number | null)[] = [900, 900, null, null];

/**
 * Sends the first response. Where nobody knows whether it arrived, it is sent again; Discord's "already acknowledged" then
 * means that it had.
 */
async function acknowledge(send: (signal: AbortSignal | null) => Promise<unknown>): Promise<void> {
  for (const [repeats, limitMs] of TRY_LIMITS_MS.entries()) {
    try {
      if (limitMs === null) await send(null);
      else await abortAfter(limitMs, send);
      return;
    } catch (error) {
      if (repeats > 0 && hasCode(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) return;
      if (!isOutage(error) || repeats === TRY_LIMITS_MS.length - 1) throw error;
    }
  }
}
