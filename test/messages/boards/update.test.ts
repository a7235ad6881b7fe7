/** What becomes of a board's state, a row for each thing that may happen. */

import { describe, expect, test } from 'vitest';
import type { BoardTrouble } from '../../../src/cards/board/board.ts';
import type { RequestFailure, RequestResult } from '../../../src/messages/boards/channels.ts';
import { EDIT_RULE } from '../../../src/messages/boards/edit-rule.ts';
import type { State } from '../../../src/messages/boards/state.ts';
import { type BoardEvent, updateState } from '../../../src/messages/boards/update.ts';
import { frame, NOW, now, settings, state, WALL } from './support/states.ts';

const MINUTE = 60_000;
const began = { monotonic: NOW - 400, wall: WALL - 400, chance: 0 };
const lost: RequestFailure = { kind: 'lost', why: 'ECONNRESET' };
const forbidden: RequestFailure = { kind: 'forbidden' };
const pause = { why: 'rights', missing: ['EmbedLinks'], since: WALL - 9000, notified: false } as const;
const paused = { paused: { ...pause, missing: [...pause.missing] } };
const removed = { ...settings, removed: true };
const served = { ticket: 7, at: NOW - 3, gap: 25, hasRoom: true };
const observed = {
  mayAct: true,
  access: { kind: 'open' },
  topic: { kind: 'open', topic: 'theirs' },
  voice: { kind: 'unavailable' },
  frame: frame('z'),
  checkEvery: 5,
  refreshEvery: 7,
  served,
} as const;

type From = Parameters<typeof state>[0];
/** `change`: what is different afterwards; all else has to be as before. */
type Row = readonly [case_: string, from: From, event: BoardEvent, change: (before: State) => Partial<State>];

function rows(title: string, all: readonly Row[]): void {
  describe(title, () => {
    test.for(all)('%s', ([, from, event, change]) => {
      const before = state(from);
      expect(updateState(before, event, now)).toEqual({ ...before, ...change(before) });
    });
  });
}

const stored = (before: State, part: Partial<State['stored']>) => ({
  stored: { ...before.stored, ...part },
  unsaved: 'now' as const,
});
const error = (what: BoardTrouble, code: string | null = null) => [{ at: WALL, what, code }];
const answered = (before: State) => ({ backoff: { ...before.backoff, pause: 5000 }, checkAt: NOW + 15_000 });
const failed = (before: State) => ({ ...before.backoff, closedUntil: NOW + 5000, pause: 8000 });
/** The window after a first refusal, in ms. */
const refusedWindowMs = Math.min(EDIT_RULE.maxWindowMs, 2 * EDIT_RULE.windowMs);
const unknown = (before: State) => ({ shown: { ...before.shown, hash: null } });

