/** Turns a message's form into its body, its flags and its pings. */
import { AllowedMentionsTypes, type APIAttachment, MessageFlags } from 'discord.js';
import { refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import type { MessageForm } from '../judge/message-form.ts';
import type { Body, Pings } from '../state/messages.ts';

/** A new message's body. Throws 50006 if it is empty. */
export function newBody(form: MessageForm, files: readonly APIAttachment[], flags: number): Body {
  const body = {
    content: form.content ?? '',
    embeds: form.embeds ?? [],
    components: form.components ?? [],
    attachments: [...files],
    flags,
  };
  if (isEmpty(body)) throw refusal('empty-message');
  return body;
}

/** The changes of an edit: null clears, absent leaves unchanged. Throws 50006 if `before` would become empty. */
export function editedBody(
  form: MessageForm,
  files: readonly APIAttachment[],
  before: Body & { readonly attachments: APIAttachment[] },
): Body {
  const kept = form.attachments?.map(({ id }) => String(id));
  const attachments = before.attachments.filter(({ id }) => kept === undefined || kept.includes(id));
  const body = {
    ...(form.content !== undefined && { content: form.content ?? '' }),
    ...(form.embeds !== undefined && { embeds: form.embeds ?? [] }),
    ...(form.components !== undefined && { components: form.components ?? [] }),
    attachments: [...attachments, ...files],
  };
  if (isEmpty({ ...before, ...body })) throw refusal('empty-message');
  return body;
}

/** A message with only components counts as empty. */
function isEmpty({ content, embeds: shown = [], attachments = [] }: Body): boolean {
  return (content ?? '') === '' && shown.length === 0 && attachments.length === 0;
}

/** The flags a new message may set; `private` ones only in a response to an interaction. */
export function requestedFlags({ flags }: Pick<MessageForm, 'flags'>, mayBePrivate: boolean): number {
  const askable = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;
  return (flags ?? 0) & (mayBePrivate ? askable | MessageFlags.Ephemeral : askable);
}

/** Whom the text pings. Everything is allowed unless the form restricts it. */
export function pingsOf(guild: Guild, content: string, form: Pick<MessageForm, 'allowed_mentions'>): Pings {
  const { parse, users = [], roles = [] } = form.allowed_mentions ?? { parse: undefined };
  const all = form.allowed_mentions === undefined || form.allowed_mentions === null;
  const allows = (kind: AllowedMentionsTypes) => all || (parse ?? []).includes(kind);
  const named = (pattern: RegExp) => [...content.matchAll(pattern)].map((match) => match[1] ?? '');

  const mentions = named(/<@!?(\d{1,20})>/g)
    .filter((id) => allows(AllowedMentionsTypes.User) || users.includes(id))
    .flatMap((id) => guild.residents.get(id)?.member.user ?? []);
  const mentionedRoles = named(/<@&(\d{1,20})>/g).filter(
    (id) => guild.roles.has(id) && (allows(AllowedMentionsTypes.Role) || roles.includes(id)),
  );
  return {
    mentions: [...new Set(mentions)],
    mention_roles: [...new Set(mentionedRoles)],
    mention_everyone: allows(AllowedMentionsTypes.Everyone) && /@(?:everyone|here)\b/.test(content),
  };
}
