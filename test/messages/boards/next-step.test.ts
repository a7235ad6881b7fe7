/** What a board does next, a row for each thing that it may find. */
import { describe, expect, test } from 'vitest';
import { type BoardStep, findTrouble, nextStep } from '../../../src/messages/boards/next-step.ts';
import { frame, NOW, settings, state, WALL } from './support/states.ts';

const MINUTE = 60_000;
const LATER = 15 * MINUTE;
const forever: BoardStep = { do: 'rest', until: Number.POSITIVE_INFINITY };
const rest = (until: number): BoardStep => ({ do: 'rest', until });

const noRights = { kind: 'missing', rights: ['EmbedLinks'] } as const;
const gone = { kind: 'unknown-channel' } as const;
const unavailable = { kind: 'unavailable' } as const;
const removed = { ...settings, removed: true };
const paused = { why: 'rights', missing: [], since: WALL, notified: true } as const;
const pausedFor = (changes: object) => ({ paused: { ...paused, missing: [], ...changes } });
const news = { frame: frame('b') };

type Row = readonly [case_: string, from: Parameters<typeof state>[0], step: BoardStep];

function rows(title: string, all: readonly Row[]): void {
  describe(title, () => {
    test.for(all)('%s', ([, from, step]) => {
      expect(nextStep(state(from), NOW)).toEqual(step);
    });
  });
}

rows('whether it may act at all', [
  ['another process keeps the boards: it waits', { mayAct: false, ...news, unsaved: 'now' }, forever],
  ['and ends when it is to stop', { mayAct: false, stopping: true }, { do: 'end' }],
  ['nothing is new: it waits for the next check', {}, rest(NOW + 9000)],
]);

rows('storing', [
  ['what must be stored comes before all else', { unsaved: 'now', ...news }, { do: 'save' }],
  ['also on the way down', { unsaved: 'now', stopping: true }, { do: 'save' }],
  ['but not while it is closed', { unsaved: 'now', backoff: { closedUntil: NOW + 5 } }, rest(NOW + 5)],
  ['closed until now is open', { unsaved: 'now', backoff: { closedUntil: NOW } }, { do: 'save' }],
  ['what can wait is waited for', { unsaved: 'later', savedAt: NOW - LATER + 7 }, rest(NOW + 7)],
  ['for a quarter of an hour', { unsaved: 'later', savedAt: NOW - LATER }, { do: 'save' }],
  ['and a check that comes first comes first', { unsaved: 'later', savedAt: NOW }, rest(NOW + 9000)],
]);

rows('stopping', [
  ['it says that it is paused', { stopping: true }, { do: 'pause-notice' }],
  ['even while it is closed', { stopping: true, backoff: { closedUntil: NOW + 5 } }, { do: 'pause-notice' }],
  ['a second time when the first failed', { stopping: true, pauseNotices: 1 }, { do: 'pause-notice' }],
  ['and no more', { stopping: true, pauseNotices: 2 }, { do: 'end' }],
  [
    'not when it shows that already',
    { stopping: true, shown: { ...state().shown, mode: 'paused' } },
    { do: 'end' },
  ],
  ['not without a message', { stopping: true, stored: { posted: null } }, { do: 'end' }],
  ['not where it may not write', { stopping: true, access: noRights }, { do: 'end' }],
  ['not before there is anything to show', { stopping: true, frame: null }, { do: 'end' }],
  ['not while it is paused for another reason', { stopping: true, stored: pausedFor({}) }, { do: 'end' }],
]);

rows('waiting', [
  ['after a failure', { ...news, backoff: { closedUntil: NOW + 5 } }, rest(NOW + 5)],
  [
    'after eight invalid requests, until the first is ten minutes old',
    { ...news, backoff: { invalid: Array.from({ length: 8 }, (_, index) => NOW - 8000 + index * 1000) } },
    rest(NOW - 8000 + 10 * MINUTE),
  ],
  ['for a guild that Discord cannot serve', { ...news, access: unavailable }, forever],
]);

rows('no longer waiting', [
  ['closed until now is open', { ...news, backoff: { closedUntil: NOW } }, { do: 'edit' }],
  [
    'what is stored needs no storing, however long ago that was',
    { savedAt: NOW - 2 * MINUTE },
    rest(NOW + 9000),
  ],
]);

const behind = (ticket: number) => ({ ticket, served: { ticket: 3, at: NOW - 5, gap: 25, hasRoom: true } });