rows('from outside', [
  ['what is observed stands in it', {}, { kind: 'observed', observed }, () => observed],
  [
    'a reason that is known needs no probe',
    { stored: paused, probing: true, probeAt: 9 },
    { kind: 'observed', observed: { ...observed, access: { kind: 'unknown-channel' } } },
    () => ({ ...observed, access: { kind: 'unknown-channel' }, ticket: null, probing: false, probeAt: 0 }),
  ],
  [
    'one that is not known does',
    { stored: paused, probing: true, probeAt: 9 },
    { kind: 'observed', observed },
    () => ({ ...observed, probing: true, probeAt: 9 }),
  ],
  [
    'trouble alone ends no probe',
    { probing: true, probeAt: 9 },
    { kind: 'observed', observed: { ...observed, access: { kind: 'unknown-channel' } } },
    () => ({ ...observed, access: { kind: 'unknown-channel' }, ticket: null }),
  ],
  [
    'a board that another process keeps gives its ticket up',
    {},
    { kind: 'observed', observed: { ...observed, mayAct: false } },
    () => ({ ...observed, mayAct: false, ticket: null }),
  ],
  [
    'and one whose guild Discord cannot serve',
    {},
    { kind: 'observed', observed: { ...observed, access: { kind: 'unavailable' } } },
    () => ({ ...observed, access: { kind: 'unavailable' }, ticket: null }),
  ],
  [
    'what people decide is wanted',
    {},
    { kind: 'settings-changed', settings: removed },
    () => ({ nextSettings: removed }),
  ],
  [
    'news of rights: a probe now',
    { probeAt: NOW + MINUTE },
    { kind: 'access-changed' },
    () => ({ probeAt: NOW }),
  ],
  [
    'not ten seconds after a refusal',
    { probeAt: NOW + MINUTE, refusedAt: NOW - 1000 },
    { kind: 'access-changed' },
    () => ({ probeAt: NOW + 9000 }),
  ],
  ['nor later than it was to be', { probeAt: NOW - 5 }, { kind: 'access-changed' }, () => ({})],
  [
    'wanted again: as if nobody had deleted it',
    { stored: { ...paused, deletions: [WALL] } },
    { kind: 'wanted-again' },
    (before) => stored(before, { paused: null, deletions: [] }),
  ],
  ['it is to stop', {}, { kind: 'stopping' }, () => ({ stopping: true })],
  ['it is abandoned', {}, { kind: 'abandoned' }, () => ({ ended: true })],
  ['it has ended', {}, { kind: 'ended' }, () => ({ ended: true })],
  ['a bug is noted', {}, { kind: 'bug' }, () => ({ errors: error('bug') })],
  [
    'and ends it on the way down',
    { stopping: true },
    { kind: 'bug' },
    () => ({ errors: error('bug'), ended: true }),
  ],
  ['it stays ended', { ended: true }, { kind: 'bug' }, () => ({ errors: error('bug'), ended: true })],
]);

/** A person looks at what comes of it. */
const looked = { aheadUntil: NOW + EDIT_RULE.aheadMs };

rows('decisions', [
  [
    'other settings',
    { nextSettings: { ...settings, locale: 'de' } },
    { kind: 'settings-taken' },
    () => ({ settings: { ...settings, locale: 'de' }, ...looked }),
  ],
  [
    'it is to go: its message, too',
    {
      nextSettings: removed,
      searched: true,
      stored: { ...paused, orphans: ['x'], sending: { nonce: '1' }, deletions: [WALL] },
    },
    { kind: 'settings-taken' },
    (before) => ({
      ...looked,
      settings: removed,
      searched: false,
      ...stored(before, { posted: null, sending: null, orphans: ['x', 'm'], paused: null, deletions: [] }),
    }),
  ],
  [
    'it is to go and has none',
    { nextSettings: removed, stored: { posted: null, orphans: ['x'] } },
    { kind: 'settings-taken' },
    (before) => ({ ...looked, settings: removed, ...stored(before, { orphans: [] }) }),
  ],
  [
    'it is wanted again before it was gone',
    { settings: removed, nextSettings: settings, searched: true, stored: { orphans: ['x'] } },
    { kind: 'settings-taken' },
    (before) => ({
      ...{ ...looked, settings, searched: false },
      ...stored(before, { posted: null, orphans: [] }),
    }),
  ],
  ['a probe', {}, { kind: 'probing' }, () => ({ probing: true })],
  [
    'its owner is to be written to, with what is missing by now',
    { stored: paused, access: { kind: 'missing', rights: ['SendMessages'] } },
    { kind: 'marked-notified' },
    (before) => ({
      noticeDue: true,
      ...stored(before, { paused: { ...pause, missing: ['SendMessages'], notified: true } }),
    }),
  ],
  [
    'or what was missing then',
    { stored: paused },
    { kind: 'marked-notified' },
    (before) => ({
      noticeDue: true,
      ...stored(before, { paused: { ...pause, missing: ['EmbedLinks'], notified: true } }),
    }),
  ],
  ['not when it is not paused any more', {}, { kind: 'marked-notified' }, () => ({})],
  [
    'a nonce, with which nothing was sent yet',
    { attempted: true, stored: { posted: null } },
    { kind: 'nonce-chosen', nonce: '12' },
    (before) => ({ attempted: false, ...stored(before, { sending: { nonce: '12' } }) }),
  ],
  [
    'a pause',
    { noticeDue: true },
    { kind: 'paused', why: 'rights', missing: ['EmbedLinks'] },
    (before) => ({
      noticeDue: false,
      notifyAt: NOW + 3000,
      ...stored(before, { paused: { why: 'rights', missing: ['EmbedLinks'], since: WALL, notified: false } }),
    }),
  ],
  [
    'for the same reason as before',
    { stored: paused },
    { kind: 'paused', why: 'rights', missing: [] },
    () => ({}),
  ],
]);

