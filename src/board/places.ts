/**
 * The places besides the message that show the board's headline: the channel's topic, and a voice channel's status. Both
 * tell the time of their data, since they may stand still for longer than the message does. No failure here holds up the
 * message.
 *
 * The seam to the board: {@link accessToPlaces} is what they need, {@link dueInPlaces} their next step, {@link performInPlace} performs it, {@link updatePlaces}
 * takes the outcome, and {@link findPlaceProblems} says why a place stays empty.
 */
import { MINUTE } from '../base/duration.ts';
import { type BoardSettings, type BoardState, type PlaceProblem, placesOf } from '../service/models/board.ts';
import * as backoff from './backoff.ts';
import type { BoardChannels, RequestFailure, RequestResult } from './channels.ts';
import { addError, type Moment, mergeLearned, STATUS_EVERY, type State, TOPIC_EVERY } from './state.ts';

/** How often the time in a voice channel's status is refreshed. */
const STATUS_REFRESH_MS = 15 * MINUTE;

/** Discord's limit for a topic, in characters. */
const MAX_TOPIC_LENGTH = 1024;
/** Limit of a headline, in characters. The longest are half as long. */
const MAX_TEXT_CHARACTERS = 180;
/** Between our line and the text of the people whose channel it is. */
const BETWEEN = ' ┃ ';

/** Stored before it is sent, so that it is found again. */
export type PlaceStep =
  | { readonly do: 'plan-topic'; readonly line: string | null }
  | { readonly do: 'set-topic' }
  | { readonly do: 'mark-voice'; readonly channelId: string }
  | { readonly do: 'set-status'; readonly channelId: string; readonly text: string | null };

/** The outcome of a {@link PlaceStep}. */
export type PlaceEvent =
  | { readonly kind: 'topic-planned'; readonly line: string | null }
  | { readonly kind: 'topic-set'; readonly answer: RequestResult }
  | { readonly kind: 'voice-marked'; readonly channelId: string }
  | {
      readonly kind: 'status-set';
      readonly channelId: string;
      readonly text: string | null;
      readonly answer: RequestResult;
    };

/** The next step, and from when on, by the monotonic clock. */
interface PlaceDue {
  readonly at: number;
  readonly step: PlaceStep;
}

/**
 * Returns the access to the places that the board uses, or has still to empty: thousands of boards ask a few times a second,
 * and most use none.
 */
export function accessToPlaces(
  { guildId, channelId, options }: BoardSettings,
  { topic: lines }: Pick<BoardState, 'topic'>,
  channels: Pick<BoardChannels, 'topic' | 'voice'>,
): Pick<State, 'topic' | 'voice'> {
  const isTopicUsed = options.topic === 'on' || lines.length > 0;
  return {
    topic: isTopicUsed ? channels.topic(guildId, channelId) : { kind: 'unavailable' },
    voice: options.voice === null ? { kind: 'unknown-channel' } : channels.voice(guildId, options.voice),
  };
}

