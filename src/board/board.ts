/** One board at work: does what `nextStep` says, one thing at a time, and learns from what came of it. */
import type { BoardSettings, BoardState } from '../store/board-records.ts';
import type { BoardChat, Done, Place, Refusal } from './chat.ts';
import type { BoardClock } from './clock.ts';
import {
  type Mind,
  nextStep,
  type Paused,
  SAVE_LATER,
  type Shown,
  type Step,
  troubleOf,
} from './next-step.ts';
import { createPace } from './pace.ts';
import type { Picture } from './picture.ts';
import type { Safeguards } from './safeguards.ts';

export interface BoardParts {
  /** The custom id by which it knows its message. */
  readonly marker: string;
  readonly settings: BoardSettings;
  readonly state: BoardState;
  readonly chat: BoardChat;
  readonly save: (state: BoardState) => Promise<void>;
  /** Nothing of it is left in chat, as far as we could see to that. */
  readonly takenDown: () => Promise<void>;
  readonly clock: BoardClock;
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

export interface BoardStatus {
  readonly settings: BoardSettings;
  /** `starting`: nothing is shown yet that we know of. */
  readonly mode: Shown['mode'];
  readonly isPosted: boolean;
  readonly paused: Paused | null;
  /** Unix milliseconds. */
  readonly lastEdit: number | null;
  /** The last five, oldest first; `at` in unix milliseconds. */
  readonly errors: readonly { readonly at: number; readonly what: string }[];
}

export interface Board {
  readonly status: BoardStatus;
  /** Something may have changed: the facts, the rights, who keeps the boards. */
  wake(): void;
  /** The live connection has told something about rights or channels. */
  accessChanged(): void;
  change(settings: BoardSettings): void;
  /** It is wanted again although its message was deleted. */
  resume(): void;
  /** Resolves when its message is there, or when it is known why not. */
  settled(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  ended(): Promise<void>;
  /** Says that it is paused, and ends. */
  stop(): Promise<void>;
  /** Ends without a word: another process keeps the boards now. */
  abandon(): void;
}

const MINUTE = 60_000;
const UNWANTED = { times: 3, within: 10 * MINUTE };
/** The live connection may tell of lost rights a little later than a refusal does. */
const TELL_AFTER = 3000;
/** How long to wait before what is refused for no known reason is tried again, in milliseconds. */
const PROBE = { apart: 10_000, first: MINUTE, most: 10 * MINUTE };
/** Before what chat would not take is tried again. */
const REFUSED = 2 * MINUTE;

export function createBoard(parts: BoardParts): Board {
  const { chat, clock, safeguards, random } = parts;
  const pace = createPace(random);
  const begun = clock.monotonic();
  const mind: Mind = {
    mayAct: false,
    settings: parts.settings,
    wanted: parts.settings,
    state: parts.state,
    unsaved: 'no',
    savedAt: begun,
    access: { kind: 'unavailable' },
    searched: false,
    picture: null,
    shown: { hash: null, mode: 'starting', checked: null, at: begun },
    closedUntil: 0,
    nextEdit: 0,
    lookAt: 0,
    tellAt: 0,
    probeAt: 0,
    probing: false,
    stopping: false,
    goodbyes: 0,
  };
  let probePause = PROBE.first;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let errors: BoardStatus['errors'] = [];
  let busy = false;
  let ended = false;
  let cancelTimer = (): void => {};
  const first = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();

  /** All that it does not remember but has to ask. */
  function observe(now: number): void {
    const { settings, state } = mind;
    mind.mayAct = parts.mayAct();
    mind.access = chat.access(settings.guildId, settings.channelId);
    mind.picture = parts.picture(mind.stopping);
    mind.closedUntil = pace.closedUntil;
    mind.nextEdit = pace.nextEdit;
    if (mind.unsaved === 'later' && now - mind.savedAt >= SAVE_LATER) mind.unsaved = 'now';
    // Once the live connection knows of a reason, it will also know when the reason is gone.
    if (state.paused !== null && troubleOf(mind.access) !== null) {
      mind.probing = false;
      mind.probeAt = 0;
    }
  }

  async function perform(step: Exclude<Step, { do: 'rest' }>): Promise<void> {
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
      first.resolve();
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

  function pauseFor(why: Paused['why'], missing: readonly string[]): void {
    first.resolve();
    if (mind.state.paused?.why === why) return;
    mind.tellAt = clock.monotonic() + TELL_AFTER;
    learn({ paused: { why, missing: [...missing], since: clock.now(), told: false } });
  }

  function answered(): void {
    pace.done();
    mind.lookAt = clock.monotonic() + parts.lookEvery();
  }

  /** We may write there: whatever was in the way no longer is. */
  function allowed(): void {
    answered();
    mind.probing = false;
    probePause = PROBE.first;
    if (mind.state.paused !== null) learn({ paused: null });
  }

  function messageRefused(refusal: Refusal): void {
    if (refusal.kind !== 'unknown-message') {
      refused(refusal);
      return;
    }
    const now = clock.now();
    const lately = mind.state.deletions.filter((at) => Math.abs(now - at) < UNWANTED.within);
    learn({ posted: null, sending: null, deletions: [...lately, now] });
    mind.searched = false;
    note('its message was deleted');
    if (lately.length + 1 >= UNWANTED.times) pauseFor('unwanted', []);
  }

  function refused(refusal: Refusal): void {
    const now = clock.monotonic();
    note('why' in refusal ? `${refusal.kind}: ${refusal.why}` : refusal.kind);
    if (refusal.kind === 'lost') {
      pace.failed(now);
    } else if (refusal.kind === 'too-fast') {
      if (refusal.told) pace.invalid(now);
      pace.tooFast(now, refusal.retryAfter);
    } else if (mind.settings.removed) {
      // What we may not see we cannot take down.
      mind.searched = true;
      learn({ litter: [] });
    } else if (refusal.kind === 'refused') {
      pace.close(now, REFUSED);
    } else if (!safeguards.pauseOnLostRights) {
      pace.failed(now);
    } else {
      if (refusal.kind === 'forbidden') pace.invalid(now);
      mind.probing = false;
      refusedAt = now;
      mind.probeAt = now + probePause;
      probePause = Math.min(PROBE.most, probePause * 2);
      pauseFor(refusal.kind === 'forbidden' ? 'rights' : 'channel', []);
    }
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
    first.resolve();
  }

  function learn(part: Partial<BoardState>): void {
    mind.state = { ...mind.state, ...part };
    mind.unsaved = 'now';
  }

  function note(what: string): void {
    errors = [...errors, { at: clock.now(), what }].slice(-5);
  }

  /** Goes on until there is nothing to do but wait. */
  async function run(): Promise<void> {
    if (busy || ended) return;
    busy = true;
    cancelTimer();
    while (!ended) {
      const now = clock.monotonic();
      try {
        observe(now);
        const step = nextStep(mind, now, safeguards);
        if (step.do === 'rest') {
          if (Number.isFinite(step.until))
            cancelTimer = clock.after(Math.max(1, step.until - now), () => void run());
          break;
        }
        const performed = perform(step);
        if (step.do !== 'edit' || safeguards.oneEditInFlight) await performed;
      } catch (error) {
        parts.onBug(error);
        note('a bug');
        if (mind.stopping) ended = true;
        cancelTimer = clock.after(MINUTE, () => void run());
        break;
      }
    }
    busy = false;
    if (!ended) return;
    cancelTimer();
    first.resolve();
    end.resolve();
  }

  return {
    get status() {
      const { settings, state, shown } = mind;
      const { paused, lastEdit } = state;
      const isPosted = state.posted !== null;
      return { settings, mode: isPosted ? shown.mode : 'starting', isPosted, paused, lastEdit, errors };
    },
    wake: () => void run(),
    accessChanged() {
      mind.probeAt = Math.min(mind.probeAt, Math.max(clock.monotonic(), refusedAt + PROBE.apart));
      void run();
    },
    change(settings) {
      mind.wanted = settings;
      void run();
    },
    resume() {
      learn({ paused: null, deletions: [] });
      void run();
    },
    settled: () => first.promise,
    ended: () => end.promise,
    stop() {
      mind.stopping = true;
      void run();
      return end.promise;
    },
    abandon() {
      ended = true;
      cancelTimer();
      first.resolve();
      end.resolve();
    },
  };
}

function placeOf({ settings, state }: Mind): Place | null {
  return state.posted === null ? null : { channelId: settings.channelId, messageId: state.posted };
}

/** Chat takes 25 characters. */
function newNonce(random: () => number): string {
  return `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e9)}`;
}