describe('the store', () => {
  test('a save that has succeeded is not due again', () => {
    const before = state({ unsaved: 'now' });
    const after = updateState(before, { kind: 'saved', stored: before.stored }, now);
    expect(after).toEqual({ ...before, unsaved: 'no', savedAt: NOW });
  });

  test('what was learned meanwhile is not', () => {
    const before = state({ unsaved: 'now' });
    const after = updateState(before, { kind: 'saved', stored: { ...before.stored } }, now);
    expect(after).toEqual({ ...before, unsaved: 'now', savedAt: NOW });
  });

  test('a failure is noted and waited for', () => {
    const before = state({ unsaved: 'now' });
    const after = updateState(before, { kind: 'store-failed' }, now);
    expect(after).toEqual({
      ...before,
      errors: error('store'),
      ticket: null,
      backoff: failed(before),
    });
  });
});

rows('the search', [
  [
    'finds its message: what that shows is not known',
    { stored: { posted: null, sending: { nonce: '1' } } },
    { kind: 'searched', answer: { kind: 'found', messageIds: ['x'] } },
    (before) => ({
      ...answered(before),
      ...unknown(before),
      searched: true,
      ...stored(before, { posted: 'x', sending: null }),
    }),
  ],
  [
    'finds doubles: the oldest stays',
    { stored: { posted: null, orphans: ['z'] } },
    { kind: 'searched', answer: { kind: 'found', messageIds: ['x', 'y', 'z'] } },
    (before) => ({
      ...answered(before),
      ...unknown(before),
      searched: true,
      ...stored(before, { posted: 'x', orphans: ['z', 'y'] }),
    }),
  ],
  [
    'finds nothing',
    { stored: { posted: null } },
    { kind: 'searched', answer: { kind: 'found', messageIds: [] } },
    (before) => ({ ...answered(before), searched: true }),
  ],
  [
    'finds what is to go',
    { settings: removed, stored: { posted: null, orphans: ['x'] } },
    { kind: 'searched', answer: { kind: 'found', messageIds: ['x', 'y'] } },
    (before) => ({ ...answered(before), searched: true, ...stored(before, { orphans: ['x', 'y'] }) }),
  ],
  [
    'finds only what is known to go',
    { settings: removed, stored: { posted: null, orphans: ['x'] } },
    { kind: 'searched', answer: { kind: 'found', messageIds: ['x'] } },
    (before) => ({ ...answered(before), searched: true }),
  ],
  [
    'fails',
    { stored: { posted: null } },
    { kind: 'searched', answer: lost },
    (before) => ({ errors: error('lost', 'ECONNRESET'), backoff: failed(before) }),
  ],
  [
    'finds no channel, by an answer that is one about messages',
    { stored: { posted: null } },
    { kind: 'searched', answer: { kind: 'unknown-message' } },
    (before) => ({
      errors: error('deleted'),
      ...{ refusedAt: NOW, probeAt: NOW + MINUTE, probePause: 2 * MINUTE, notifyAt: NOW + 3000 },
      ...stored(before, { paused: { why: 'channel', missing: [], since: WALL, notified: false } }),
    }),
  ],
]);

const sending = { posted: null, sending: { nonce: '1' } };
const edit = (before: State, at: number) => ({
  ...before.backoff,
  pause: 5000,
  lastEdit: at,
  nextEdit: at + EDIT_RULE.gapMs,
});
const showing = { hash: 'b', mode: 'live', checked: WALL - 3000, times: `${WALL - 3000}` } as const;

