/**
 * Performs one step of a board with as little logic as possible: a request to Discord or the store, and its
 * outcome.
 */

import type { BoardSettings, Paused } from '../../cards/board/board.ts';
import type { RequestResult } from './channels.ts';
import type { KeptMessage } from './kept-messages.ts';
import type { BoardStep } from './next-step.ts';
import type { Moment, State } from './state.ts';
import { topicWithout } from './topic.ts';
import type { BoardEvent } from './update.ts';
import type { World } from './world.ts';

/** Resolves with the outcome; rejects only for a bug. */
export async function performStep(
  step: Exclude<BoardStep, { do: 'rest' }>,
  state: State,
  now: Moment,
  { key, messages }: KeptMessage,
  world: World,
): Promise<BoardEvent> {
  const { channels } = world;
  const { settings, stored } = state;
  const { channelId } = settings;
  switch (step.do) {
    case 'take-settings':
      return { kind: 'settings-taken' };
    case 'probe':
      return { kind: 'probing' };
    case 'mark-notified':
      return { kind: 'marked-notified' };
    case 'choose-nonce':
      return { kind: 'nonce-chosen', nonce: newNonce(world.random) };
    case 'take-ticket':
      return { kind: 'ticket-taken', ticket: world.pace.take() };
    case 'pause':
      return { kind: 'paused', why: step.why, missing: step.missing };
    case 'save':
      return stores(messages.records.saveState(key, stored), { kind: 'saved', stored });
    case 'take-down':
      return stores(messages.records.remove(key), { kind: 'ended' });
    case 'end':
      if (state.unsaved !== 'no' && state.mayAct)
        await stores(messages.records.saveState(key, stored), { kind: 'ended' });
      return { kind: 'ended' };
    case 'find':
      return {
        kind: 'searched',
        answer: await channels.find(channelId, messages.marker(key), settings.madeAt),
      };
    case 'send': {
      const frame = requireValue(state.frame);
      const { nonce } = requireValue(stored.sending);
      const answer = await channels.send(channelId, frame.message(), nonce);
      if (answer.kind === 'blocked') messages.blocked?.(key);
      return { kind: 'sent', frame, answer };
    }
    case 'edit':
    case 'pause-notice': {
      const frame = requireValue(state.frame);
      const answer = await channels.edit(placeOf(state), frame.message());
      if (answer.kind === 'blocked') messages.blocked?.(key);
      return { kind: step.do === 'edit' ? 'edited' : 'pause-noticed', frame, began: now, answer };
    }
    case 'check-message':
      return { kind: 'message-checked', answer: await channels.checkMessage(placeOf(state)) };
    case 'remove-orphan': {
      const { messageId } = step;
      const answer = await channels.remove({ channelId, messageId });
      return { kind: 'orphan-removed', messageId, answer };
    }
    case 'notify': {
      const paused = requireValue(stored.paused);
      const text = messages.pauseText(settings, paused);
      return { kind: 'notified', answer: await notify(settings, paused, text, channels) };
    }
    case 'clear-topic': {
      const answer = await channels.changeTopic(channelId, (topic) => topicWithout(topic, stored.topic));
      if (answer.kind === 'forbidden' || answer.kind === 'two-factor') {
        const t = world.translatorFor(settings.options.language ?? settings.locale);
        const text = t('board.notified.topic', { channel: `<#${channelId}>` });
        if (settings.madeBy !== '') await channels.notify(settings.madeBy, text, `topic ${channelId}`);
      }
      return { kind: 'topic-cleared', answer };
    }
  }
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  text: string,
  channels: World['channels'],
): Promise<RequestResult> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  return channels.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}

async function stores(writing: Promise<void>, done: BoardEvent): Promise<BoardEvent> {
  try {
    await writing;
    return done;
  } catch {
    return { kind: 'store-failed' };
  }
}

function placeOf({ settings, stored }: State) {
  return { channelId: settings.channelId, messageId: requireValue(stored.posted) };
}

/** A step only runs in a state that has what it needs. */
function requireValue<T>(value: T | null): T {
  if (value === null) throw new Error('a step lacks what it needs');
  return value;
}

/** Discord accepts up to 25 characters. */
function newNonce(random: () => number): string {
  return `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e9)}`;
}
