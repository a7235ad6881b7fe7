/** What the foot of a board claims, over facts of every age. */

import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import type { BoardView } from '../../../src/cards/board/board-look.ts';
import { createRenderer } from '../../../src/messages/boards/render.ts';
import type { Facts } from '../../../src/service/models/facts.ts';
import { chatServer, liveFile, liveJson, NOON, servers } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

/** Ages in milliseconds; null for what is not known. */
interface Ages {
  readonly overview?: number | null;
  readonly chat?: number | null;
  readonly one?: number | null;
  readonly two?: number | null;
  readonly clockless?: number;
  /** Whether the files cannot be read any more. */
  readonly unread?: 'unavailable';
}

function known<T>(record: T, age: number | null | undefined, unread?: 'unavailable') {
  return age === null || age === undefined ? null : { record, asOf: NOON - age, unread };
}

function facts({ overview, chat, one, two, clockless, unread }: Ages): Facts {
  const three =
    clockless === undefined ? null : { record: liveFile(), asOf: NOON - clockless, clockless: true };
  const live = {
    one: known(liveFile(), one, unread),
    two: known(liveFile(), two),
    three,
    four: null,
  };
  return { overview: known(servers(), overview), chat: known(chatServer(), chat), live };
}

interface More {
  readonly now?: number;
  readonly paused?: boolean;
  readonly round?: number | null;
  readonly locale?: string;
  readonly view?: Partial<BoardView>;
}

const usual = { view: newBoardOptions, now: NOON, paused: false, round: null };

function frame(ages: Ages, { now = NOON, paused = false, round = null, locale = 'en-GB', view }: More = {}) {
  const wanted = { facts: facts(ages), view: { ...newBoardOptions, ...view }, now, paused, round };
  return createRenderer()('1', wanted, translatorFor(locale));
}

/** "checked" as an age in milliseconds. */
function foot(ages: Ages) {
  const { mode, checked } = frame(ages);
  return { mode, checked: checked === null ? null : NOON - checked };
}