rows('a send', [
  [
    'is there and shows what was sent',
    { stored: sending, attempted: false },
    { kind: 'sent', frame: frame('b'), answer: { kind: 'sent', messageId: 'x' } },
    (before) => ({
      ...looked,
      backoff: edit(before, NOW),
      checkAt: NOW + 15_000,
      shown: { ...showing, at: NOW },
      ...stored(before, {
        posted: 'x',
        sending: null,
        lastEdit: WALL,
      }),
    }),
  ],
  [
    'nobody waits for one in place of an old one',
    { stored: sending, attempted: false, settings: { ...settings, madeAt: WALL - EDIT_RULE.aheadMs } },
    { kind: 'sent', frame: frame('b'), answer: { kind: 'sent', messageId: 'x' } },
    (before) => ({
      backoff: edit(before, NOW),
      checkAt: NOW + 15_000,
      shown: { ...showing, at: NOW },
      ...stored(before, { posted: 'x', sending: null, lastEdit: WALL }),
    }),
  ],
  [
    'sent a second time may be the first one, which shows something older',
    { stored: sending, attempted: true },
    { kind: 'sent', frame: frame('b'), answer: { kind: 'sent', messageId: 'x' } },
    (before) => ({
      ...looked,
      backoff: edit(before, NOW),
      checkAt: NOW + 15_000,
      ...unknown(before),
      ...stored(before, { posted: 'x', sending: null }),
    }),
  ],
  [
    'whose answer is lost is looked for',
    { stored: sending, searched: true },
    { kind: 'sent', frame: frame('b'), answer: lost },
    (before) => ({
      attempted: true,
      searched: false,
      errors: error('lost', 'ECONNRESET'),
      backoff: failed(before),
    }),
  ],
  [
    'that was refused is not',
    { stored: sending, searched: true },
    { kind: 'sent', frame: frame('b'), answer: { kind: 'refused', why: '400, code 50035' } },
    (before) => ({
      attempted: true,
      searched: true,
      errors: error('refused', '400, code 50035'),
      backoff: { ...before.backoff, closedUntil: NOW + 2 * MINUTE },
    }),
  ],
]);

rows('what is decided', [
  [
    'handing over is a stop without last words',
    {},
    { kind: 'handing-over' },
    () => ({ stopping: true, pauseNotices: Number.POSITIVE_INFINITY }),
  ],
]);

rows('a ticket', [
  ['is the one that was taken', { ticket: null }, { kind: 'ticket-taken', ticket: 9 }, () => ({ ticket: 9 })],
]);

rows('an edit', [
  [
    'is done: when is stored later',
    {},
    { kind: 'edited', frame: frame('b'), began, answer: { kind: 'ok' } },
    (before) => ({
      ticket: null,
      backoff: edit(before, NOW - 400),
      checkAt: NOW + 15_000,
      shown: { ...showing, at: NOW - 400 },
      stored: { ...before.stored, lastEdit: WALL - 400 },
      unsaved: 'later',
    }),
  ],
  [
    'that had to be stored anyway stays so',
    { unsaved: 'now' },
    { kind: 'edited', frame: frame('b'), began, answer: { kind: 'ok' } },
    (before) => ({
      ticket: null,
      backoff: edit(before, NOW - 400),
      checkAt: NOW + 15_000,
      shown: { ...showing, at: NOW - 400 },
      stored: { ...before.stored, lastEdit: WALL - 400 },
    }),
  ],
  [
    'ends a pause and a probe',
    { stored: paused, probing: true, probePause: 4 * MINUTE },
    { kind: 'edited', frame: frame('b'), began, answer: { kind: 'ok' } },
    (before) => ({
      ticket: null,
      backoff: edit(before, NOW - 400),
      checkAt: NOW + 15_000,
      shown: { ...showing, at: NOW - 400 },
      probing: false,
      probePause: MINUTE,
      ...stored(before, { paused: null, lastEdit: WALL - 400 }),
    }),
  ],
  [
    'whose answer is lost leaves in doubt what is shown',
    { stored: { lastEdit: 77 } },
    { kind: 'edited', frame: frame('b'), began, answer: lost },
    (before) => ({
      ticket: null,
      ...unknown(before),
      errors: error('lost', 'ECONNRESET'),
      backoff: { ...failed(before), lastEdit: NOW - 400, nextEdit: NOW - 400 + EDIT_RULE.gapMs },
      unsaved: 'later',
    }),
  ],
  [
    'of the last words is counted',
    { pauseNotices: 1 },
    { kind: 'pause-noticed', frame: frame('b', { mode: 'paused' }), began, answer: { kind: 'ok' } },
    (before) => ({
      ticket: null,
      pauseNotices: 2,
      backoff: edit(before, NOW - 400),
      checkAt: NOW + 15_000,
      shown: { ...showing, mode: 'paused', at: NOW - 400 },
      stored: { ...before.stored, lastEdit: WALL - 400 },
      unsaved: 'later',
    }),
  ],
]);

