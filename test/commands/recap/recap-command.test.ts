/** What `/recap` answers, over a history that is given. */
import { beforeAll, describe, expect, test } from 'vitest';
import setup from '../../../commands/guild/setup.ts';
import link from '../../../commands/people/link.ts';
import privacy from '../../../commands/people/privacy.ts';
import recap from '../../../commands/recap/recap.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { UserError } from '../../../src/base/errors.ts';
import { languages } from '../../../src/base/languages.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { Session } from '../../../src/community/history/history.ts';
import { addShareButton } from '../../../src/discord/interactions/share.ts';
import { drawChart } from '../../../src/pictures/draw.ts';
import { loadFonts } from '../../../src/pictures/sheet.ts';
import { contextOf } from '../../support/context.ts';
import { breaches } from '../../support/embed-limits.ts';
import { noHistory } from '../../support/no-history.ts';
import { noNames } from '../../support/no-names.ts';
import { countsOf } from '../../support/past.ts';
import { press } from '../../support/press.ts';
import { controls, rowsOf } from '../../support/readable.ts';
import { driverJson, serviceOf } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const BEGIN = Date.UTC(2026, 10, 1);
const coverage = { since: BEGIN - 60 * DAY, until: NOW, holes: [] };

const evening = (day: number, hours = 2): Session => ({
  ...{ from: BEGIN + day * DAY + 20 * HOUR, to: BEGIN + day * DAY + (20 + hours) * HOUR, server: 'two' },
  ...{
    played: hours * HOUR,
    duty: { police: 1.25 * HOUR, medic: 0, tow: 0 },
    startKnown: true,
    endKnown: true,
  },
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

async function run(
  args: { readonly player?: string | null } & Partial<Omit<typeof asked, 'player'>> = {},
  inside = context(),
): Promise<Reply> {
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
        '5\u00a0h',
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

  test('that is over says what it cannot know, and has nothing to refresh', async () => {
    const bare = { ...past, readings: async () => [] };
    const over = await run({}, context({ now: NOW + 3 * DAY, history: bare }));
    expect(textOf(over)).toContain("I don't know the distance, the money and the chases");
    expect(JSON.stringify(over.components)).not.toContain('Refresh');
    expect(JSON.stringify(addShareButton(over, context().t).components)).toContain('Share');
    const current = await run({}, context({ history: bare }));
    expect(textOf(current)).not.toContain("I don't know the distance");
    expect(JSON.stringify(current.components)).toContain('Refresh');
  });

  test('that is known whole is set against the month before', async () => {
    const now = NOW + 3 * DAY;
    const whole = { ...coverage, until: now };
    const history = {
      ...past,
      driver: async (driver: string) => ({ ...whole, driver, current: null, sessions: [] }),
    };
    const reply = await run({}, context({ now, history }));
    for (const text of [textOf(reply), reply.picture?.alt, JSON.stringify(reply.picture?.chart)]) {
      expect(text).toMatch(/▲ 11\sh/);
      expect(text).toContain('▲ ▼ against the month before');
    }
  });

  test('has its bars, by week, and what is unknown in the words behind the picture', async () => {
    const barsBehind = async (label: string, ...recapArgs: Parameters<typeof run>) => {
      const lines = (await run(...recapArgs)).picture?.alt.replaceAll('\u00a0', ' ').split('\n') ?? [];
      return lines.find((line) => line.startsWith(`${label}: `))?.slice(label.length + 2);
    };
    expect(await barsBehind('Time online by day')).toBe(
      '1–7: 4 h · 8–14: 4 h · 15–21: 3 h · 22–28: 0 min · 29: 0 min',
    );
    const holes = [{ from: BEGIN, to: BEGIN + 7 * DAY }];
    const history = {
      ...past,
      driver: async (driver: string) => ({ ...coverage, holes, driver, current: null, sessions: [] }),
      sessions: async () => sessions.filter(({ from }) => from >= BEGIN + 7 * DAY),
    };
    expect(await barsBehind('Time online by day', {}, context({ history }))).toBe(
      '1–7: no data · 8–14: at least 4 h · 15–21: at least 3 h · 22–28: 0 min · 29: 0 min',
    );
    expect(await barsBehind('Time online by month', { span: 'this-year' } as object)).toMatch(
      /^1: no data · .* · 8: no data · 9: 0 min · 10: 0 min · 11: at least 11 h$/,
    );
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
    expect(chart.smallLines.join(' ')).toContain('No data for 2 days.');
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
      expect(chart.smallLines.join(' ')).toContain(sentence);
      expect(alt).toContain(sentence);
    }
    expect(alt).toContain('🏅 On patrol: at least 38% of the time as police');
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
    const labels = ['◀', '▶', 'Words', 'Refresh', 'My time zone'];
    expect(row?.components.map(({ label }) => label)).toEqual(labels);
    expect(row?.components.map(({ disabled }) => disabled ?? false)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
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

  test('the owner of a hidden driver reads that they hid it, and may show it again', async () => {
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

  test.each(['typed', 'shared'])('who is hidden while the month is read is not in it, %s', async (how) => {
    const inside = context({
      history: {
        ...past,
        top: async () => ({ ...coverage, from: 0, rows: [] }),
        async sessions(...question) {
          await inside.hidden.setPrivacy('2', { hidden: true });
          return past.sessions(...question);
        },
      },
      recentNames: { ...noNames, nicknameOf: () => '^1Ann' },
    });
    await inside.store.links.set('2', { username: 'ann', since: 0 });
    // *Share* presses the view once more.
    const answer =
      how === 'typed' ? run({}, inside) : press(recap, { action: 'picture', subject: 'ann' }, inside);
    await expect(answer).rejects.toThrow(inside.t('seen.unknown', { player: 'ann' }));
  });

  test('servers that name nobody have their own words', async () => {
    expect(await refusal({ namesDrivers: async () => false })).toContain("don't name their drivers");
  });

  test('whoever has linked nobody is told to name one', async () => {
    await expect(run({ player: null } as object)).rejects.toThrow(UserError);
  });
});

describe('monthly gains', () => {
  test('have no button below the card', async () => {
    const inside = context();
    await inside.store.links.set('1', { username: 'ann', since: 0 });
    const reply = await run({ player: null } as object, inside);
    expect(reply.ownButtons).toBeUndefined();
    expect(JSON.stringify([reply.components, reply.picture?.components])).not.toMatch(/:keep/);
  });

  test('are turned on by *Keep my months* below an old card, and off again', async () => {
    const inside = context();
    await inside.store.links.set('1', { username: 'ann', since: NOW - DAY });
    const { months } = inside.features.recap;
    const turnedOn = await press(recap, { action: 'keep' }, inside);
    expect(turnedOn).toMatchObject({ ephemeral: true, content: expect.stringContaining('**on**') });
    expect(await months.of('1')).toMatchObject({ driver: 'ann', isKept: true });
    const turnedOff = await press(recap, { action: 'keeping-0' }, inside);
    expect(turnedOff.content).toContain('**off**');
    // In the place of the message with the button.
    expect(turnedOff.ephemeral).toBeUndefined();
    expect(await months.of('1')).toMatchObject({ isOn: false, isKept: false });
    expect((await press(recap, { action: 'keeping-1' }, inside)).content).toContain('**on**');
  });

  test('are turned off without a link, but not on', async () => {
    const inside = context();
    await expect(press(recap, { action: 'keep' }, inside)).rejects.toThrow(UserError);
    await expect(press(recap, { action: 'keeping-1' }, inside)).rejects.toThrow(UserError);
    expect((await press(recap, { action: 'keeping-0' }, inside)).content).toContain('**off**');
    await inside.store.links.set('1', { username: 'ann', since: 0 });
    expect(await inside.features.recap.months.of('1')).toMatchObject({ isKept: false });
  });
});

test('/link and /privacy say that months are kept, and /privacy turns it off and on', async () => {
  const inside = context({ service: serviceOf() });
  const linked = await link.run({ player: 'ann', user: null }, inside);
  expect(linked.content).toMatch(/once your link is verified or 30 days old.*`\/privacy`/);
  const buttons = (reply: Reply) => rowsOf(reply).flatMap((row) => row.components.map(({ label }) => label));
  const young = await privacy.run({}, inside);
  expect(young.content).toContain('Monthly gains are **on**.');
  expect(buttons(young)).toContain('Turn gains off');
  const off = await press(privacy, { action: 'drop' }, inside);
  expect(off.content).toContain('**off**');
  expect(buttons(off)).toContain('Turn gains on');
  // Linking again says nothing to a person who has turned it off.
  expect((await link.run({ player: 'ann', user: null }, inside)).content).not.toContain('/privacy');
  expect((await press(privacy, { action: 'keep' }, inside)).content).toContain('**on**');
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
    for (const action of ['post', 'post-1', 'offer-3', 'stop'])
      await expect(press(recap, { action, subject: CHANNEL }, inside)).rejects.toThrow(says);
    expect(await run({ player: 'ann' }, inside)).toBeDefined();
  });

  const buttonsOf = (reply: Reply) =>
    rowsOf(reply).flatMap((row) => row.components.flatMap(({ label }) => label ?? []));

  test('is shown before it is posted, and nothing is stored until then', async () => {
    const inside = context({
      person: manager,
      history: { ...past, counts: async (_place, span) => countsOf(span) },
    });
    const { posts } = inside.features.recap;
    const offer = await run({ player: null, post: CHANNEL } as object, inside);
    expect(offer.content).toContain(`Shall I post the community recap in <#${CHANNEL}>`);
    expect(offer.content).toMatch(/The next one comes on <t:\d+:f>/);
    expect(buttonsOf(offer)).toEqual([...['✅ Each week', '✅ Each month', 'Post from now on', 'Time zone']]);
    expect((await posts.preview('7', null)).channels).toEqual([]);
    const monthly = await press(recap, { action: 'offer-2', subject: CHANNEL }, inside);
    expect(buttonsOf(monthly).slice(0, 2)).toEqual(['⬜ Each week', '✅ Each month']);
    const done = await press(recap, { action: 'post-2', subject: CHANNEL }, inside);
    expect(done.content).toContain(`<#${CHANNEL}> gets the community recap from now on`);
    expect((await posts.preview('7', null)).offers.map(({ facts }) => facts.kind)).toEqual(['month']);
    await press(recap, { action: 'stop' }, inside);
    expect((await posts.preview('7', null)).channels).toEqual([]);
  });

  test('with neither week nor month cannot be begun', async () => {
    const inside = context({ person: manager });
    const offer = await press(recap, { action: 'offer-0', subject: CHANNEL }, inside);
    const [row] = rowsOf(offer);
    expect(row?.components.map(({ disabled }) => disabled)).toEqual([false, false, true, false]);
  });

  test('is offered in another channel from the menu, for the same kinds', async () => {
    const inside = context({ person: manager });
    const offer = await press(recap, { action: 'offer-2', subject: CHANNEL }, inside);
    const menu = rowsOf(offer).at(-1)?.components[0];
    expect(menu?.custom_id).toBe('1:recap:offer-2:');
    const other = await press(recap, { action: 'offer-2', values: ['987654321098765432'] }, inside);
    expect(other.content).toContain('in <#987654321098765432> at 10:00');
    expect(buttonsOf(other).slice(0, 2)).toEqual(['⬜ Each week', '✅ Each month']);
  });

  test('of which less than half is known is not promised, and the next one is', async () => {
    const offer = await run({ player: null, post: CHANNEL } as object, context({ person: manager }));
    expect(offer.content).toMatch(/half of last week's[\s\S]*half of last month's[\s\S]*next one comes on/);
    expect(offer.embeds).toBeUndefined();
  });

  test('begun by a button of version 2.0.0 comes each month', async () => {
    const inside = context({ person: manager });
    await press(recap, { action: 'post', subject: CHANNEL }, inside);
    const { channels, offers } = await inside.features.recap.posts.preview('7', null);
    expect([channels, offers.map(({ facts }) => facts.kind)]).toEqual([[CHANNEL], ['month']]);
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
    await press(recap, { action: 'post-3', subject: other }, limited);
    // The current channel can still be stopped.
    const refused = await offer(CHANNEL);
    expect(refused.content).toMatch(/permissions in .*\nCurrent channel: /);
    expect(refused.content).not.toContain('gets the community');
    expect(buttonsOf(refused)).toEqual(['Stop posting']);
    closed.clear();
    closed.add(other);
    expect((await offer(CHANNEL)).content).toMatch(/Current channel: .*\n.*permissions in <#987/);
  });

  test('is refused together with a driver', async () => {
    await expect(run({ post: CHANNEL } as object, context({ person: manager }))).rejects.toThrow('leave');
  });
});

describe('without a driver', () => {
  test('a person is offered the window of /recap, which links one', async () => {
    const refusal = await run({ player: null }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      nextStep: { command: 'recap', action: 'form', label: 'Link my driver' },
    });
  });

  test('its window says below the link what cannot be shown', async () => {
    const inside = context({ service: serviceOf({ profile: driverJson }), history: noHistory.history });
    const reply = (await recap.form?.submit({ player: 'k3nny' }, inside, {})) ?? {};
    expect((await inside.store.links.of('1'))?.username).toBe('k3nny');
    expect(reply.content).toMatch(/^Linked to \*\*k3nny\*\*[\s\S]+\n\S/);
    expect(controls(reply).map(({ label }) => label)).toEqual(['My profile', 'My month', 'Verify']);
  });
});

test('/setup leads to the window of the community recap, and says where that comes', async () => {
  const boards: Context['boards'] = { ...context().boards, create: async () => ({ kind: 'there' }) };
  const inside = context({ boards, t: translatorFor('fr'), person: { mayManage: true, locale: 'fr' } });
  const begun = { channel: '8', language: 'reader', distances: 'kilometres', zone: '' };
  const submit = () => setup.form.submit(begun, { ...inside, bot: { ...inside.bot, translatorFor } }, begun);
  const before = await submit();
  expect(before.content).not.toContain('rétrospective');
  expect(JSON.stringify(before.components)).toContain('"1:recap:offer:8"');
  const choice = { channel: '9', isWeekly: true, isMonthly: false };
  await inside.features.recap.posts.begin('7', choice, inside.person);
  const after = await submit();
  expect(after.content).toContain('La rétrospective de la communauté arrive dans <#9>');
  expect(JSON.stringify(after.components)).toContain('"1:recap:offer:9"');
});
