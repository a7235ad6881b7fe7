/** Messages in channels: read, send, edit, delete. */
import { type APIMessage, MessageType, PermissionFlagsBits as Permission } from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from './api-error.ts';
import type { Attachments } from './attachments.ts';
import type { Faults } from './faults.ts';
import { readForm } from './form.ts';
import type { Guilds } from './guilds.ts';
import { editedBody, newBody, pingsOf, readMessageForm, requestedFlags } from './message-form.ts';
import type { Messages } from './messages.ts';
import { requireChannel } from './places.ts';
import { RATES, tooMany } from './rate-limits.ts';
import type { Route } from './rest.ts';
import { isSnowflake, madeAt } from './snowflake.ts';

/**
 * Edits of messages older than an hour are refused (30046) beyond 3 in 6 seconds, the figure known from the
 * community.
 */
const OLD = 60 * 60_000;
const OLD_EDITS = { limit: 3, window: 6000 };
/** How long a nonce is remembered in ms: documented as "the past few minutes". */
const NONCE_KEPT = 5 * 60_000;

const snowflake = z.string().refine(isSnowflake, 'Value is not snowflake.').exactOptional();
const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: snowflake,
  after: snowflake,
  around: snowflake,
});

export interface MessageRoutesNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly attachments: Attachments;
  readonly faults: Faults;
  readonly now: () => number;
  /** With the guild's additions, for readers of the content. */
  readonly shown: (message: APIMessage) => APIMessage;
}

export function messageRoutes(needs: MessageRoutesNeeds): readonly Route[] {
  const { guilds, messages, attachments, faults, now, shown } = needs;
  const nonces = new Map<string, { readonly messageId: string; readonly at: number }>();
  const oldEdits = new Map<string, number[]>();

  /** Private replies are not channel messages: only their own webhook reaches them. */
  function required(channelId: string, messageId: string): APIMessage {
    const message = messages.get(channelId, messageId);
    if (message === undefined || messages.readerOf(messageId) !== null) throw refusal('unknown-message');
    return message;
  }

  function sentBefore(key: string): APIMessage | undefined {
    for (const [old, { at }] of nonces) if (now() - at > NONCE_KEPT) nonces.delete(old);
    const before = nonces.get(key);
    return before === undefined ? undefined : messages.find(before.messageId);
  }

  function countOldEdit(channelId: string): void {
    if (faults.strikes('edit-30046')) throw tooOld(OLD_EDITS.window);
    const recent = (oldEdits.get(channelId) ?? []).filter((at) => now() - at < OLD_EDITS.window);
    oldEdits.set(channelId, recent);
    const [first] = recent;
    if (first !== undefined && recent.length >= OLD_EDITS.limit)
      throw tooOld(first + OLD_EDITS.window - now());
    recent.push(now());
  }

  return [
    {
      method: 'GET',
      path: '/channels/*/messages',
      rate: RATES.read,
      handle: ({ query }, channelId = '') => {
        const channel = requireChannel(guilds, channelId, Permission.ViewChannel);
        const { limit, before, after, around } = readForm(page, Object.fromEntries(query));
        // Without Read Message History the list is empty, not an error.
        if (channel !== null && !mayReadHistory(guilds, channelId)) return { status: 200, body: [] };
        const all = messages.list(channelId, null);
        let found = all;
        if (before !== undefined) found = all.filter(({ id }) => BigInt(id) < BigInt(before)).slice(-limit);
        else if (after !== undefined)
          found = all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
        else if (around !== undefined) {
          const older = all.filter(({ id }) => BigInt(id) < BigInt(around)).slice(-Math.floor(limit / 2));
          const rest = all.filter(({ id }) => BigInt(id) >= BigInt(around));
          found = [...older, ...rest.slice(0, limit - older.length)];
        } else found = all.slice(-limit);
        return { status: 200, body: found.toReversed().map(shown) };
      },
    },
    {
      method: 'GET',
      path: '/channels/*/messages/*',
      rate: RATES.read,
      handle: (_, channelId = '', messageId = '') => {
        requireChannel(guilds, channelId, Permission.ViewChannel | Permission.ReadMessageHistory);
        return { status: 200, body: shown(required(channelId, messageId)) };
      },
    },
    {
      method: 'POST',
      path: '/channels/*/messages',
      rate: RATES.send,
      handle: (request, channelId = '') => {
        const channel = requireChannel(guilds, channelId, Permission.SendMessages);
        if (channel === null && faults.isOn('direct-closed')) throw refusal('closed-conversation');
        const form = readMessageForm(request.body);
        if ((form.embeds ?? []).length > 0) requireChannel(guilds, channelId, Permission.EmbedLinks);
        if (request.files.length > 0) requireChannel(guilds, channelId, Permission.AttachFiles);
        const nonce = form.nonce ?? undefined;
        const key = `${channelId} ${nonce}`;
        const before = nonce !== undefined && form.enforce_nonce === true ? sentBefore(key) : undefined;
        if (before !== undefined) return { status: 200, body: before };

        const reference = form.message_reference ?? undefined;
        if (reference !== undefined) required(channelId, reference.message_id);
        const message = messages.create({
          channelId,
          author: guilds.main.bot,
          readerId: null,
          ...newBody(form, attachments.keep(request.files, form.attachments), requestedFlags(form, false)),
          pings: pingsOf(guilds.of(channelId), form.content ?? '', form),
          more: {
            ...(nonce !== undefined && { nonce }),
            ...(reference !== undefined && {
              type: MessageType.Reply,
              message_reference: { message_id: reference.message_id, channel_id: channelId },
            }),
          },
        });
        if (nonce !== undefined) nonces.set(key, { messageId: message.id, at: now() });
        return { status: 200, body: message };
      },
    },
    {
      method: 'PATCH',
      path: '/channels/*/messages/*',
      rate: RATES.edit,
      handle: (request, channelId = '', messageId = '') => {
        requireChannel(guilds, channelId, Permission.ViewChannel);
        const before = required(channelId, messageId);
        if (before.author.id !== guilds.main.bot.id) throw refusal('another-author');
        const form = readMessageForm(request.body);
        if ((form.embeds ?? []).length > 0) requireChannel(guilds, channelId, Permission.EmbedLinks);
        if (now() - madeAt(messageId) > OLD || faults.isOn('edit-30046')) countOldEdit(channelId);
        const body = editedBody(form, attachments.keep(request.files, form.attachments), before);
        const pings =
          form.content === undefined ? null : pingsOf(guilds.of(channelId), form.content ?? '', form);
        return { status: 200, body: messages.edit(before, body, pings) };
      },
    },
    {
      method: 'DELETE',
      path: '/channels/*/messages/*',
      rate: RATES.remove,
      handle: (_, channelId = '', messageId = '') => {
        requireChannel(guilds, channelId, Permission.ViewChannel);
        const message = required(channelId, messageId);
        if (message.author.id !== guilds.main.bot.id)
          requireChannel(guilds, channelId, Permission.ManageMessages);
        messages.remove(message);
        return { status: 204 };
      },
    },
  ];
}

function mayReadHistory(guilds: Guilds, channelId: string): boolean {
  try {
    requireChannel(guilds, channelId, Permission.ReadMessageHistory);
    return true;
  } catch {
    return false;
  }
}

/** Observed as a 429 with its own code. */
function tooOld(retryAfter: number) {
  return tooMany(retryAfter, {
    code: 30046,
    message: 'Maximum number of edits to messages older than 1 hour reached. Try again later',
  });
}
