/**
 * Performs one step of a board with as little logic as possible: a request to Discord or the store, and its
 * outcome.
 */

import { rightNames } from '../cards/board/right-name.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardSettings, Paused } from '../service/models/board.ts';
import type { RequestResult } from './channels.ts';
import { performHeadline } from './headline.ts';
import type { BoardStep } from './next-step.ts';
import { markerOf } from './render.ts';
import type { Moment, State } from './state.ts';
import type { BoardEvent } from './update.ts';
import { recordOf, type World } from './world.ts';

/** Resolves with the outcome; rejects only for a bug. */
export async function perform(
  step: Exclude<BoardStep, { do: 'rest' }>,
  state: State,
  now: Moment,
  world: World,
): Promise<BoardEvent> {
  const { channels } = world;
  const { settings, stored } = state;
  const { id, channelId } = settings;
  const record = recordOf(settings, world);
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
      return stores(record.save(stored), { kind: 'saved', stored });
    case 'take-down':
      return stores(record.forget(), { kind: 'ended' });
    case 'end':
      if (state.unsaved !== 'no' && state.mayAct) await stores(record.save(stored), { kind: 'ended' });
      return { kind: 'ended' };
    case 'find': {
      const marker = id === undefined ? markerOf(channelId) : world.others.marker(id);
      const answer = await channels.find(channelId, marker, settings.madeAt);
      return { kind: 'searched', answer };
    }
    case 'send': {
      const frame = needed(state.frame);
      const { nonce } = needed(stored.sending);
      return { kind: 'sent', frame, answer: await channels.send(channelId, frame.message(), nonce) };
    }
    case 'edit':
    case 'pause-notice': {
      const frame = needed(state.frame);
      const answer = await channels.edit(placeOf(state), frame.message());
      return { kind: step.do === 'edit' ? 'edited' : 'pause-noticed', frame, began: now, answer };
    }
    case 'check-message':
      return { kind: 'message-checked', answer: await channels.checkMessage(placeOf(state)) };
    case 'remove-orphan': {
      const { messageId } = step;
      const answer = await channels.remove({ channelId, messageId });
      return { kind: 'orphan-removed', messageId, answer };
    }
    case 'notify':
      return { kind: 'notified', answer: await notify(settings, needed(stored.paused), world) };
    default:
      return performHeadline(step, state, channels);
  }
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  { channels, translatorFor }: World,
): Promise<RequestResult> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.options.language ?? settings.locale));
  return channels.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}

/** The message to a board's maker when the board cannot continue. */
export function pauseMessage(
  { channelId, id }: Pick<BoardSettings, 'channelId' | 'id'>,
  { why, missing }: Pick<Paused, 'why' | 'missing'>,
  t: Translator,
): string {
  const channel = `<#${channelId}>`;
  if (id !== undefined) return t(`convoy.notified.${why === 'rights' ? 'refused' : why}`, { channel });
  if (why !== 'rights')
    return t(why === 'channel' ? 'board.notified.channel' : 'board.notified.unwanted', { channel });
  // Discord refuses although the rights look right.
  if (missing.length === 0) return t('board.notified.refused', { channel });
  return t('board.notified.rights', { channel, rights: rightNames(missing, t) });
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
  return { channelId: settings.channelId, messageId: needed(stored.posted) };
}

/** A step only runs in a state that has what it needs. */
function needed<T>(value: T | null): T {
  if (value === null) throw new Error('a step lacks what it needs');
  return value;
}

/** Discord accepts up to 25 characters. */
function newNonce(random: () => number): string {
  return `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e9)}`;
}
