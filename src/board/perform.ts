/** What a board does, one step at a time. */

import type { Clock } from '../clock.ts';
import type { BoardSettings, BoardState } from '../store/board-records.ts';
import type { Pace } from './backoff.ts';
import type { BoardChat, Done, Place } from './channel.ts';
import type { Mind, Paused, Step } from './next-step.ts';
import type { Picture } from './render.ts';
import type { Safeguards } from './safeguards.ts';
import type { Lessons } from './update.ts';

export interface BoardParts {
  /** The custom id by which it knows its message. */
  readonly marker: string;
  readonly settings: BoardSettings;
  readonly state: BoardState;
  readonly chat: BoardChat;
  readonly save: (state: BoardState) => Promise<void>;
  /** Nothing of it is left in chat, as far as we could see to that. */
  readonly takenDown: () => Promise<void>;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly safeguards: Safeguards;
  /** What is to be shown now, or as the last thing before the end; null until the first readings are in. */
  readonly picture: (paused: boolean) => Picture | null;
  /** Whether this process keeps the boards. */
  readonly mayAct: () => boolean;
  /** Tells whoever made the board why it is paused. */
  readonly tell: (settings: BoardSettings, paused: Paused) => Promise<Done>;
  /** How often to look whether the message is still there, in milliseconds. */
  readonly lookEvery: () => number;
  /** An error that nobody foresaw; the board goes on later. */
  readonly onBug: (error: unknown) => void;
}

export type Deed = Exclude<Step, { do: 'rest' }>;

/** Does one step. Resolves with true when it was the last one. */
export function createDeeds({
  mind,
  pace,
  lessons,
  parts,
}: {
  readonly mind: Mind;
  readonly pace: Pace;
  readonly lessons: Lessons;
  readonly parts: BoardParts;
}): (deed: Deed) => Promise<boolean> {
  const { chat, clock, safeguards, random } = parts;
  const { answered, allowed, refused, messageRefused, pauseFor, learn, note } = lessons;

  let ended = false;

  async function perform(step: Deed): Promise<void> {
    switch (step.do) {
      case 'save':
        return save();
      case 'take-settings':
        return takeSettings();
      case 'probe':
        mind.probing = true;
        return;
      case 'tell':
        return tell();
      case 'find':
        return find();
      case 'send':
        return send();
      case 'say-paused':
        mind.goodbyes += 1;
        return edit();
      case 'edit':
        return edit();
      case 'look':
        return look();
      case 'clear':
        return clear(step.messageId);
      case 'pause':
        return pauseFor(step.why, step.missing);
      case 'take-down':
        return takeDown();
      case 'end':
        if (mind.unsaved !== 'no' && mind.mayAct) await save();
        ended = true;
    }
  }

  async function save(): Promise<void> {
    mind.unsaved = 'no';
    mind.savedAt = clock.monotonic();
    try {
      await parts.save(mind.state);
    } catch {
      mind.unsaved = 'now';
      note('the store failed');
      pace.failed(clock.monotonic());
    }
  }

  async function takeDown(): Promise<void> {
    try {
      await parts.takenDown();
      ended = true;
    } catch {
      note('the store failed');
      pace.failed(clock.monotonic());
    }
  }

  async function find(): Promise<void> {
    const { settings } = mind;
    const found = await chat.find(settings.channelId, parts.marker, settings.madeAt);
    if (found.kind !== 'found') {
      refused(found);
      return;
    }
    answered();
    mind.searched = true;
    const [...others] = found.messageIds;
    const own = settings.removed ? undefined : others.shift();
    if (own !== undefined) knowPosted(own);
    const doubles = others.filter((messageId) => !mind.state.litter.includes(messageId));
    if (doubles.length > 0) learn({ litter: [...mind.state.litter, ...doubles] });
  }

  async function send(): Promise<void> {
    const { picture, settings } = mind;
    if (picture === null) return;
    const isRepeated = mind.state.sending !== null && safeguards.nonce;
    if (!isRepeated) {
      mind.state = { ...mind.state, sending: { nonce: newNonce(random) } };
      if (safeguards.storedFirst) {
        await save();
        if (mind.unsaved === 'now' || !parts.mayAct()) return;
      }
    }
    const nonce = mind.state.sending?.nonce ?? '';
    const sent = await chat.send(settings.channelId, picture.message(changedAt(picture)), nonce);
    if (sent.kind !== 'sent') {
      // Only what may have been sent must be searched for.
      mind.searched = sent.kind !== 'lost';
      refused(sent);
      return;
    }
    allowed();
    knowPosted(sent.messageId);
    pace.edited(clock.monotonic());
    // It may be an earlier attempt that is there, with an older picture.
    if (!isRepeated) showed(picture);
    if (!safeguards.storedFirst) mind.unsaved = 'later';
  }

  async function edit(): Promise<void> {
    const { picture, shown } = mind;
    const place = placeOf(mind);
    if (picture === null || place === null) return;
    const edited = chat.edit(place, picture.message(changedAt(picture)));
    showed(picture);
    pace.edited(clock.monotonic());
    const done = await edited;
    if (done.kind === 'ok') {
      allowed();
      return;
    }
    mind.shown = { ...shown, hash: null };
    messageRefused(done);
  }

  async function look(): Promise<void> {
    const place = placeOf(mind);
    if (place === null) return;
    const done = await chat.look(place);
    if (done.kind === 'ok') answered();
    else messageRefused(done);
  }

  async function clear(messageId: string): Promise<void> {
    const { channelId, removed } = mind.settings;
    const done = await chat.remove({ channelId, messageId });
    if (done.kind === 'lost' || done.kind === 'too-fast' || (done.kind === 'forbidden' && !removed)) {
      refused(done);
      return;
    }
    // It is gone, or beyond us.
    learn({ litter: mind.state.litter.filter((id) => id !== messageId) });
  }

  async function tell(): Promise<void> {
    const { access, settings, state } = mind;
    if (state.paused === null) return;
    const missing = access.kind === 'missing' ? access.rights : state.paused.missing;
    const paused = { ...state.paused, missing: [...missing], told: true };
    learn({ paused });
    await save();
    const done = await parts.tell(settings, paused);
    if (done.kind !== 'ok') note(`whoever made it could not be told: ${done.kind}`);
  }

  function takeSettings(): void {
    const { wanted, state } = mind;
    if (wanted.removed !== mind.settings.removed) {
      // Taken down or, before that was done, wanted again: what is in the channel is looked for either way.
      const litter = wanted.removed && state.posted !== null ? [...state.litter, state.posted] : [];
      learn({ posted: null, sending: null, litter, paused: null, deletions: [] });
      mind.searched = false;
    }
    mind.settings = wanted;
  }

  function changedAt({ hash }: Picture): number {
    const { changed } = mind.state;
    return changed?.hash === hash ? changed.at : clock.now();
  }

  function showed(picture: Picture): void {
    const { hash, mode, checked } = picture;
    mind.shown = { hash, mode, checked, at: clock.monotonic() };
    mind.state = { ...mind.state, changed: { hash, at: changedAt(picture) }, lastEdit: clock.now() };
    if (mind.unsaved === 'no') mind.unsaved = 'later';
  }

  function knowPosted(posted: string): void {
    learn({ posted, sending: null });
    mind.shown = { ...mind.shown, hash: null };
  }

  return async (deed) => {
    await perform(deed);
    return ended;
  };
}

function placeOf({ settings, state }: Mind): Place | null {
  return state.posted === null ? null : { channelId: settings.channelId, messageId: state.posted };
}

/** Chat takes 25 characters. */
function newNonce(random: () => number): string {
  return `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e9)}`;
}