export function dueInPlaces(state: State): PlaceDue | null {
  const dues = [topicDue(state), statusDue(state)].filter((due) => due !== null);
  return dues.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** The last status before the bot stops, which cannot be taken for an old one. */
export function lastStatus(
  { stored, statusShown, statusAt, pauseNotices }: State,
  now: number,
): PlaceStep | null {
  const { voice } = stored;
  if (voice === null || statusShown === null || statusShown.text === null) return null;
  if (statusAt > now || !Number.isFinite(pauseNotices)) return null;
  return { do: 'set-status', channelId: voice, text: null };
}

/** The voice channel whose status is to be ours; null for none. */
function voiceOf({ settings: { removed, options }, stored }: Pick<State, 'settings' | 'stored'>) {
  return removed || stored.paused !== null ? null : options.voice;
}

function topicDue(state: State): PlaceDue | null {
  const { topic, topicPlan, stored, settings, frame } = state;
  if (topic.kind !== 'open') return null;
  if (topicPlan !== null) return { at: state.topicOpenAt, step: { do: 'set-topic' } };
  const wanted = settings.options.topic === 'on' ? textNow(state) : null;
  if (wanted === undefined) return null;
  const lines = stored.topic;
  if (wanted === null) {
    return lines.length === 0 ? null : { at: state.topicOpenAt, step: { do: 'plan-topic', line: null } };
  }
  const line = `🏁 ${timed(wanted, frame?.checked ?? null)}`;
  const last = lines.at(-1);
  const isThere = last !== undefined && (topic.topic ?? '').includes(last);
  if (isThere && untimed(last) === untimed(line)) return null;
  if (!hasRoomFor(topic.topic, lines, line)) return null;
  return { at: Math.max(state.topicOpenAt, state.topicAt), step: { do: 'plan-topic', line } };
}

function statusDue(state: State): PlaceDue | null {
  const { stored, voice, statusShown, statusAt } = state;
  const channelId = voiceOf(state);
  if (stored.voice !== null && stored.voice !== channelId)
    return { at: statusAt, step: { do: 'set-status', channelId: stored.voice, text: null } };
  if (channelId === null || voice.kind !== 'open') return null;
  if (stored.voice === null) return { at: Number.NEGATIVE_INFINITY, step: { do: 'mark-voice', channelId } };
  const text = textNow(state);
  if (text === undefined) return null;
  const isShown = statusShown !== null && statusShown.text === text;
  if (isShown && text === null) return null;
  const refresh = isShown ? statusShown.at + STATUS_REFRESH_MS : Number.NEGATIVE_INFINITY;
  return { at: Math.max(statusAt, refresh), step: { do: 'set-status', channelId, text } };
}

/** Null for none; undefined where the last one may stand, since it tells its time. */
function textNow({ settings, stored, frame }: State): string | null | undefined {
  if (settings.removed || stored.paused !== null) return null;
  if (frame === null) return undefined;
  if (frame.mode === 'no-data') return null;
  return frame.mode === 'live' || frame.mode === 'partly-stale' ? frame.summary : undefined;
}

/** "14:05 UTC · 21 driving · 47 free": Discord cuts what is too long for its place, but not the time. `asOf`: unix milliseconds. */
function timed(summary: string, asOf: number | null): string {
  const text = [...summary].slice(0, MAX_TEXT_CHARACTERS).join('');
  return asOf === null ? text : `${new Date(asOf).toISOString().slice(11, 16)} UTC · ${text}`;
}

function untimed(line: string): string {
  return line.replace(/\d\d:\d\d UTC · /, '');
}

/** A topic with this line before the text of the people, in place of any of our earlier lines; null for no topic. */
export function topicWith(
  topic: string | null,
  earlier: readonly string[],
  line: string | null,
): string | null {
  const peoplesText = ownText(topic, earlier);
  if (line === null || !hasRoomFor(topic, earlier, line)) return peoplesText === '' ? null : peoplesText;
  return peoplesText === '' ? line : line + BETWEEN + peoplesText;
}

/** The line fits without a character of theirs being lost. */
export function hasRoomFor(topic: string | null, earlier: readonly string[], line: string): boolean {
  const peoplesText = ownText(topic, earlier);
  return peoplesText === '' || [...(line + BETWEEN + peoplesText)].length <= MAX_TOPIC_LENGTH;
}

function ownText(topic: string | null, earlier: readonly string[]): string {
  return earlier.reduce((text, line) => text.replace(line + BETWEEN, '').replace(line, ''), topic ?? '');
}

/** Performs a step: a request to Discord, or a decision that only changes the state. */
export async function performInPlace(
  step: PlaceStep,
  { settings, stored, topicPlan, frame }: State,
  channels: Pick<BoardChannels, 'changeTopic' | 'setVoiceStatus'>,
): Promise<PlaceEvent> {
  switch (step.do) {
    case 'plan-topic':
      return { kind: 'topic-planned', line: step.line };
    case 'set-topic': {
      const line = topicPlan?.line ?? null;
      const change = (topic: string | null) => topicWith(topic, stored.topic, line);
      return { kind: 'topic-set', answer: await channels.changeTopic(settings.channelId, change) };
    }
    case 'mark-voice':
      return { kind: 'voice-marked', channelId: step.channelId };
    case 'set-status': {
      const { channelId, text } = step;
      const status = text === null ? null : timed(text, frame?.checked ?? null);
      const answer = await channels.setVoiceStatus(channelId, status);
      return { kind: 'status-set', channelId, text, answer };
    }
  }
}

/** Returns the board's state after the outcome of a step. */
export function updatePlaces(state: State, event: PlaceEvent, now: Moment): State {
  switch (event.kind) {
    case 'topic-planned':
      return topicPlanned(state, event.line);
    case 'topic-set':
      return topicSet(state, event.answer, now);
    case 'voice-marked':
      return mergeLearned({ ...state, statusShown: null }, { voice: event.channelId });
    case 'status-set':
      return statusSet(state, event, now);
  }
}

/** Wait after a refusal that will not end by itself, in ms. */
const REFUSAL_PAUSE_MS = 10 * MINUTE;
/** Number of our lines that may stand in a topic: each lost answer may leave one. */
const MAX_TOPIC_LINES = 5;

/** Stored before the topic is changed: what is ours in it has to be known for as long as it is there. */
function topicPlanned(state: State, line: string | null): State {
  const planned = { ...state, topicPlan: { line } };
  return line === null
    ? planned
    : mergeLearned(planned, { topic: [...state.stored.topic, line].slice(-MAX_TOPIC_LINES) });
}

/** Discord counts from when the request arrived, which was before `now`. */
function topicSet(state: State, answer: RequestResult, now: Moment): State {
  const line = state.topicPlan?.line ?? null;
  const next = { ...state, ticket: null, topicPlan: null, topicAt: now.monotonic + TOPIC_EVERY };
  if (answer.kind === 'ok') return mergeLearned(next, { topic: line === null ? [] : [line] });
  const waitingState = {
    ...counted(next, answer, now),
    topicOpenAt: now.monotonic + waitAfter(answer, MINUTE),
  };
  // A topic that we may no longer change needs no more waiting.
  return state.settings.removed && isFinal(answer) ? mergeLearned(waitingState, { topic: [] }) : waitingState;
}

function statusSet(
  state: State,
  { channelId, text, answer }: Extract<PlaceEvent, { kind: 'status-set' }>,
  now: Moment,
): State {
  const next = { ...state, ticket: null };
  const isOver = channelId !== voiceOf(state) && (answer.kind === 'ok' || isFinal(answer));
  const settled = isOver ? mergeLearned({ ...next, statusShown: null }, { voice: null }) : next;
  if (answer.kind === 'ok') {
    const statusShown = isOver ? null : { text, at: now.monotonic };
    return { ...settled, statusShown, statusAt: now.monotonic + STATUS_EVERY };
  }
  const statusAt = now.monotonic + waitAfter(answer, STATUS_EVERY);
  return { ...counted(settled, answer, now), statusShown: null, statusAt };
}

function isFinal({ kind }: RequestFailure): boolean {
  return kind !== 'lost' && kind !== 'too-fast';
}

function waitAfter(refusal: RequestFailure, atLeast: number): number {
  if (isFinal(refusal)) return REFUSAL_PAUSE_MS;
  return refusal.kind === 'too-fast' ? Math.max(atLeast, refusal.retryAfter) : atLeast;
}

/** Notes it, except that Discord spaces changes of a topic out, and counts what Discord counts towards a ban. */
function counted(state: State, refusal: RequestFailure, now: Moment): State {
  const isUsual = refusal.kind === 'too-fast';
  const isTwoFactor = refusal.kind === 'two-factor';
  const trouble = isTwoFactor ? { what: refusal.kind } : ({ what: 'place', code: refusal.kind } as const);
  const next = isUsual ? state : addError(state, trouble, now);
  const isInvalid =
    isTwoFactor || refusal.kind === 'forbidden' || (refusal.kind === 'too-fast' && refusal.counted);
  return isInvalid ? { ...next, backoff: backoff.noteInvalid(next.backoff, now.monotonic) } : next;
}

/** Blanks as long as most headlines are. */
const USUAL_LINE = ' '.repeat(80);

/** Returns why places besides the message stay empty. */
export function findPlaceProblems(
  settings: BoardSettings,
  state: BoardState,
  channels: Pick<BoardChannels, 'topic' | 'voice'>,
): readonly PlaceProblem[] {
  const { guildId } = settings;
  return placesOf(settings).flatMap(({ kind, channelId }): readonly PlaceProblem[] => {
    const access = channels[kind](guildId, channelId);
    if (access.kind === 'missing') return [{ what: kind, rights: access.rights }];
    if (kind === 'voice') return access.kind === 'unknown-channel' ? [{ what: 'voice-gone' }] : [];
    const topic = channels.topic(guildId, channelId);
    const isFull = topic.kind === 'open' && !hasRoomFor(topic.topic, state.topic, USUAL_LINE);
    return isFull ? [{ what: 'topic-full' }] : [];
  });
}