function textOf(ages: Ages, more: More = {}): string {
  const [{ description = '', fields = [] }] = frame(ages, more).message().embeds;
  return [description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
}

describe('the foot of a board', () => {
  test.for<[string, Ages, string, number | null]>([
    [
      'all new: the oldest part',
      { overview: 50 * SECOND, chat: 20 * SECOND, one: 2000 },
      'live',
      50 * SECOND,
    ],
    ['an old member list', { overview: 9000, chat: 11 * MINUTE, one: 4000 }, 'partly-stale', 11 * MINUTE],
    ['an old overview', { overview: 7 * MINUTE, chat: 9000, one: 4000 }, 'partly-stale', 7 * MINUTE],
    ['a poll of a short budget', { overview: 5 * MINUTE, chat: 5 * MINUTE, one: 4000 }, 'live', 5 * MINUTE],
    [
      'a member list that is gone is not shown',
      { overview: 9000, chat: 16 * MINUTE, one: 4000 },
      'live',
      9000,
    ],
    [
      'one file of two stands still and is not shown',
      { overview: 9000, one: 4000, two: 3 * MINUTE },
      'partly-stale',
      9000,
    ],
    ['all files stand still', { overview: 9000, chat: 9000, one: 46_000, two: 50_000 }, 'stale', 46_000],
    ['for a quarter of an hour', { overview: 9000, chat: 9000, one: 16 * MINUTE }, 'no-data', 16 * MINUTE],
    [
      'no file can be read, and nothing since',
      { overview: MINUTE, one: 100_000, unread: 'unavailable' },
      'stale',
      100_000,
    ],
    [
      'no file can be read, but the rest',
      { overview: 9000, one: 16 * MINUTE, unread: 'unavailable' },
      'live',
      9000,
    ],
    [
      'one cannot be read, and another stands still',
      { overview: 9000, one: 16 * MINUTE, two: 16 * MINUTE, unread: 'unavailable' },
      'no-data',
      16 * MINUTE,
    ],
    ['no files: the rest speaks', { overview: 50_000, chat: 70_000 }, 'live', 70_000],
    ['no files, all old', { overview: 7 * MINUTE, chat: 8 * MINUTE }, 'stale', 8 * MINUTE],
    ['no files, all gone', { overview: 16 * MINUTE, chat: 17 * MINUTE }, 'no-data', 16 * MINUTE],
    ['a quiet server without a clock', { overview: 9000, one: 4000, clockless: 7 * MINUTE }, 'live', 9000],
    ['a file without a clock is no witness', { overview: 9000, clockless: 16 * MINUTE }, 'live', 9000],
    ['nothing known', {}, 'no-data', null],
  ])('%s', ([, ages, mode, checked]) => {
    expect(foot(ages)).toEqual({ mode, checked });
  });

  test.for<[string, Ages, string, Partial<BoardView>?]>([
    [
      'each part has a time of its own',
      { overview: 50_000, chat: 70_000, one: 2000, two: 3000 },
      'drivers 3, the rest 70',
      { servers: ['one', 'two'] },
    ],
    [
      'drivers are as old as the oldest live file',
      { overview: 50_000, one: 2000, two: 3000 },
      'drivers 3, the rest 50',
    ],
    ['no file is read', { overview: 9000 }, '9'],
    ['all files stand still', { overview: 9000, chat: 9000, one: 46_000, two: 50_000 }, '46'],
    ['all are gone', { overview: 9000, one: 16 * MINUTE }, '960'],
  ])('says when each part was read: %s', ([, ages, said, view = {}]) => {
    const ago = (_: string, at: string) => String(NOON / 1000 - Number(at));
    expect(textOf(ages, { view }).replaceAll(/<t:(\d+):R>/g, ago)).toMatch(new RegExp(`-# .*${said}$`));
  });

  test('says how often it is updated where many boards share the pace', () => {
    expect(textOf({ one: 2000 }, { round: 50_000 })).toMatch(/ · updates every 50 s$/);
  });
});

describe('the drivers of a server', () => {
  // By the overview, 40 drive on One, 9 on Two and 1 on Training; by its live file nobody does on One.
  const leadOf = (ages: Ages) => frame(ages).message().embeds[0]?.description;

  test.for<[string, Ages, string | undefined]>([
    ['of its live file', { overview: MINUTE, one: 2000 }, '**10 driving** · 86 free'],
    [
      'of its live file, also right after the overview',
      { overview: 2000, one: 3000 },
      '**10 driving** · 86 free',
    ],
    [
      'of the overview, where the file stands still',
      { overview: 2000, one: 50_000 },
      '⚠️ **Incomplete.** The data service has stopped updating.\n**41 driving** · 55 free',
    ],
    ['of files alone, where the overview is old', { overview: 7 * MINUTE, one: 2000 }, undefined],
  ])('are those %s', ([, ages, lead]) => {
    expect(leadOf({ ...ages, two: ages.one === 50_000 ? 2000 : null })).toBe(lead);
  });

  test('stay the same when the other source becomes the newer one', () => {
    const render = createRenderer();
    const read = facts({ overview: 2000, one: 3000 });
    const shown = (age: number) => {
      const overview = read.overview && { ...read.overview, asOf: NOON - age };
      const wanted = {
        facts: { ...read, overview },
        view: newBoardOptions,
        now: NOON,
        paused: false,
        round: null,
      };
      return render('1', wanted, translatorFor('en-GB'));
    };
    const [before, after] = [shown(2000), shown(4000)];
    expect(after.hash).toBe(before.hash);
  });
});

describe('the facts of all boards', () => {
  const render = createRenderer();
  const of = facts({ overview: 9000, chat: 9000, one: 44_900 });
  const at = (boardId: string, now: number, round: number | null = null) =>
    render(boardId, { ...usual, facts: of, now, round }, translatorFor('en-GB'));

  test('are drawn once for those that look alike, and again for another round', () => {
    const { embeds } = at('1', NOON).message();
    expect(at('2', NOON + 50).message().embeds).toBe(embeds);
    expect(JSON.stringify(at('2', NOON, 50_000).message())).toContain('updates every 50 s');
  });

  test('are judged again a moment later, and after a step back of the clock', () => {
    expect(at('1', NOON + 99).mode).toBe('live');
    expect(at('1', NOON + 500).mode).not.toBe('live');
    expect(at('1', NOON).mode).toBe('live');
  });

  test('are judged again when one has changed', () => {
    const before = at('1', NOON);
    const gone = { ...of, live: { ...of.live, one: null } };
    expect(render('1', { ...usual, facts: gone }, translatorFor('en-GB')).hash).not.toBe(before.hash);
  });
});

describe('the list of members', () => {
  const current = facts({ overview: 9000, one: 2000 });
  const textWith = (more: Partial<Facts>) => {
    const wanted = { ...usual, facts: { ...current, ...more } };
    const { embeds } = createRenderer()('1', wanted, translatorFor('en-GB')).message();
    const [{ description = '', fields = [] }] = embeds;
    return [description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
  };

  test('is left out without a word where the community has switched its widget off', () => {
    const off = chatServer({ members: undefined, code: 50_004 });
    const text = textWith({ chat: { record: off, asOf: NOON } });
    expect(text).not.toMatch(/Incomplete|On Discord|[Ww]idget/);
    expect(text).toContain('🟢');
  });

  test.each(['rejected', 'unauthorised'] as const)('that is %s for good is no outage of the rest', (chat) => {
    expect(textWith({ faults: { chat } })).not.toContain('Incomplete');
    expect(textWith({ faults: { chat, overview: chat } })).toContain('Incomplete');
    expect(textWith({ faults: { chat: 'unavailable' } })).toContain('Incomplete');
  });
});

describe('two frames', () => {
  const young = { overview: 9000, chat: 9000, one: 2000 };

  test('of the same facts at another time are the same, but for their times', () => {
    expect(frame(young, { now: NOON + 30_000 }).hash).toBe(frame(young).hash);
    expect(frame(young, { round: 50_000 }).hash).toBe(frame(young).hash);
  });

  test('have the same times where they show the same', () => {
    const members = frame({ ...young, chat: 3000 });
    expect(members.times).toBe(frame(young).times);
    expect(members.message()).toEqual(frame(young).message());
    const newer = frame({ ...young, overview: 3000, chat: 3000 });
    expect(newer.times).not.toBe(frame(young).times);
    expect(newer.message()).not.toEqual(frame(young).message());
  });

  test.for<[string, Ages, Parameters<typeof frame>[1]]>([
    ['a part has become old', { ...young, chat: 7 * MINUTE }, {}],
    ['a part is gone', { ...young, chat: 16 * MINUTE }, {}],
    ['the bot stops', young, { paused: true }],
    ['the language is another', young, { locale: 'de' }],
  ])('differ when %s', ([, ages, more]) => {
    expect(frame(ages, more).hash).not.toBe(frame(young).hash);
  });

  test('of one renderer differ once it is known since when a server is offline', () => {
    const render = createRenderer();
    const known = facts({ overview: 0, one: 0 });
    const of = (offlineSince?: Facts['offlineSince']) =>
      render(
        '1',
        { facts: { ...known, offlineSince }, view: newBoardOptions, now: NOON, paused: false, round: null },
        translatorFor('en-GB'),
      );
    const before = of();
    const after = of(new Map([['events', NOON - MINUTE]]));
    expect(JSON.stringify(after.message())).toContain(`(since <t:${(NOON - MINUTE) / 1000}:t>)`);
    expect(after.hash).not.toBe(before.hash);
  });

  test('of one renderer differ when the language changes in between', () => {
    const render = createRenderer();
    const wanted = { facts: facts(young), view: newBoardOptions, now: NOON, paused: false, round: null };
    const first = render('1', wanted, translatorFor('en-GB'));
    const second = render('1', wanted, translatorFor('de'));
    expect(second.hash).not.toBe(first.hash);
  });

  test('of one renderer differ where one guild hides colours', () => {
    const render = createRenderer();
    const one = { record: liveFile(liveJson({ 1: { un: 'ann', nn: '^1Ann' } })), asOf: NOON };
    const known = facts({ overview: 0 });
    const wanted = { ...usual, facts: { ...known, live: { ...known.live, one } } };
    const [coloured, plain] = [true, false].map((colours) =>
      render('1', wanted, translatorFor('en-GB', { unit: 'kilometre', colours })),
    );
    expect(plain?.hash).not.toBe(coloured?.hash);
    expect(JSON.stringify(plain?.message())).toContain('**One:** Ann');
  });

  test('of one renderer differ once it is known why nothing newer comes', () => {
    const render = createRenderer();
    const known = facts({ overview: 100_000, one: 100_000 });
    const of = (unread?: 'unavailable') => {
      const one = known.live.one && { ...known.live.one, unread };
      return render(
        '1',
        { ...usual, facts: { ...known, live: { ...known.live, one } } },
        translatorFor('en-GB'),
      );
    };
    const [frozen, down] = [of(), of('unavailable')];
    expect(down.hash).not.toBe(frozen.hash);
    expect(frozen.message().embeds[0]?.description).toContain('has stopped updating');
    expect(down.message().embeds[0]?.description).toContain("isn't answering");
  });
});

test('a live file that turns out to be missing for good changes what a board says', () => {
  const render = createRenderer();
  const read = facts({ overview: SECOND, one: SECOND });
  const look = (withoutFile: Facts['withoutFile']) =>
    render('1', { ...usual, facts: { ...read, withoutFile } }, translatorFor('en-GB'));
  const before = look([]);
  const text = ({ message }: NonNullable<ReturnType<typeof look>>) => JSON.stringify(message().embeds);
  const after = look(['two']);
  expect(text(after)).not.toBe(text(before));
  expect(after.hash).not.toBe(before.hash);
  expect(look(['two']).hash).toBe(after.hash);
});
