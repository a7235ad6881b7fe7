/**
 * Performs one step of a board with as little logic as possible: a request to Discord or the store, and its
 * outcome.
 */
import type { Clock } from '../base/clock.ts';
import type { BoardSettings, BoardState } from './board-records.ts';
import type { BoardChannels, Done, MessageRef } from './channels.ts';
import { timed, topicWith } from './headline.ts';
import type { Moment, Paused, State } from './state.ts';
import type { HeadlineStep, Step } from './step.ts';
import type { BoardEvent } from './update.ts';
import type { HeadlineEvent } from './update-headline.ts';

export interface PerformParts {
  /** The custom id that identifies its message. */
  readonly marker: string;
  readonly channels: BoardChannels;
  readonly save: (state: BoardState) => Promise<void>;
  /** Deletes its record, once its messages are deleted from Discord as far as possible. */
  readonly forget: () => Promise<void>;
  /** Sends the board's maker the reason for the pause. */
  readonly notify: (settings: BoardSettings, paused: Paused) => Promise<Done>;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** For its next edit or check, at the pace of all boards. */
  readonly takeTicket: () => number;
}

type Doable = Exclude<Step, { do: 'rest' }>;

/** Resolves with the outcome; rejects only for a bug. */
export async function perform(
  step: Doable,
  state: State,
  now: Moment,
  parts: PerformParts,
): Promise<BoardEvent> {
  const { channels } = parts;
  const { settings, stored } = state;
  switch (step.do) {
    case 'take-settings':
      return { kind: 'settings-taken' };
    case 'probe':
      return { kind: 'probing' };
    case 'mark-notified':
      return { kind: 'marked-notified' };
    case 'choose-nonce':
      return { kind: 'nonce-chosen', nonce: newNonce(parts.random) };
    case 'take-ticket':
      return { kind: 'ticket-taken', ticket: parts.takeTicket() };
    case 'pause':
      return { kind: 'paused', why: step.why, missing: step.missing };
    case 'save':
      return stores(() => parts.save(stored), { kind: 'saved', stored });
    case 'take-down':
      return stores(parts.forget, { kind: 'ended' });
    case 'end':
      if (state.unsaved !== 'no' && state.mayAct) await stores(() => parts.save(stored), { kind: 'ended' });
      return { kind: 'ended' };
    case 'find': {
      const answer = await channels.find(settings.channelId, parts.marker, settings.madeAt);
      return { kind: 'searched', answer };
    }
    case 'send':
      return send(state, channels);
    case 'edit':
    case 'pause-notice':
      return edit(step.do === 'edit' ? 'edited' : 'pause-noticed', state, now, channels);
    case 'check-message':
      return { kind: 'message-checked', answer: await channels.checkMessage(placeOf(state)) };
    case 'remove-orphan': {
      const { messageId } = step;
      const answer = await channels.remove({ channelId: settings.channelId, messageId });
      return { kind: 'orphan-removed', messageId, answer };
    }
    case 'notify':
      return { kind: 'notified', answer: await parts.notify(settings, needed(stored.paused)) };
    case 'plan-topic':
    case 'set-topic':
    case 'mark-voice':
    case 'set-status':
      return performHeadline(step, state, channels);
  }
}

async function send(state: State, channels: BoardChannels): Promise<BoardEvent> {
  const { settings, stored } = state;
  const frame = needed(state.frame);
  const { nonce } = needed(stored.sending);
  const message = frame.message();
  const answer = await channels.send(settings.channelId, message, nonce);
  return { kind: 'sent', frame, answer };
}

async function edit(
  kind: 'edited' | 'pause-noticed',
  state: State,
  now: Moment,
  channels: BoardChannels,
): Promise<BoardEvent> {
  const frame = needed(state.frame);
  const message = frame.message();
  const answer = await channels.edit(placeOf(state), message);
  return { kind, frame, began: now, answer };
}

async function performHeadline(
  step: HeadlineStep,
  { settings, stored, frame, topicPlan }: State,
  channels: BoardChannels,
): Promise<HeadlineEvent> {
  switch (step.do) {
    case 'plan-topic':
      return { kind: 'topic-planned', line: step.line };
    case 'set-topic': {
      const { line } = needed(topicPlan);
      const written = (topic: string | null) => topicWith(topic, stored.topic, line);
      return { kind: 'topic-set', answer: await channels.changeTopic(settings.channelId, written) };
    }
    case 'mark-voice':
      return { kind: 'voice-marked', channelId: step.channelId };
    case 'set-status': {
      const { channelId, headline } = step;
      const status = headline === null ? null : timed(headline, frame?.checked ?? null);
      const answer = await channels.setVoiceStatus(channelId, status);
      return { kind: 'status-set', channelId, headline, answer };
    }
  }
}

async function stores(work: () => Promise<void>, done: BoardEvent): Promise<BoardEvent> {
  try {
    await work();
    return done;
  } catch {
    return { kind: 'store-failed' };
  }
}

function placeOf({ settings, stored }: State): MessageRef {
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