const deletedNow = { posted: null, sending: null, deletions: [WALL] };

rows('its message', [
  [
    'is there',
    { backoff: { pause: 8000 } },
    { kind: 'message-checked', answer: { kind: 'ok' } },
    (before) => ({ ...answered(before), ticket: null }),
  ],
  [
    'was deleted: it is looked for and sent anew',
    { searched: true, stored: { sending: { nonce: '1' } } },
    { kind: 'message-checked', answer: { kind: 'unknown-message' } },
    (before) => ({
      ticket: null,
      searched: false,
      errors: error('deleted'),
      ...stored(before, deletedNow),
    }),
  ],
  [
    'was deleted twice within ten minutes, and before',
    { stored: { deletions: [WALL - 10 * MINUTE, WALL - 9 * MINUTE] } },
    { kind: 'message-checked', answer: { kind: 'unknown-message' } },
    (before) => ({
      ticket: null,
      errors: error('deleted'),
      ...stored(before, { ...deletedNow, deletions: [WALL - 9 * MINUTE, WALL] }),
    }),
  ],
  [
    'was deleted three times: nobody wants it',
    { stored: { deletions: [WALL - 9 * MINUTE, WALL + MINUTE] } },
    { kind: 'message-checked', answer: { kind: 'unknown-message' } },
    (before) => ({
      ticket: null,
      errors: error('deleted'),
      notifyAt: NOW + 3000,
      ...stored(before, {
        ...deletedNow,
        deletions: [WALL - 9 * MINUTE, WALL + MINUTE, WALL],
        paused: { why: 'unwanted', missing: [], since: WALL, notified: false },
      }),
    }),
  ],
]);

rows('a refusal', [
  [
    'of Discord for too many requests counts as invalid',
    {},
    { kind: 'message-checked', answer: { kind: 'too-fast', retryAfter: 60_000, counted: true } },
    (before) => ({
      ticket: null,
      errors: error('too-fast'),
      backoff: { ...before.backoff, window: refusedWindowMs, closedUntil: NOW + 60_000, invalid: [NOW] },
    }),
  ],
  [
    'of the client does not',
    {},
    { kind: 'message-checked', answer: { kind: 'too-fast', retryAfter: 60_000, counted: false } },
    (before) => ({
      ticket: null,
      errors: error('too-fast'),
      backoff: { ...before.backoff, window: refusedWindowMs, closedUntil: NOW + 60_000 },
    }),
  ],
  [
    'for missing rights pauses and counts as invalid',
    { probing: true },
    { kind: 'message-checked', answer: forbidden },
    (before) => ({
      ticket: null,
      errors: error('forbidden'),
      backoff: { ...before.backoff, invalid: [NOW] },
      probing: false,
      refusedAt: NOW,
      probeAt: NOW + MINUTE,
      probePause: 2 * MINUTE,
      notifyAt: NOW + 3000,
      ...stored(before, { paused: { why: 'rights', missing: [], since: WALL, notified: false } }),
    }),
  ],
  [
    'for a channel that is gone does not count; probes come ten minutes apart at most',
    { stored: { paused: { why: 'channel', missing: [], since: 5, notified: true } }, probePause: 9 * MINUTE },
    { kind: 'message-checked', answer: { kind: 'unknown-channel' } },
    () => ({
      ticket: null,
      errors: error('unknown-channel'),
      refusedAt: NOW,
      probeAt: NOW + 9 * MINUTE,
      probePause: 10 * MINUTE,
    }),
  ],
  [
    'of a board that is to go: what we may not see we cannot take down',
    { settings: removed, stored: { orphans: ['x'] } },
    { kind: 'searched', answer: forbidden },
    (before) => ({ searched: true, errors: error('forbidden'), ...stored(before, { orphans: [] }) }),
  ],
  [
    'of the message to its owner is noted',
    { noticeDue: true },
    { kind: 'notified', answer: forbidden },
    () => ({ noticeDue: false, errors: error('not-notified', 'forbidden') }),
  ],
  [
    'or is none',
    { noticeDue: true },
    { kind: 'notified', answer: { kind: 'ok' } },
    () => ({ noticeDue: false }),
  ],
]);

