/** Messages in channels: read, send, edit, delete. */
import { type APIMessage, ChannelType, PermissionFlagsBits as Permission } from 'discord.js';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import type { Guilds } from '../guild/guilds.ts';
import { readForm, snowflake, whole } from '../judge/form.ts';
import { readMessageForm } from '../judge/message-form.ts';
import { RATES } from '../rest/rate-limits.ts';
import type { Answer, RestRequest, Route } from '../rest/rest.ts';
import type { Faults } from '../state/faults.ts';
import type { Messages } from '../state/messages.ts';
import type { Attachments } from './attachments.ts';
import { editedBody, newBody, pingsOf, requestedFlags } from './message-body.ts';
import { createNonces } from './nonces.ts';
import { createOldEdits } from './old-edits.ts';
import { requireChannel } from './places.ts';

/** A page of a channel's messages: the latest ones, or the latest before one of them. */
const messagePage = z.object({ limit: whole(1, 100).default(50), before: snowflake.exactOptional() });

const ALL = '/channels/*/messages';
const ONE = '/channels/*/messages/*';

interface MessageRoutesNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly attachments: Attachments;
  readonly faults: Faults;
  readonly now: () => number;
  /** With the guild's additions, for readers of the content. */
  readonly shown: (message: APIMessage) => APIMessage;
}

export function messageRoutes(needs: MessageRoutesNeeds): readonly Route[] {
  return [...readingRoutes(needs), sendingRoute(needs), ...changingRoutes(needs)];
}

function readingRoutes({ guilds, messages, shown }: MessageRoutesNeeds): readonly Route[] {
  function list({ query }: RestRequest, channelId = ''): Answer {
    const channel = requireChannel(guilds, channelId, Permission.ViewChannel);
    if (channel?.type === ChannelType.GuildVoice) requireChannel(guilds, channelId, Permission.Connect);
    const { limit, before } = readForm(messagePage, Object.fromEntries(query));
    // Without Read Message History the list is empty, not an error.
    if (channel !== null && !mayReadHistory(guilds, channelId)) return { status: 200, body: [] };
    const all = messages.list(channelId, null);
    const older = before === undefined ? all : all.filter(({ id }) => BigInt(id) < BigInt(before));
    return { status: 200, body: older.slice(-limit).toReversed().map(shown) };
  }

  function read(_: RestRequest, channelId = '', messageId = ''): Answer {
    requireChannel(guilds, channelId, Permission.ViewChannel | Permission.ReadMessageHistory);
    return { status: 200, body: shown(required(messages, channelId, messageId)) };
  }

  return [
    { method: 'GET', path: ALL, rate: RATES.read, handle: list },
    { method: 'GET', path: ONE, rate: RATES.read, handle: read },
  ];
}

function sendingRoute({ guilds, messages, attachments, faults, now }: MessageRoutesNeeds): Route {
  const nonces = createNonces(now);

  function send({ body, files }: RestRequest, channelId = ''): Answer {
    const channel = requireChannel(guilds, channelId, Permission.SendMessages);
    if (channel === null && faults.isOn('direct-closed')) throw refusal('closed-conversation');
    const form = readMessageForm(body);
    if ((form.embeds ?? []).length > 0) requireChannel(guilds, channelId, Permission.EmbedLinks);
    if (files.length > 0) requireChannel(guilds, channelId, Permission.AttachFiles);
    const nonce = form.nonce ?? undefined;
    if (nonce !== undefined && form.enforce_nonce === true) {
      const before = messages.find(nonces.find(channelId, nonce) ?? '');
      if (before !== undefined) return { status: 200, body: before };
    }
    const message = messages.create({
      channelId,
      author: guilds.main.bot,
      readerId: null,
      ...newBody(form, attachments.keep(files, form.attachments), requestedFlags(form, false)),
      pings: pingsOf(guilds.of(channelId), form.content ?? '', form),
      more: nonce === undefined ? {} : { nonce },
    });
    if (nonce !== undefined) nonces.remember(channelId, nonce, message.id);
    return { status: 200, body: message };
  }

  return { method: 'POST', path: ALL, rate: RATES.send, handle: send };
}

function changingRoutes({
  guilds,
  messages,
  attachments,
  faults,
  now,
}: MessageRoutesNeeds): readonly Route[] {
  const countOldEdit = createOldEdits(faults, now);

  function edit({ body, files }: RestRequest, channelId = '', messageId = ''): Answer {
    requireChannel(guilds, channelId, Permission.ViewChannel);
    const before = required(messages, channelId, messageId);
    if (before.author.id !== guilds.main.bot.id) throw refusal('another-author');
    const form = readMessageForm(body);
    if ((form.embeds ?? []).length > 0) requireChannel(guilds, channelId, Permission.EmbedLinks);
    countOldEdit(channelId, messageId);
    const edited = editedBody(form, attachments.keep(files, form.attachments), before);
    const { content } = form;
    const pings = content === undefined ? null : pingsOf(guilds.of(channelId), content ?? '', form);
    return { status: 200, body: messages.edit(before, edited, pings) };
  }

  function remove(_: RestRequest, channelId = '', messageId = ''): Answer {
    requireChannel(guilds, channelId, Permission.ViewChannel);
    const message = required(messages, channelId, messageId);
    if (message.author.id !== guilds.main.bot.id)
      requireChannel(guilds, channelId, Permission.ManageMessages);
    messages.remove(message);
    return { status: 204 };
  }

  return [
    { method: 'PATCH', path: ONE, rate: RATES.edit, handle: edit },
    { method: 'DELETE', path: ONE, rate: RATES.remove, handle: remove },
  ];
}

/** Private replies are not channel messages: only their own webhook reaches them. */
function required(messages: Messages, channelId: string, messageId: string): APIMessage {
  const message = messages.get(channelId, messageId);
  if (message === undefined || messages.readerOf(messageId) !== null) throw refusal('unknown-message');
  return message;
}

function mayReadHistory(guilds: Guilds, channelId: string): boolean {
  try {
    requireChannel(guilds, channelId, Permission.ReadMessageHistory);
    return true;
  } catch {
    return false;
  }
}