rows('the turn of a board among many', [
  ['is asked for when there is something to show', { ...news, ticket: null }, { do: 'take-ticket' }],
  ['and only then', { ticket: null }, rest(NOW + 9000)],
  [
    'not before the board itself may edit',
    { ...news, ticket: null, backoff: { nextEdit: NOW + 5 } },
    rest(NOW + 5),
  ],
  ['is waited for', { ...news, ...behind(1603) }, rest(NOW - 5 + 40_000)],
  [
    'while what can wait is stored',
    { ...news, ...behind(1603), unsaved: 'later', savedAt: NOW - LATER + 7 },
    rest(NOW + 7),
  ],
  ['comes', { ...news, ...behind(3) }, { do: 'edit' }],
  ['comes 25 ms after the one before', { ...news, ...behind(4) }, rest(NOW + 20)],
  ['may have come before', { ...news, ...behind(2) }, { do: 'edit' }],
  [
    'is not waited for while a person looks',
    { ...news, ...behind(1603), aheadUntil: NOW + 1 },
    { do: 'edit' },
  ],
  [
    'except for as long as Discord takes nothing more',
    {
      ...{ ...news, aheadUntil: NOW + 1, ticket: 1603 },
      served: { ticket: 3, at: NOW - 5, gap: 25, hasRoom: false },
    },
    rest(NOW + 25),
  ],
  [
    'comes a little later where Discord takes nothing more',
    { ...news, served: { ticket: 3, at: NOW, gap: 25, hasRoom: false } },
    rest(NOW + 25),
  ],
  ['and is waited for again', { ...news, ...behind(1603), aheadUntil: NOW }, rest(NOW - 5 + 40_000)],
  ['is asked for to check the message', { ticket: null, checkAt: NOW }, { do: 'take-ticket' }],
  ['and waited for', { ...behind(4), checkAt: NOW }, rest(NOW + 20)],
  ['is needed to say that it is paused', { stopping: true, ticket: null }, { do: 'take-ticket' }],
  ['and waited for', { stopping: true, ...behind(4) }, rest(NOW + 20)],
]);

rows('what people decided', [
  ['is taken first', { nextSettings: { ...settings, locale: 'de' }, ...news }, { do: 'take-settings' }],
  [
    'even in a guild that cannot be served',
    { nextSettings: removed, access: unavailable },
    { do: 'take-settings' },
  ],
]);

rows('a board that is to go', [
  ['is looked for', { settings: removed, nextSettings: removed }, { do: 'find' }],
  [
    'goes message by message',
    { settings: removed, nextSettings: removed, searched: true, stored: { orphans: ['x', 'y'] } },
    { do: 'remove-orphan', messageId: 'x' },
  ],
  ['then from the store', { settings: removed, nextSettings: removed, searched: true }, { do: 'take-down' }],
  [
    'at once where nothing can be done',
    {
      ...{ settings: removed, nextSettings: removed, stored: { orphans: ['x'] } },
      access: { kind: 'missing', rights: ['ViewChannel', 'SendMessages'] },
    },
    { do: 'take-down' },
  ],
  [
    'message by message where it may only look',
    { settings: removed, nextSettings: removed, access: noRights, stored: { orphans: ['x'] } },
    { do: 'remove-orphan', messageId: 'x' },
  ],
]);

rows('trouble', [
  ['rights are missing', { access: noRights }, { do: 'pause', why: 'rights', missing: ['EmbedLinks'] }],
  ['the channel is gone', { access: gone }, { do: 'pause', why: 'channel', missing: [] }],
  [
    'comes before a message that is to be sent',
    { access: gone, stored: { posted: null } },
    { do: 'pause', why: 'channel', missing: [] },
  ],
  [
    'also in a probe',
    { access: noRights, probing: true, stored: pausedFor({}) },
    { do: 'pause', why: 'rights', missing: ['EmbedLinks'] },
  ],
]);

