/** What `/recap` answers, over a history that is given. */
import { beforeAll, describe, expect, test } from 'vitest';
import recap from '../../../commands/recap.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { UserError } from '../../../src/base/errors.ts';
import { languages } from '../../../src/base/languages.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import { drawChart } from '../../../src/pictures/draw.ts';
import { loadFonts } from '../../../src/pictures/sheet.ts';
import type { Session } from '../../../src/service/models/history.ts';
import { contextOf } from '../../support/context.ts';
import { breaches } from '../../support/embed-limits.ts';
import { noHistory } from '../../support/no-history.ts';
import { noNames } from '../../support/no-names.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';
import { createTranslators } from '../../support/translators.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const BEGIN = Date.UTC(2026, 10, 1);
const coverage = { since: BEGIN - 60 * DAY, until: NOW, holes: [] };

const evening = (day: number, hours = 2): Session => ({
  ...{ from: BEGIN + day * DAY + 20 * HOUR, to: BEGIN + day * DAY + (20 + hours) * HOUR, server: 'two' },
  ...{ played: hours * HOUR, duty: { police: HOUR, medic: 0, tow: 0 }, startKnown: true, endKnown: true },
});
const sessions = [evening(1), evening(5), evening(13, 5), evening(20)];

const past: Context['history'] = {
  ...noHistory.history,
  driver: async (driver) => ({ ...coverage, driver, current: null, sessions: [] }),
  sessions: async (_driver, { from, to }) => sessions.filter((one) => one.to > from && one.from < to),
  readings: async () => [
    { at: BEGIN + DAY, figures: { driven_distance: 1_000_000, money: 100 } },
    { at: BEGIN + 28 * DAY, figures: { driven_distance: 2_204_000, money: 86_400 } },
  ],
  playtime: async () =>
    ['zoe', 'ann', 'bob', 'ida', 'tim'].map((driver, index) => ({
      ...{ rank: index + 1, driver, value: HOUR * (50 - index), read: null },
    })),
};

const context = (parts: Parameters<typeof contextOf>[0] = {}): Context =>
  contextOf({ now: NOW, history: past, ...parts });

const asked = { player: 'ann', span: null, post: null };

async function run(args: Partial<typeof asked> & object = {}, inside = context()): Promise<Reply> {
  if (!('run' in recap)) throw new Error('no command');
  return recap.run({ ...asked, ...args }, inside);
}

const translatorFor = createTranslators();

const words = (reply: Reply): string => JSON.stringify(reply.embeds);
const textOf = (reply: Reply): string => reply.embeds?.[0]?.description ?? '';

