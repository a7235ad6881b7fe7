/**
 * The headline outside the message: in the channel's topic, and as a voice channel's status. Both tell the time of
 * their data, since they may stand still for longer than the message does. Decided only from the state.
 */
import { TIMES_REFRESHED } from './pace.ts';
import type { State } from './state.ts';

/** Discord's limit for a topic, in characters. */
const TOPIC = 1024;
/** Characters of a headline. The longest are half as long. */
const HEADLINE = 180;
/** Between our line and the text of the people whose channel it is. */
const BETWEEN = ' ┃ ';

/** Stored before it is sent, so that it is found again. */
export type HeadlineStep =
  | { readonly do: 'plan-topic'; readonly line: string | null }
  | { readonly do: 'set-topic' }
  | { readonly do: 'mark-voice'; readonly channelId: string }
  | { readonly do: 'set-status'; readonly channelId: string; readonly headline: string | null };

/** The next step, and from when on, by the monotonic clock. */
interface HeadlineDue {
  readonly at: number;
  readonly step: HeadlineStep;
}

export function headlineDue(state: State): HeadlineDue | null {
  const dues = [topicDue(state), statusDue(state)].filter((due) => due !== null);
  return dues.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** The last status before the bot stops, which cannot be taken for an old one. */
export function lastStatus(
  { stored, statusShown, statusAt, pauseNotices }: State,
  now: number,
): HeadlineStep | null {
  const { voice } = stored;
  if (voice === null || statusShown === null || statusShown.headline === null) return null;
  if (statusAt > now || !Number.isFinite(pauseNotices)) return null;
  return { do: 'set-status', channelId: voice, headline: null };
}

/** The voice channel whose status is to be ours; null for none. */
export function voiceOf({ settings: { removed, options }, stored }: Pick<State, 'settings' | 'stored'>) {
  return removed || stored.paused !== null ? null : options.voice;
}

function topicDue(state: State): HeadlineDue | null {
  const { topic, topicPlan, stored, settings, frame } = state;
  if (topic.kind !== 'open') return null;
  if (topicPlan !== null) return { at: state.topicOpenAt, step: { do: 'set-topic' } };
  const wanted = settings.options.topic === 'on' ? headlineNow(state) : null;
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

function statusDue(state: State): HeadlineDue | null {
  const { stored, voice, statusShown, statusAt } = state;
  const channelId = voiceOf(state);
  if (stored.voice !== null && stored.voice !== channelId)
    return { at: statusAt, step: { do: 'set-status', channelId: stored.voice, headline: null } };
  if (channelId === null || voice.kind !== 'open') return null;
  if (stored.voice === null) return { at: Number.NEGATIVE_INFINITY, step: { do: 'mark-voice', channelId } };
  const headline = headlineNow(state);
  if (headline === undefined) return null;
  const isShown = statusShown !== null && statusShown.headline === headline;
  if (isShown && headline === null) return null;
  const refresh = isShown ? statusShown.at + TIMES_REFRESHED : Number.NEGATIVE_INFINITY;
  return { at: Math.max(statusAt, refresh), step: { do: 'set-status', channelId, headline } };
}

/** Null for none; undefined where the last one may stand, since it tells its time. */
function headlineNow({ settings, stored, frame }: State): string | null | undefined {
  if (settings.removed || stored.paused !== null) return null;
  if (frame === null) return undefined;
  if (frame.mode === 'no-data') return null;
  return frame.mode === 'live' || frame.mode === 'partly-stale' ? frame.headline : undefined;
}

/** "14:05 UTC · 21 driving · 47 free": Discord cuts what is too long for its place, but not the time. `asOf`: unix milliseconds. */
export function timed(headline: string, asOf: number | null): string {
  const text = [...headline].slice(0, HEADLINE).join('');
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
  const own = ownText(topic, earlier);
  if (line === null || !hasRoomFor(topic, earlier, line)) return own === '' ? null : own;
  return own === '' ? line : line + BETWEEN + own;
}

/** The line fits without a character of theirs being lost. */
export function hasRoomFor(topic: string | null, earlier: readonly string[], line: string): boolean {
  const own = ownText(topic, earlier);
  return own === '' || [...(line + BETWEEN + own)].length <= TOPIC;
}

function ownText(topic: string | null, earlier: readonly string[]): string {
  return earlier.reduce((text, line) => text.replace(line + BETWEEN, '').replace(line, ''), topic ?? '');
}
