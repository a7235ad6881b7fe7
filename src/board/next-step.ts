/**
 * One board on one page: what it knows, what it wants to show, what it showed last and what it waits for; and from
 * these and the time alone, what it does next.
 */
import type { BoardSettings, BoardState } from '../store/board-records.ts';
import type { Access } from './channel.ts';
import type { Picture } from './render.ts';
import type { Safeguards } from './safeguards.ts';

export type Paused = NonNullable<BoardState['paused']>;

/** Times are of the monotonic clock. */
export interface Mind {
  // What it knows.
  /** Whether this process keeps the boards. */
  mayAct: boolean;
  settings: BoardSettings;
  /** What people decided meanwhile. */
  wanted: BoardSettings;
  state: BoardState;
  unsaved: 'no' | 'later' | 'now';
  savedAt: number;
  access: Access;
  /** Whether its channel was searched for its message since it may last have got one. */
  searched: boolean;
  // What it wants to show: null until the first readings are in.
  picture: Picture | null;
  // What it showed last; a hash of null is not known.
  shown: Shown;
  // What it waits for.
  /** Nothing is sent before. */
  closedUntil: number;
  /** Nothing is edited before. */
  nextEdit: number;
  /** When to look whether the message is still there. */
  lookAt: number;
  tellAt: number;
  /** When to try again what was refused although the live connection knows of no reason. */
  probeAt: number;
  /** It is tried again: one answer will tell. */
  probing: boolean;
  stopping: boolean;
  /** How often it has tried to say that it is paused. */
  goodbyes: number;
}

export interface Shown {
  readonly hash: string | null;
  readonly mode: Picture['mode'] | 'starting';
  readonly checked: number | null;
  readonly at: number;
}

export type Step =
  /** Until then or until woken. */
  | { readonly do: 'rest'; readonly until: number }
  | { readonly do: 'save' | 'take-settings' | 'probe' | 'tell' }
  | { readonly do: 'find' | 'send' | 'edit' | 'look' | 'say-paused' | 'take-down' | 'end' }
  | { readonly do: 'pause'; readonly why: Paused['why']; readonly missing: readonly string[] }
  | { readonly do: 'clear'; readonly messageId: string };

const MINUTE = 60_000;
/** Its times are refreshed so often, whether or not anything else has changed. */
const REFRESH = 15 * MINUTE;
/** What can wait is stored together. */
export const SAVE_LATER = MINUTE;
const GOODBYES = 2;
const forever: Step = { do: 'rest', until: Number.POSITIVE_INFINITY };
const rest = (until: number): Step => ({ do: 'rest', until });

export function nextStep(mind: Mind, now: number, safeguards: Safeguards): Step {
  const { state, settings, access } = mind;
  if (!mind.mayAct) return mind.stopping ? { do: 'end' } : forever;
  if (mind.unsaved === 'now' && mind.closedUntil <= now) return { do: 'save' };
  if (mind.stopping) return canSayPaused(mind) ? { do: 'say-paused' } : { do: 'end' };
  if (mind.closedUntil > now) return rest(mind.closedUntil);

  if (mind.wanted !== settings) return { do: 'take-settings' };
  // A guild that chat cannot serve now says nothing about our message.
  if (access.kind === 'unavailable') return forever;
  const [messageId] = state.litter;
  if (settings.removed) {
    if (access.kind !== 'open') return { do: 'take-down' };
    if (!mind.searched) return { do: 'find' };
    return messageId === undefined ? { do: 'take-down' } : { do: 'clear', messageId };
  }

  const trouble = troubleOf(access);
  if (state.paused !== null && !mind.probing) {
    const { why, told } = state.paused;
    const mayProbe = trouble === null && why !== 'unwanted';
    if (mayProbe && mind.probeAt <= now) return { do: 'probe' };
    if (!told) return mind.tellAt > now ? rest(mind.tellAt) : { do: 'tell' };
    return mayProbe ? rest(mind.probeAt) : forever;
  }
  if (trouble !== null && safeguards.pauseOnLostRights) return { do: 'pause', ...trouble };

  if (messageId !== undefined) return { do: 'clear', messageId };
  if (state.posted === null) {
    if (safeguards.adoption && !mind.searched) return { do: 'find' };
    return mind.picture === null ? forever : { do: 'send' };
  }
  if (isNews(mind, now, safeguards)) return mind.nextEdit > now ? rest(mind.nextEdit) : { do: 'edit' };
  if (mind.lookAt <= now) return { do: 'look' };
  return rest(mind.unsaved === 'later' ? Math.min(mind.lookAt, mind.savedAt + SAVE_LATER) : mind.lookAt);
}

function isNews({ picture, shown, probing }: Mind, now: number, safeguards: Safeguards): boolean {
  if (picture === null) return false;
  if (!safeguards.changeOnly || probing || shown.hash !== picture.hash) return true;
  return shown.checked !== picture.checked && now - shown.at >= REFRESH;
}

function canSayPaused({ state, shown, access, goodbyes }: Mind): boolean {
  const isThere = state.posted !== null && state.paused === null && access.kind === 'open';
  return isThere && shown.mode !== 'paused' && goodbyes < GOODBYES;
}

export function troubleOf(
  access: Access,
): { readonly why: 'rights' | 'channel'; readonly missing: readonly string[] } | null {
  if (access.kind === 'missing') return { why: 'rights', missing: access.rights };
  return access.kind === 'unknown-channel' ? { why: 'channel', missing: [] } : null;
}
