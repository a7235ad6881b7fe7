/** Interactions as Discord sends them, and the ways to answer one. */
import type { RawFile } from '@discordjs/rest';
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIInteractionResponseCallbackData,
  type APIMessageComponentInteraction,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  type APIModalSubmitInteraction,
  type APIPingInteraction,
  type APIUserApplicationCommandInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord-api-types/v10';
import type { Guild } from './gateway/shard-guilds.ts';
import type { Rest } from './rest/rest-client.ts';

export interface Message {
  readonly body: APIInteractionResponseCallbackData;
  readonly files: readonly RawFile[];
}

/** Discord sends pings over HTTP alone. */
type RawInteraction = Exclude<APIInteraction, APIPingInteraction>;

/** What Discord sends, by the kinds that the bot answers; `other`: it has registered nothing of that kind. */
interface Raw {
  readonly command: APIChatInputApplicationCommandInteraction;
  readonly 'user-menu': APIUserApplicationCommandInteraction;
  readonly completion: APIApplicationCommandAutocompleteInteraction;
  readonly press: APIMessageComponentInteraction;
  readonly submission: APIModalSubmitInteraction;
  readonly other: RawInteraction;
}

/** The kind, and what Discord sent of it. */
type Sent<Kind extends keyof Raw> = { [K in Kind]: { readonly kind: K; readonly raw: Raw[K] } }[Kind];

export type Interaction<Kind extends keyof Raw = keyof Raw> = Sent<Kind> & Arrival & Responses;

interface Arrival {
  /** The person behind it. */
  readonly userId: string;
  /** The guild where it was made; null in a direct conversation, and where the bot is no member. */
  readonly guild: Guild | null;
  /** How Discord has been answered, as far as is known; `elsewhere`: by another process. */
  answered: 'deferred' | 'replied' | 'elsewhere' | null;
}

/** Each rejects where Discord does not take it. One of the first six has to be the first. */
interface Responses {
  reply(message: Message): Promise<unknown>;
  /** Over the message whose button was pressed. */
  update(message: Message): Promise<unknown>;
  deferReply(isPrivate: boolean): Promise<unknown>;
  deferUpdate(): Promise<unknown>;
  showModal(modal: APIModalInteractionResponseCallbackData): Promise<unknown>;
  suggest(choices: readonly APIApplicationCommandOptionChoice[]): Promise<unknown>;
  editReply(message: Message): Promise<unknown>;
  deleteReply(): Promise<unknown>;
  followUp(message: Message): Promise<unknown>;
}

export function createInteraction(
  raw: RawInteraction,
  rest: Rest,
  guilds: ReadonlyMap<string, Guild | null>,
): Interaction {
  const user = raw.user ?? raw.member?.user;
  if (user === undefined) throw new TypeError('an interaction without a person');
  const guild = guilds.get(raw.guild_id ?? '') ?? null;
  return { ...sentOf(raw), userId: user.id, guild, answered: null, ...createResponses(raw, rest) };
}

function sentOf(raw: RawInteraction): Sent<keyof Raw> {
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

export function isPrivate({ flags }: { readonly flags?: MessageFlags | undefined }): boolean {
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}

/** Over the interaction's own token: the bot's is not needed. */
function createResponses({ id, token, application_id }: RawInteraction, rest: Rest): Responses {
  const webhook = Routes.webhook(application_id, token);
  const original = Routes.webhookMessage(application_id, token, '@original');
  const respond = (type: InteractionResponseType, data?: object, files: readonly RawFile[] = []) =>
    rest.post(Routes.interactionCallback(id, token), {
      body: { type, data },
      files: [...files],
      auth: false,
    });
  return {
    reply: ({ body, files }) => respond(InteractionResponseType.ChannelMessageWithSource, body, files),
    update: ({ body, files }) => respond(InteractionResponseType.UpdateMessage, body, files),
    deferReply: (isPrivate) =>
      respond(
        InteractionResponseType.DeferredChannelMessageWithSource,
        isPrivate ? { flags: MessageFlags.Ephemeral } : {},
      ),
    deferUpdate: () => respond(InteractionResponseType.DeferredMessageUpdate),
    showModal: (modal) => respond(InteractionResponseType.Modal, modal),
    suggest: (choices) => respond(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices }),
    editReply: ({ body, files }) => rest.patch(original, { body, files: [...files], auth: false }),
    deleteReply: () => rest.delete(original, { auth: false }),
    followUp: ({ body, files }) => rest.post(webhook, { body, files: [...files], auth: false }),
  };
}

type Field = Extract<APIModalSubmission['components'][number], { component: unknown }>['component'];

/** The fields of a window that was filled in. */
export function fieldsIn({ raw: { data } }: Interaction<'submission'>): readonly Field[] {
  return data.components.flatMap((row): readonly Field[] => {
    if ('component' in row) return [row.component];
    return 'components' in row ? row.components : [];
  });
}