describe('a month', () => {
  test('says the same as a picture, in the words behind it, and in the card', async () => {
    const reply = await run();
    const facts = [
      ...[
        'Time online',
        '11\u00a0h',
        'Best day (Sat 14 Nov)',
        '4\u00a0h',
        '20:00–21:00',
        'Server',
        'Two · 100%',
      ],
      ...[
        'As police',
        '4\u00a0h',
        'Between 2 Nov and 29 Nov',
        '+1,204\u00a0km · money +86,300',
        '#2 of 5 by time online',
      ],
    ];
    const drawn = JSON.stringify(reply.picture?.chart);
    for (const fact of [...facts, 'On patrol', 'November 2026']) {
      const plain = fact.replaceAll('\u00a0', ' ');
      expect(drawn.replaceAll('\u00a0', ' ')).toContain(plain);
      expect(reply.picture?.alt.replaceAll('\u00a0', ' ')).toContain(plain);
      expect(words(reply).replaceAll('\u00a0', ' ')).toContain(plain);
    }
    expect(textOf(reply)).not.toContain('at least 11');
    expect(breaches(reply)).toEqual([]);
  });

  test('costs no request, fifty times', async () => {
    let requests = 0;
    const service: Context['service'] = {
      async get() {
        requests += 1;
        throw new Error('a request');
      },
    };
    for (let times = 0; times < 50; times += 1) await run({}, context({ service }));
    expect(requests).toBe(0);
  });

  test('is at least what was seen, and its unknown days are hatched', async () => {
    const holes = [{ from: BEGIN + 3 * DAY, to: BEGIN + 5 * DAY }];
    const history = {
      ...past,
      driver: async (driver: string) => ({ ...coverage, holes, driver, current: null, sessions: [] }),
    };
    const reply = await run({}, context({ history }));
    const chart = reply.picture?.chart;
    expect(textOf(reply)).toContain('at least 11');
    expect(textOf(reply)).toContain('No data for 2 days.');
    if (chart?.kind !== 'driver') throw new Error('no picture');
    expect(chart.week?.days.flatMap(({ share }, day) => (share === null ? [day] : []))).toEqual([3, 4]);
    expect(chart.asOf).toContain('No data for 2 days.');
    expect(() => drawChart(chart)).not.toThrow();
  });

  test('has at least that duty where some sessions lack it', async () => {
    const mixed = async () => [...sessions, { ...evening(25), duty: null }];
    const reply = await run({}, context({ history: { ...past, sessions: mixed } }));
    expect(textOf(reply)).toMatch(/\*\*As police\*\*.*at least/);
    expect(textOf(await run())).not.toMatch(/\*\*As police\*\*.*at least/);
  });

  test('of a bot that knows three days is words without a title or a rank', async () => {
    const since = NOW - 3 * DAY;
    const history = {
      ...past,
      driver: async (driver: string) => ({ ...coverage, since, driver, current: null, sessions: [] }),
    };
    const reply = await run({}, context({ history, now: NOW }));
    expect(reply.picture).toBeUndefined();
    expect(textOf(reply)).toContain('too little data');
    expect(textOf(reply)).toContain('I have data since 26 Nov 2026.');
    expect(textOf(reply)).not.toMatch(/🏅|#2/);
  });

  /** A history that begins three days ago, or so many. */
  const young = (days = 3) => ({
    ...past,
    driver: async (driver: string) => ({
      ...{ ...coverage, since: NOW - days * DAY },
      ...{ driver, current: null, sessions: [] },
    }),
  });

  test('before anything was known is no month in which nobody was seen', async () => {
    const reply = await run({ span: 'last-month' } as object, context({ history: young() }));
    expect(textOf(reply)).toContain('too little data');
    expect(textOf(reply)).not.toContain("didn't see");
  });

  test('that has only just begun is too early, without blame for missing data', async () => {
    const first = {
      ...past,
      driver: async (driver: string) => ({ ...coverage, driver, current: null, sessions: [] }),
    };
    const early = await run({ span: 'this-month' } as object, context({ now: BEGIN + DAY, history: first }));
    expect(early.picture).toBeUndefined();
    expect(textOf(early)).toContain('November 2026 has only just begun');
    expect(textOf(early)).not.toContain('too little data');
  });

  test('says the same below the picture and behind it, without marks', async () => {
    const reply = await run({}, context({ history: young(20) }));
    const { chart, alt = '' } = reply.picture ?? {};
    if (chart?.kind !== 'driver') throw new Error('no picture');
    const sentences = ['I have data since 9 Nov 2026.', 'No data for 6 days.', 'Days and hours in UTC.'];
    for (const sentence of sentences) {
      expect(chart.asOf).toContain(sentence);
      expect(alt).toContain(sentence);
    }
    expect(alt).toContain('🏅 On patrol: at least a third of the time as police');
    const zoned = context({ history: young(20) });
    await zoned.store.timeZones.set('1', 'Pacific/Auckland');
    const { picture } = await run({}, zoned);
    expect(picture?.alt).toContain('Time zone: Pacific/Auckland.');
  });

  test('tells a rank in the upper half alone', async () => {
    expect(textOf(await run({ player: 'tim' }))).not.toContain('by time online');
    expect(textOf(await run({ player: 'bob' }))).not.toContain('by time online');
    expect(textOf(await run({ player: 'ann' }))).toContain('#2 of 5 by time online');
  });

  test('all data says since when that is, and three days of it are too few', async () => {
    const recent = async () => [evening(26, 3)];
    const few = await run({ span: 'all' } as object, context({ history: { ...young(), sessions: recent } }));
    expect(few.picture).toBeUndefined();
    expect(textOf(few)).toContain('I have data since 26 Nov 2026.');
    expect(textOf(few)).not.toMatch(/🏅|#2/);
    const enough = await run(
      { span: 'all' } as object,
      context({ history: { ...young(4), sessions: recent } }),
    );
    expect(enough.picture?.alt).toContain('I have data since 25 Nov 2026.');
  });

  test('a year tells the years of its dates, and a long time without data in days', async () => {
    const reply = await run({ span: 'this-year' } as object, context({ history: young(40) }));
    expect(textOf(reply)).toContain('I have data since 20 Oct 2026.');
    expect(textOf(reply)).toMatch(/No data for 29\d days\./);
    const readings: Context['history']['readings'] = async () => [
      { at: Date.UTC(2026, 0, 1), figures: { money: 1 } },
      { at: NOW, figures: { money: 5 } },
    ];
    const gained = await run({ span: 'this-year' } as object, context({ history: { ...past, readings } }));
    expect(textOf(gained)).toContain('Between 1 Jan 2026 and 29 Nov 2026');
  });

  test('counts unknown days of many months, not the months without data', async () => {
    const holes = [{ from: NOW - 200 * DAY, to: NOW - 110 * DAY }];
    const history = {
      ...past,
      driver: async (driver: string) => ({
        ...{ ...coverage, since: NOW - 480 * DAY, holes },
        ...{ driver, current: null, sessions: [] },
      }),
    };
    const reply = await run({ span: 'all' } as object, context({ history }));
    expect(textOf(reply)).toContain('No data for 90 days.');
  });

  test.each(languages)('no sentence in %s ends with two full stops', async (language) => {
    const reply = await run({}, context({ history: young(), t: translatorFor(language) }));
    expect(textOf(reply)).not.toContain('..');
  });

  test('turns to the months before and after, as words or as a picture', async () => {
    const reply = await run();
    const [row] = rowsOf({ components: reply.picture?.components ?? [] });
    const labels = ['◀', '▶', 'Words', 'Refresh'];
    expect(row?.components.map(({ label }) => label)).toEqual(labels);
    expect(row?.components.map(({ disabled }) => disabled ?? false)).toEqual([false, true, false, false]);
    // In place of the picture, the words lead to it.
    expect(rowsOf(reply)[0]?.components.map(({ label }) => label)).toEqual(labels.with(2, 'Picture'));
    const id = row?.components[0]?.custom_id ?? '';
    const [, , action, subject] = id.split(':');
    const october = await press(recap, { action: action ?? '', subject: subject ?? '' }, context());
    expect(october.embeds?.[0]?.title).toBe('ann · October 2026');
    expect(textOf(october)).toContain("didn't see");
    const text = await press(recap, { action: 'words', subject: 'ann' }, context());
    expect(text.picture).toBeUndefined();
    expect(text.embeds).toEqual((await run()).embeds);
  });

  test.each([
    ['this-month', 'November 2026'],
    ['last-month', 'October 2026'],
    ['this-year', '2026'],
    ['all', 'All data'],
  ])('by span %s is %s', async (span, title) => {
    expect((await run({ span } as object)).embeds?.[0]?.title).toBe(`ann · ${title}`);
    // A similar name after a miss has that period as well.
    const { action = '', number } = recap.retryAction?.({ ...asked, span } as never) ?? {};
    const again = await press(recap, { action: `${action}-${number}`, subject: 'ann' }, context());
    expect(again.embeds?.[0]?.title).toBe(`ann · ${title}`);
  });

  test('a name in any letters is drawn, 400 wide and in at most 100 KB', async () => {
    const names = ['^1Ann ^4Жук', 'Ελένη', '漢字かな', '★►Zoe◄★', '😀🏁', `${'^1A^2B'.repeat(12)}`, 'א ب'];
    for (const nickname of names) {
      const reply = await run({}, context({ recentNames: { ...noNames, nicknameOf: () => nickname } }));
      if (reply.picture === undefined) throw new Error('no picture');
      const png = Buffer.from(drawChart(reply.picture.chart));
      expect(png.length).toBeLessThanOrEqual(100 * 1024);
      // Two pixels for one of the sheet's.
      expect(png.readUInt32BE(16)).toBe(800);
    }
  });
  beforeAll(loadFonts);
});

test.each([
  ['picture-3000', 'ann'],
  // Between the last month and the first year.
  ['picture-1999', 'ann'],
  ['words-1201', 'ann'],
  ['words-9999', 'ann'],
  ['span-4', 'ann'],
  ['keeping-2', ''],
  ['post', 'a-channel'],
])('a button that it never wrote is refused: %s %s', async (action, subject) => {
  const inside = context({ person: { mayManage: true } });
  await inside.store.links.set('1', { username: 'ann', since: 0 });
  await expect(press(recap, { action, subject }, inside)).rejects.toThrow(inside.t('discord.oldButton'));
});

test('is for its reader alone until it is shared', () => {
  expect(recap.visibility).toBe('shareable');
});

test('a driver who is new reads since when, not that they are a regular', async () => {
  const twoDays = [evening(26, 3), { ...evening(27, 3), server: 'one' as const }].map((one) => ({
    ...one,
    duty: { police: 0, medic: 0, tow: 0 },
    from: one.from - 5 * HOUR,
    to: one.to - 5 * HOUR,
  }));
  const history: Context['history'] = {
    ...past,
    driver: async (driver) => ({ ...coverage, driver, current: null, sessions: twoDays.toReversed() }),
    sessions: async () => twoDays,
  };
  expect(textOf(await run({}, context({ history })))).toContain('🏅 **New here**: first seen 27 Nov');
});

describe('a driver of whom nothing may be told', () => {
  const refusal = async (history: Partial<Context['history']>): Promise<string> => {
    const error: unknown = await run(
      {},
      context({ history: { ...past, driver: async () => null, ...history } }),
    ).catch((thrown: unknown) => thrown);
    if (!(error instanceof UserError)) throw error;
    return error.message;
  };

  test('hidden, forgotten and unknown ones are refused in the same words', async () => {
    const top: Context['history']['top'] = async () => ({ ...coverage, from: 0, rows: [] });
    expect(await refusal({ top })).toMatch(/^[^<\d]*yet, or hidden\.$/);
  });

  test('the owner of a hidden driver reads that they have hidden it, and may show it again', async () => {
    const inside = context({ history: { ...past, driver: async () => null } });
    await inside.store.links.set('1', { username: 'Ann', since: 0 });
    await inside.hidden.setPrivacy('1', { hidden: true });
    const reply = await run({}, inside);
    expect(reply).toMatchObject({ ephemeral: true });
    expect(reply.content).toContain('You have hidden your driver **Ann**');
    const buttons = JSON.stringify(reply.components);
    expect(buttons).toContain('"1:privacy:show:Ann"');
    expect(buttons).toContain('"Show again"');
  });

  test('servers that name nobody have their own words', async () => {
    expect(await refusal({ namesDrivers: async () => false })).toContain("don't name their drivers");
  });

  test('whoever has linked nobody is told to name one', async () => {
    await expect(run({ player: null } as object)).rejects.toThrow(UserError);
  });
});

describe('*Keep my months*', () => {
  test('is off at first, is turned on and off, and is offered for the own driver alone', async () => {
    const inside = context();
    const keepButton = (reply: Reply) =>
      [...rowsOf(reply), ...rowsOf({ components: compact(reply.ownButtons ?? null) })]
        .flatMap((row) => row.components)
        .find(({ custom_id: id }) => id.includes(':keep:'));
    expect(keepButton(await run({}, inside))).toBeUndefined();
    await expect(press(recap, { action: 'keep' }, inside)).rejects.toThrow(UserError);
    await expect(press(recap, { action: 'keeping-1' }, inside)).rejects.toThrow(UserError);
    await inside.store.links.set('1', { username: 'ann', since: 0 });
    expect(keepButton(await run({ player: null } as object, inside))).toBeDefined();
    const offer = await press(recap, { action: 'keep' }, inside);
    expect(offer.content).toContain('**off**');
    expect(offer.content).toContain('**ann**');
    expect(offer.ephemeral).toBe(true);
    const turnedOn = await press(recap, { action: 'keeping-1' }, inside);
    expect(turnedOn.content).toContain('**on**');
    // In the place of the offer.
    expect(turnedOn.ephemeral).toBeUndefined();
    expect(await inside.features.recap.keptDriver('1')).toBe('ann');
    expect((await press(recap, { action: 'keeping-0' }, inside)).content).toContain('**off**');
    expect(await inside.features.recap.keptDriver('1')).toBeNull();
  });

  test('is not offered for a driver whom an administrator has set', async () => {
    const inside = context();
    await inside.store.links.set('1', { username: 'bob', since: 0 });
    await inside.store.links.correct('1', { guild: '7', username: 'ann', since: 0 });
    expect((await run({ player: null } as object, inside)).embeds?.[0]?.title).toContain('ann');
    expect((await run({ player: null } as object, inside)).ownButtons).toBeUndefined();
    expect((await run({ player: 'bob' }, inside)).ownButtons).toBeDefined();
  });

  test('belongs to one driver, and ends without a link as well', async () => {
    const inside = context();
    const { links } = inside.store;
    await links.set('1', { username: 'ann', since: 0 });
    await press(recap, { action: 'keeping-1' }, inside);
    await links.set('1', { username: 'bob', since: 0 });
    const other = await press(recap, { action: 'keep' }, inside);
    expect(other.content).toMatch(/^\*\*bob\*\*.*\*\*off\*\*/s);
    await links.remove('1');
    expect((await press(recap, { action: 'keep' }, inside)).content).toMatch(/^\*\*ann\*\*.*\*\*on\*\*/s);
    expect((await press(recap, { action: 'keeping-0' }, inside)).content).toContain('**off**');
    expect(await inside.features.recap.keptDriver('1')).toBeNull();
  });
});

describe('the community in a channel', () => {
  const CHANNEL = '123456789012345678';
  const manager = { mayManage: true };

  test.each([
    ['without Manage Server', {}, 'Manage Server'],
    ['in a direct message', { guildId: null, mayManage: true }, 'server'],
  ])('is refused %s, typed or pressed', async (_where, person, says) => {
    const inside = context({ person });
    await expect(run({ player: null, post: CHANNEL } as object, inside)).rejects.toThrow(says);
    for (const action of ['post', 'stop'])
      await expect(press(recap, { action, subject: CHANNEL }, inside)).rejects.toThrow(says);
    expect(await run({ player: 'ann' }, inside)).toBeDefined();
  });

  test('is shown before it is posted, and nothing is stored until then', async () => {
    const inside = context({ person: manager });
    const offer = await run({ player: null, post: CHANNEL } as object, inside);
    expect(offer.content).toContain(`<#${CHANNEL}>`);
    expect((await inside.features.recap.posts.preview('7')).channel).toBeNull();
    const done = await press(recap, { action: 'post', subject: CHANNEL }, inside);
    expect(done.content).toContain(`<#${CHANNEL}> now gets`);
    expect((await inside.features.recap.posts.preview('7')).channel).toBe(CHANNEL);
    await press(recap, { action: 'stop' }, inside);
    expect((await inside.features.recap.posts.preview('7')).channel).toBeNull();
  });

  test('offers no channel where the bot may not write, and says why', async () => {
    const other = '987654321098765432';
    const inside = context({ person: manager });
    const { posts } = inside.features.recap;
    const closed = new Set([CHANNEL]);
    const access: typeof posts.access = (guild, channel) =>
      closed.has(channel) ? { kind: 'missing', rights: ['SendMessages'] } : posts.access(guild, channel);
    const recapRequests = { ...inside.features.recap, posts: { ...posts, access } };
    const limited = { ...inside, features: { ...inside.features, recap: recapRequests } };
    const offer = (channel: string) => run({ player: null, post: channel } as object, limited);
    await expect(offer(CHANNEL)).rejects.toThrow(`permissions in <#${CHANNEL}>`);
    await press(recap, { action: 'post', subject: other }, limited);
    // The current channel can still be stopped.
    const refused = await offer(CHANNEL);
    expect(refused.content).toMatch(/permissions in .*\nCurrent channel: /);
    expect(refused.content).not.toContain('gets the monthly');
    expect(rowsOf(refused).flatMap((row) => row.components.map(({ label }) => label))).toEqual([
      'Stop posting',
    ]);
    closed.clear();
    closed.add(other);
    expect((await offer(CHANNEL)).content).toMatch(/Current channel: .*\n.*permissions in <#987/);
  });

  test('is refused together with a driver', async () => {
    await expect(run({ post: CHANNEL } as object, context({ person: manager }))).rejects.toThrow('leave');
  });
});