rows('an orphan', [
  [
    'is removed',
    { stored: { orphans: ['x', 'y'] } },
    { kind: 'orphan-removed', messageId: 'x', answer: { kind: 'ok' } },
    (before) => stored(before, { orphans: ['y'] }),
  ],
  [
    'was gone',
    { stored: { orphans: ['x'] } },
    { kind: 'orphan-removed', messageId: 'x', answer: { kind: 'unknown-message' } },
    (before) => stored(before, { orphans: [] }),
  ],
  [
    'is tried again after a lost answer',
    { stored: { orphans: ['x'] } },
    { kind: 'orphan-removed', messageId: 'x', answer: lost },
    (before) => ({ errors: error('lost', 'ECONNRESET'), backoff: failed(before) }),
  ],
  [
    'and after too many requests',
    { stored: { orphans: ['x'] } },
    {
      kind: 'orphan-removed',
      messageId: 'x',
      answer: { kind: 'too-fast', retryAfter: 60_000, counted: false },
    },
    (before) => ({
      errors: error('too-fast'),
      backoff: { ...before.backoff, window: refusedWindowMs, closedUntil: NOW + 60_000 },
    }),
  ],
  [
    'that may not be removed pauses the board',
    { stored: { orphans: ['x'] } },
    { kind: 'orphan-removed', messageId: 'x', answer: forbidden },
    (before) => ({
      ...updateState(before, { kind: 'message-checked', answer: forbidden }, now),
      ticket: before.ticket,
    }),
  ],
  [
    'unless that is to go',
    { settings: removed, stored: { orphans: ['x'] } },
    { kind: 'orphan-removed', messageId: 'x', answer: forbidden },
    (before) => stored(before, { orphans: [] }),
  ],
]);

describe('the lines of earlier versions in a topic', () => {
  const before = state({ stored: { topic: ['a', 'b'] } });
  const cleared = (answer: RequestResult) => updateState(before, { kind: 'topic-cleared', answer }, now);

  test.for<RequestResult>([{ kind: 'ok' }, forbidden, { kind: 'two-factor' }, { kind: 'unknown-channel' }])(
    'are forgotten once Discord has answered: $kind',
    (answer) => {
      expect(cleared(answer).stored.topic).toEqual([]);
      expect(cleared(answer).unsaved).toBe('now');
      expect(cleared(answer).errors).toEqual([]);
    },
  );

  test('are tried again after a minute, or as late as Discord says', () => {
    const lost = cleared({ kind: 'lost', why: 'x' });
    expect([lost.stored.topic, lost.topicAt]).toEqual([['a', 'b'], NOW + MINUTE]);
    const late = cleared({ kind: 'too-fast', retryAfter: 5 * MINUTE, counted: true });
    expect([late.stored.topic, late.topicAt]).toEqual([['a', 'b'], NOW + 5 * MINUTE]);
  });

  test('refused, count towards a ban as Discord counts', () => {
    expect(cleared(forbidden).backoff.invalid).toEqual([NOW]);
    expect(cleared({ kind: 'two-factor' }).backoff.invalid).toEqual([NOW]);
    expect(cleared({ kind: 'unknown-channel' }).backoff.invalid).toEqual([]);
  });
});

test('only the last five errors remain', () => {
  let after = state();
  for (let count = 0; count < 7; count += 1)
    after = updateState(after, { kind: 'bug' }, { ...now, wall: count });
  expect(after.errors.map(({ at }) => at)).toEqual([2, 3, 4, 5, 6]);
});