rows('while it is paused', [
  [
    'the person who made it is written to a little later',
    { stored: pausedFor({ notified: false }), notifyAt: NOW + 5, access: noRights },
    rest(NOW + 5),
  ],
  [
    'which is stored first',
    { stored: pausedFor({ notified: false }), notifyAt: NOW, access: noRights },
    { do: 'mark-notified' },
  ],
  ['and then done', { stored: pausedFor({}), noticeDue: true, access: noRights }, { do: 'notify' }],
  ['once', { stored: pausedFor({}), access: noRights, ...news }, forever],
  [
    'a reason that nobody knows is tried again later',
    { stored: pausedFor({}), probeAt: NOW + 5 },
    rest(NOW + 5),
  ],
  ['and then now', { stored: pausedFor({}), probeAt: NOW }, { do: 'probe' }],
  [
    'before anybody is written to',
    { stored: pausedFor({ notified: false }), probeAt: NOW, notifyAt: NOW },
    { do: 'probe' },
  ],
  ['a known reason is not tried', { stored: pausedFor({}), access: noRights, probeAt: NOW }, forever],
  ['nor one that nobody wants', { stored: pausedFor({ why: 'unwanted' }), probeAt: NOW }, forever],
  ['a probe edits, whatever is shown', { stored: pausedFor({}), probing: true }, { do: 'edit' }],
  [
    'or sends',
    { stored: { ...pausedFor({}), posted: null, sending: { nonce: '1' } }, probing: true, searched: true },
    { do: 'send' },
  ],
]);

rows('a message that is not there', [
  ['is looked for', { stored: { posted: null } }, { do: 'find' }],
  ['gets a nonce', { stored: { posted: null }, searched: true }, { do: 'choose-nonce' }],
  ['is sent', { stored: { posted: null, sending: { nonce: '1' } }, searched: true }, { do: 'send' }],
  [
    'not before there is something to show',
    { stored: { posted: null }, searched: true, frame: null },
    forever,
  ],
  [
    'not before its doubles are gone',
    { stored: { posted: null, orphans: ['x'] }, searched: true },
    { do: 'remove-orphan', messageId: 'x' },
  ],
]);

rows('a message that is there', [
  ['is edited when what it shows has changed', news, { do: 'edit' }],
  ['or is not known', { shown: { ...state().shown, hash: null } }, { do: 'edit' }],
  ['not before there is something to show', { frame: null }, rest(NOW + 9000)],
  ['after the pause between edits', { ...news, backoff: { nextEdit: NOW + 5 } }, rest(NOW + 5)],
  ['which ends at its end', { ...news, backoff: { nextEdit: NOW } }, { do: 'edit' }],
  [
    'its times alone are refreshed',
    { frame: frame('a', { times: 'others' }), shown: { ...state().shown, at: NOW - MINUTE } },
    { do: 'edit' },
  ],
  [
    'once a minute',
    { frame: frame('a', { times: 'others' }), shown: { ...state().shown, at: NOW - MINUTE + 1 } },
    rest(NOW + 1),
  ],
  ['if they are others', { shown: { ...state().shown, at: NOW - 20 * MINUTE } }, rest(NOW + 9000)],
  ['is checked now and then', { checkAt: NOW }, { do: 'check-message' }],
  [
    'after its doubles are gone',
    { ...news, stored: { orphans: ['x'] } },
    { do: 'remove-orphan', messageId: 'x' },
  ],
]);

rows('a removed board whose channel is gone', [
  [
    'leaves its messages, which are gone with it',
    { settings: removed, nextSettings: removed, access: gone, stored: { posted: null, orphans: ['x'] } },
    { do: 'take-down' },
  ],
]);

const old = { topic: ['🏁 21 driving'] };
const toGo = { settings: removed, nextSettings: removed, searched: true, stored: { posted: null, ...old } };

rows('a line of an earlier version in the topic', [
  ['is taken out', { stored: old }, { do: 'clear-topic' }],
  ['in its turn', { stored: old, ticket: null }, { do: 'take-ticket' }],
  ['is not waited for', { stored: old, topicAt: NOW + 5 }, rest(NOW + 5)],
  [
    'stays while the board is paused for its rights',
    { stored: { ...pausedFor({}), ...old }, access: noRights },
    forever,
  ],
  ['is taken out before the record of a removed board goes', toGo, { do: 'clear-topic' }],
  ['which waits for that', { ...toGo, topicAt: NOW + 5 }, rest(NOW + 5)],
]);

test('trouble is what the live connection knows', () => {
  expect(findTrouble({ kind: 'open' })).toBeNull();
  expect(findTrouble(unavailable)).toBeNull();
  expect(findTrouble(noRights)).toEqual({ why: 'rights', missing: ['EmbedLinks'] });
  expect(findTrouble(gone)).toEqual({ why: 'channel', missing: [] });
});
