import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { boardCard } from '../../../src/cards/board/board-card.ts';
import { type BoardLook, type BoardView, lookOf } from '../../../src/cards/board/board-look.ts';
import { ChatStatus } from '../../../src/service/models/chat-status.ts';
import { type Facts, judgeFacts } from '../../../src/service/models/facts.ts';
import { LiveStatus } from '../../../src/service/models/live-status.ts';
import { Overview } from '../../../src/service/models/overview.ts';
import { breaches } from '../../support/embed-limits.ts';
import { strayMarkup } from '../../support/markup.ts';
import { locales, translatorFor, worst } from '../../support/readers.ts';
import { chatServer, liveFile, liveJson, NOON, overviewJson, servers } from '../../support/records.ts';
import { hostile, inGameText } from '../../text/in-game.ts';

const MINUTE = 60_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a block begin with one.
const COLOUR = /\u001b\[\d+m/g;
const everything: BoardView = { servers: null, members: 'on', names: 'on' };
const t = translatorFor('en-GB');

const checked = { drivers: NOON - 4000, rest: NOON - 2 * MINUTE };
/** How old what is shown is, and how often it is updated. */
interface Age extends Omit<BoardLook, 'shown'> {
  readonly round?: number | null;
}
const live: Age = {
  mode: 'live',
  whys: [],
  since: NOON - 2 * MINUTE,
  checked: NOON - 2 * MINUTE,
  times: checked,
};
const bare: Age = { ...live, since: null, checked: null, times: null };
const whys = ['frozen', 'unavailable', 'over-budget', 'bad-response'] as const;
const modes = ['live', 'partly-stale', 'stale', 'no-data', 'paused'] as const;

const known = <T>(record: T, asOf = NOON) => ({ record, asOf });
const noFiles = { one: null, two: null, three: null, four: null };
const nothing: Facts = { overview: null, live: noFiles, chat: null };

/** A file with so many drivers, as the overview counts them: these, and others of whom it says nothing. */
function filled(count: number, first: Parameters<typeof liveJson>[0] = {}) {
  const others = Array.from(
    { length: count - Object.keys(first).length },
    (_, at) => [100 + at, {}] as const,
  );
  return liveJson({ ...first, ...Object.fromEntries(others) });
}

/** A board that knows everything, with some of it changed. */
function facts(changes: Partial<Facts> = {}): Facts {
  const [one, two, three] = [filled(40), filled(9), filled(0)].map((json) => known(liveFile(json)));
  return {
    overview: known(servers()),
    live: { one: one ?? null, two: two ?? null, three: three ?? null, four: null },
    chat: known(chatServer()),
    ...changes,
  };
}

function drawn(of: Facts, { round = null, ...age }: Age = live, view = everything, as = t) {
  return boardCard({ ...lookOf(of, view, NOON), ...age }, view, as, { round });
}

const fields = (of: Facts, age: Age = live) => drawn(of, age).embeds[0].fields ?? [];

/** What a driver reads of one server: its lines. */
function server(name: string, of: Facts = facts()): readonly string[] {
  const blocks = fields(of)[0]?.value.split(/\n(?=\*\*|⚪|⚫)/) ?? [];
  return (blocks.find((block) => block.startsWith(`**${name}**`)) ?? '').split('\n');
}

const members = (of: Facts): string => fields(of)[1]?.value ?? '';
const withChat = (changes: object): Facts => facts({ chat: known(chatServer(changes)) });
const withOne = (json: unknown): Facts => facts({ live: { ...noFiles, one: known(liveFile(json)) } });

describe('a server', () => {
  test('is shown with its track, drivers, places and free slots', () => {
    expect(server('One')).toEqual(['**One** ▰▰▰▰▰▰▰▰▰▰\u00a040/40', '🔴 full · South City Long']);
    expect(server('Two')).toEqual(['**Two** ▰▰▰▰▱▱▱▱▱▱\u00a09/24', '🟢 15 free · Kyoto Grand Prix']);
  });

  test('that is empty or down stands below the others, in one line with its like', () => {
    expect(fields(facts())[0]?.value.split('\n').slice(-2)).toEqual([
      '⚪ Empty: **Three** 24 free',
      '⚫ Offline: **Events**',
    ]);
  });

  test('whose live file names another server says so', () => {
    const labelled = (label: string) => {
      const two = known(liveFile(liveJson({ 1: { cop: true } }, label)));
      return server('Two', facts({ live: { ...noFiles, two } })).at(-1);
    };
    expect(labelled('^1Three')).toMatch(/🚓\u00a01 · ⚠️ the live data says it is \*\*Three\*\*$/);
    expect(labelled('TWO')).toMatch(/🚓\u00a01$/);
    expect(labelled('[TC] CityDriving')).toMatch(/🚓\u00a01$/);
  });

  test('that is empty by the overview is not while its live file names somebody', () => {
    const three = known(liveFile(liveJson({ 1: { cop: true } })));
    const of = facts({ live: { ...noFiles, three } });
    expect(server('Three', of)).toEqual([
      '**Three** ▰▱▱▱▱▱▱▱▱▱\u00a01/24',
      '🟢 23 free · Aston Historic · 🚓\u00a01',
    ]);
  });

  test('stands where the service names it, also one that nobody has heard of', () => {
    const { training, ...others } = overviewJson;
    const of = facts({ overview: known(servers({ training, drag_strip: training, ...others })) });
    const names = fields(of)[0]?.value.match(/^\*\*.+?\*\*/gm);
    expect(names).toEqual(['**Training**', '**drag\\_strip**', '**One**', '**Two**']);
  });

  test.each([
    [{ guests: 7, maxGuests: null }, '**Training** · 7 drivers'],
    [{ guests: 1, maxGuests: 0 }, '**Training** · 1 driver'],
    [{ guests: 50, maxGuests: 40 }, '**Training** ▰▰▰▰▰▰▰▰▰▰\u00a050/40'],
    [{ guests: 38, maxGuests: 40 }, '**Training** ▰▰▰▰▰▰▰▰▰▱\u00a038/40'],
  ])('with %j reads %s', (counts, line) => {
    const training = { ...overviewJson.training, ...counts };
    expect(server('Training', facts({ overview: known(servers({ training })) }))).toContain(line);
  });

  test('whose state is unreadable is shown as unknown, not as online, offline or absent', () => {
    const overview = known(servers({ ...overviewJson, two: { ...overviewJson.two, online: 'perhaps' } }));
    const of = facts({ overview, live: noFiles });
    expect(server('Two', of)[0]).toBe('**Two** · ❔ status unknown');
    expect(drawn(of).embeds[0].description).toContain('at least 41 driving');
    expect(drawn(of).embeds[0].description).toContain('at least 31 free');
    // A live file that moves shows that the server runs.
    expect(server('Two', facts({ overview }))[0]).toContain('9/24');
  });

  test('whose guests are not reported shows neither a bar nor free slots', () => {
    const overview = known(servers({ training: { online: true, guests: 'many', trackName: 'Fern Bay' } }));
    expect(server('Training', facts({ overview }))).toEqual(['**Training** · 🟢 online', 'Fern Bay']);
  });
});

describe('the summary', () => {
  const summary = (of: Facts) => drawn(of).embeds[0].description?.replaceAll('\u00a0', ' ');

  test('sums all servers: drivers, free slots, and who people look for', () => {
    const one = known(liveFile(filled(40, { 1: { cop: true }, 2: { isChased: true }, 3: { hazard: true } })));
    const two = known(liveFile(filled(9, { 1: { cop: true }, 2: { tow: true } })));
    expect(summary(facts({ live: { one, two, three: known(liveFile()), four: null } }))).toBe(
      '**50 driving** · 46 free · 🚓 2 police · 🛻 1 tow truck · 🏃 1 chase',
    );
  });

  test('counts unknown drivers as a lower bound, and says that duty is known in part', () => {
    const { two, ...others } = overviewJson;
    const overview = known(servers({ ...others, two: { ...two, guests: 'many' } }));
    const police = known(liveFile(filled(40, { 1: { cop: true } })));
    expect(summary(facts({ overview, live: { ...noFiles, one: police } }))).toBe(
      '**at least 41 driving** · at least 31 free · 🚓 1 police · ❔ duty partly unknown',
    );
    const four = known(liveFile(liveJson({ 1: {}, 2: {} })));
    expect(summary(facts({ overview: null, live: { ...noFiles, four } }))).toBe('**at least 2 driving**');
    // A server without an overview whose file has just stopped may still have drivers.
    const stopped = known(liveFile(liveJson({ 1: {} })), NOON - 5 * MINUTE);
    expect(summary(facts({ live: { ...noFiles, one: known(liveFile(filled(40))), four: stopped } }))).toBe(
      '**at least 50 driving** · at least 46 free',
    );
  });

  test('counts free slots as a lower bound beside a server that only a live file shows', () => {
    const four = known(liveFile(liveJson({ 1: {}, 2: {} })));
    expect(summary(facts({ live: { ...noFiles, four } }))).toBe('**52 driving** · at least 46 free');
    const { one } = overviewJson;
    // No slot that is known is free.
    expect(summary(facts({ overview: known(servers({ one })), live: { ...noFiles, four } }))).toBe(
      '**42 driving**',
    );
  });

  test('counts no duty of a server that is offline, whose file is from before', () => {
    const { one, two } = overviewJson;
    const overview = known(servers({ one, two: { ...two, online: false } }));
    const police = known(liveFile(filled(40, { 1: { cop: true } })));
    expect(summary(facts({ overview, live: { ...noFiles, one: police, two: police } }))).toBe(
      '**40 driving** · 0 free · 🚓 1 police',
    );
  });

  test('says nothing from old data, and that all servers are down when they are', () => {
    const old = NOON - 10 * MINUTE;
    const police = known(liveFile(liveJson({ 1: { cop: true } })), old);
    expect(
      summary(facts({ overview: known(servers(), old), live: { ...noFiles, one: police } })),
    ).toBeUndefined();
    const { events } = overviewJson;
    expect(summary(facts({ overview: known(servers({ events })), live: noFiles }))).toBe(
      '**All servers are offline**',
    );
    expect(summary(nothing)).toBeUndefined();
  });
});

describe('who is on duty', () => {
  test('is counted from the live file of the same name, and only what is not zero', () => {
    const file = filled(40, {
      1: { cop: true, siren: true },
      2: { cop: true },
      3: { med: true },
      4: { tow: true, caution: true },
      5: { isChased: true },
      6: { hazard: true },
      7: { hazard: true },
      8: { isJoining: true },
      9: {},
    });
    const there = '🔴 full · South City Long · ';
    expect(server('One', withOne(file)).at(-1)?.replaceAll('\u00a0', ' ')).toBe(
      `${there}🚓 2 🚑 1 🛻 1 🏃 1 🚨 1 ⚠️ 2 🚧 1 ⏳ 1`,
    );
    expect(server('One', withOne(filled(40, { 1: { med: true } }))).at(-1)).toBe(`${there}🚑\u00a01`);
    expect(server('One', withOne(filled(40, { 1: {} })))).toEqual(server('One', withOne(filled(40))));
  });

  /** Below the servers: of which of them it is not known. */
  const gaps = (of: Facts) =>
    (fields(of)[0]?.value ?? '').split('\n').flatMap((line) => (line.startsWith('❔') ? [line] : []));

  test('is unknown without a file, or with one that does not report it: never nobody', () => {
    expect(gaps(withOne(filled(40)))).toEqual(['❔ duty unknown: **Two**']);
    const later = { t: NOON, n: 'One', tk: 'SO4', ps: { 3: { un: 'k3nny', nn: '^1k3nny' } } };
    expect(gaps(withOne(later))).toEqual(['❔ duty not reported: **One**', '❔ duty unknown: **Two**']);
    const two = known(liveFile(liveJson({ 1: {} }, 'Two')));
    expect(gaps(facts({ live: { ...noFiles, one: two, two } }))).toEqual([]);
  });

  test('is not to be had of a server that has no live file for good', () => {
    const withoutFile = ['two'] as const;
    expect(gaps({ ...withOne(filled(40)), withoutFile })).toEqual(['❔ no live data: **Two**']);
  });

  test('is known in part from the chases of the later generation', () => {
    const ps = { 3: { un: 'k3nny' }, 4: { un: 'bob' } };
    const chases = (...cs: readonly object[]) => withOne({ t: NOON, n: 'One', tk: 'SO4', ps, cs });
    const one = chases({ su: { u: 3 }, co: [{ u: 4 }] });
    expect(gaps(one)).toEqual(['❔ duty partly unknown: **One**', '❔ duty unknown: **Two**']);
    expect(JSON.stringify(drawn(one)).replaceAll('\u00a0', ' ')).toContain('🚓 1 police · 🏃 1 chase');
    expect(gaps(chases())[0]).toBe('❔ duty partly unknown: **One**');
  });

  test('is known in part where a flag of one player is unreadable', () => {
    const file = filled(2, { 1: { med: true } });
    const unclear = withOne({ ...file, players: { ...file.players, 9: { cop: 'perhaps' } } });
    expect(gaps(unclear)[0]).toBe('❔ duty partly unknown: **One**');
    expect(server('One', unclear).at(-1)).toMatch(/🚑\u00a01$/);
  });

  test('is unknown of all servers in one line, with the time alone', () => {
    const old = known(liveFile(liveJson({ 1: { cop: true } })), NOON - 75_000);
    const minute = NOON / 1000 - 120;
    const both = facts({ live: { ...noFiles, one: old, two: { ...old, asOf: NOON - 95_000 } } });
    expect(gaps(both)).toEqual([`❔ duty unknown since <t:${minute}:t>`]);
    expect(gaps(facts({ live: noFiles }))).toEqual(['❔ duty unknown']);
  });

  test('is not read from a frozen file while the others continue', () => {
    const police = filled(40, { 1: { cop: true } });
    const aged = (milliseconds: number): Facts => {
      const live = {
        ...noFiles,
        one: known(liveFile(police), NOON - milliseconds),
        two: known(liveFile(filled(9))),
      };
      return facts({ live });
    };
    const age = (milliseconds: number) => server('One', aged(milliseconds)).at(-1);
    expect(age(45_000)).toMatch(/ · 🚓\u00a01$/);
    expect(age(45_001)).toBe('🔴 full · South City Long');
    expect(gaps(aged(45_001))[0]).toBe(`❔ duty unknown since <t:${NOON / 1000 - 60}:t>: **One**`);
    expect(gaps(aged(16 * MINUTE))).toEqual(['❔ duty unknown: **One**']);
  });

  test('says nothing of events and training, which have no live file', () => {
    expect(server('Training', { ...facts(), live: noFiles })).toHaveLength(2);
  });
});

describe('where one source fails', () => {
  test('the live files still tell who is connected, and the card says what is missing', () => {
    const of = { ...withOne(liveJson({ 1: { cop: true }, 2: {} })), overview: null };
    expect(fields(of)[0]?.value).toMatch(/^⚠️ Tracks and slots are unknown/);
    expect(server('One', of)).toEqual(['**One** · 2 drivers · 🚓\u00a01']);
    expect(members(of)).toContain('zoë');
  });

  test('a server that only a live file shows comes behind those of the overview', () => {
    const of = facts({ live: { ...noFiles, four: known(liveFile(liveJson({ 1: {} }))) } });
    expect(fields(of)[0]?.value).toContain('\n**Four** · 1 driver\n⚪ Empty: ');
  });

  test('a late overview or member list is marked with its time, later left out', () => {
    const lag = (ms: number) =>
      facts({ overview: known(servers(), NOON - ms), chat: known(chatServer(), NOON - ms) });
    for (const field of fields(lag(6 * MINUTE)).slice(0, 2)) expect(field.value).not.toContain('⚠️ Old');
    const mark = `⚠️ Old data, from <t:${NOON / 1000 - 420}:f>:\n`;
    for (const field of fields(lag(7 * MINUTE)).slice(0, 2)) expect(field.value).toContain(mark);
    const [gone, nobody] = fields(lag(16 * MINUTE));
    expect(gone?.value).not.toMatch(/\d+\/\d+|free|full/);
    expect(nobody).toMatchObject({ name: 'On Discord', value: '⚠️ Unknown right now.' });
  });

  test('a member list without names is not an empty server', () => {
    const of = (presence_count: number | null) => members(withChat({ members: [], presence_count }));
    expect(of(312)).toBe("The data service doesn't list who is online.");
    expect(of(0)).toBe('No members online.');
    expect(of(null)).toBe('No members online.');
  });

  test('a live file without a clock is old if it has not changed for the longest poll', () => {
    const file = liveFile(liveJson({ 1: { cop: true } }));
    const duty = (ms: number) => {
      const one = { record: file, asOf: NOON - ms, clockless: true };
      return fields(facts({ live: { ...noFiles, one } }))[0]?.value;
    };
    expect(duty(6 * MINUTE)).toContain('🚓');
    expect(duty(6 * MINUTE + 1)).toContain('unknown since');
  });

  test('nothing at all is still a card that says so', () => {
    const card = drawn(nothing);
    expect(breaches(card)).toEqual([]);
    expect(fields(nothing)[0]?.value).toContain('unknown');
  });
});

describe('the members', () => {
  test('stand beside the servers: two fields in a row and no third', () => {
    expect(fields(facts()).map(({ inline }) => inline)).toEqual([true, true, false]);
  });

  test('are grouped by status and sorted by name, their carets and all', () => {
    expect(members(facts())).toBe(
      [
        '**🟢 online 2**\nAnna\\_B · zoë',
        '**🌙 idle 1**\nsleepy',
        '**⛔ do not disturb 1**\nbusy^1',
        '**❔ other 1**\ncaster',
      ].join('\n\n'),
    );
    expect(fields(facts())[1]?.name).toBe('On Discord · 5');
  });

  test('are counted by the service’s true count; a full list is not taken for it', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => ({
      id: String(index),
      username: `driver ${index}`,
      status: index < 60 ? 'online' : 'idle',
    }));
    const told = withChat({ members: hundred, presence_count: 2345 });
    expect(fields(told)[1]?.name).toMatch(/· 2,345$/);
    const cut = withChat({ members: hundred });
    expect(fields(cut)[1]?.name).toMatch(/· 100\+$/);
    expect(members(cut)).toMatch(/online 60\+(?:.|\n)*idle 40\+/);
    expect(fields(withChat({ members: hundred.slice(1) }))[1]?.name).toMatch(/· 99$/);
  });

  test('are nobody when the list is empty', () => {
    expect(members(withChat({ members: [] }))).toBe('No members online.');
  });

  test('have their channels below, by position, with how many are in them', () => {
    const [, , channels] = fields(facts());
    expect(channels).toMatchObject({ name: 'Channels', inline: false });
    expect(channels?.value).toMatch(/^Lobby \(2\) · Cruise \\\| One · Tow & medics\n-# 🟢 live/);
    expect(fields(withChat({ channels: [] })).map(({ name }) => name)[2]).toBe('🟢 live');
  });
});

describe('a view', () => {
  const shown = (view: Partial<BoardView>, of: Facts = facts()) => {
    const whole = { ...newBoardOptions, ...view };
    const [embed] = drawn(of, live, whole).embeds;
    return { summary: embed.description, fields: embed.fields ?? [] };
  };
  const named = (...names: readonly (readonly [un: string, nn: string, flags?: object])[]) =>
    known(
      liveFile({
        ...liveJson(),
        players: names.map(([un, nn, flags = {}]) => ({ cop: false, ...flags, un, nn })),
      }),
    );
  const people = (...names: readonly string[]) =>
    chatServer({ members: names.map((username, id) => ({ id: String(id), username, status: 'online' })) });

  test('of some servers shows those, in the sums as well', () => {
    const { summary, fields: all } = shown({ servers: ['two', 'training'] });
    expect(summary).toBe('**10 driving** · 22 free');
    expect(all[0]?.value).toBe(
      '**Two** ▰▰▰▰▱▱▱▱▱▱\u00a09/24\n🟢 15 free · Kyoto Grand Prix\n' +
        '**Training** ▰▱▱▱▱▱▱▱▱▱\u00a01/8\n🟢 7 free · Fern Bay Black',
    );
  });

  test('of chosen servers that are all gone names them, and says what to do', () => {
    expect(shown({ servers: ['events2', 'four'] }).fields[0]?.value).toBe(
      'The data service lists none of the chosen servers: events2, Four.\n`/board edit` chooses others.',
    );
    const none = facts({ overview: known([]), live: noFiles });
    expect(fields(none)[0]?.value).toBe('No servers.');
  });

  test('without members shows the servers below the summary, and no channels', () => {
    const view = { ...everything, members: 'off' } as const;
    const [{ description, fields: rest }] = drawn(facts(), live, view).embeds;
    expect(rest).toEqual([]);
    expect(description).toMatch(/^\*\*\d+ driving\*\*[^\n]*\n\*\*One\*\* ▰/);
    expect(description).toMatch(/\n-# 🟢 live · [^\n]+$/);
  });

  const others = Array.from({ length: 8 }, (_, index) => `other ${index}`);

  test('that folds them counts them, and first names who is on duty, then who drives', () => {
    const chat = known(people('zoë', 'Bo', 'Dee', ...others));
    const one = named(['Bo', '^1[TC] ^7Bo'], ['ZOË', 'Zoe', { tow: true }], ['dora', '^4Dee']);
    const [, field, foot] = shown({ names: 'on' }, facts({ chat, live: { ...noFiles, one } })).fields;
    expect(field?.value.replaceAll('\u00a0', ' ')).toBe('🟢 online 11\n🛻 zoë · 🚗 Bo · 🚗 Dee · +8 more');
    expect(foot?.name).toBe('Driving · 13');
  });

  test('that folds them names all where they are ten at most, those who drive first', () => {
    const few = others.slice(0, 7);
    const chat = known(people('zoë', 'Bo', 'Dee', ...few));
    const one = named(['Bo', 'Bo'], ['ZOË', 'Zoe', { tow: true }]);
    const [, field] = shown({}, facts({ chat, live: { ...noFiles, one } })).fields;
    expect(field?.value.replaceAll('\u00a0', ' ')).toBe(
      `🟢 online 10\n🛻 zoë · 🚗 Bo · Dee · ${few.join(' · ')}`,
    );
    expect(shown({}, facts({ chat: known(people('Ann')) })).fields[1]?.value).toBe(
      '🟢\u00a0online\u00a01\nAnn',
    );
  });

  test('that folds them names nobody if a name is ambiguous or nobody drives', () => {
    const chat = known(people('Ann', 'ann', 'Bo', 'Dee', ...others));
    const one = named(['Ann', 'Ann'], ['Bo', 'Bo'], ['bob', '^1Bo'], ['boris', 'BO'], ['dora', 'Dee']);
    const two = named(['deirdre', '^3dee']);
    for (const live of [noFiles, { ...noFiles, one, two }])
      expect(shown({}, facts({ chat, live })).fields[1]?.value).toBe('🟢\u00a0online\u00a012');
  });

  test('without names has none, folded or not, and ignores a file that stands still', () => {
    const chat = known(people('Ann'));
    const live = { ...noFiles, one: named(['Ann', 'Ann']) };
    for (const members of ['on', 'folded'] as const)
      expect(shown({ members, names: 'off' }, facts({ chat, live })).fields[1]?.value).toBe(
        '🟢\u00a0online\u00a01',
      );
    const old = { ...live, one: { ...live.one, asOf: NOON - MINUTE }, two: known(liveFile()) };
    expect(shown({}, facts({ chat, live: old })).fields[1]?.value).toBe('🟢\u00a0online\u00a01\nAnn');
  });

  test('that folds them fits a phone: 26 lines of 40 characters with drivers’ names', () => {
    const busy = Array.from({ length: 60 }, (_, index) => `driver ${index}`);
    const file = named(...busy.map((name) => [name, `^1${name}`, { med: true, isChased: true }] as const));
    const live = { one: file, two: file, three: file, four: file };
    const chat = known(people(...busy));
    const { summary = '', fields: all } = shown({}, facts({ chat, live }));
    const text = ['Live servers', summary, ...all.flatMap(({ name, value }) => [name, value])].join('\n');
    const lines = text
      .replaceAll(/```.*```/gs, '')
      .replaceAll(/<t:\d+:R>/g, '12 minutes ago')
      .split('\n')
      .map((line) => Math.ceil([...line].length / 40) || 1);
    expect(lines.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(26);
  });
});

describe('who is driving', () => {
  const on = (players: Readonly<Record<string, object>>) => known(liveFile(liveJson(players)));
  const named = (un: string, nn: string | null = null, flags: object = { cop: false }) => ({
    un,
    nn,
    ...flags,
  });
  const field = (of: Facts, view: BoardView = newBoardOptions, as = t) =>
    drawn(of, live, view, as).embeds[0].fields?.find(({ name }) => name.startsWith('Driving'));
  const one = on({
    1: named('zoe', '^4Zo^2e'),
    2: named('kenny', '^1K^3enny', { med: true, hazard: true }),
    3: named('ann'),
    4: { cop: true },
  });
  const two = on({ 1: named('bo', '^7Bo') });
  const of = facts({ live: { ...noFiles, one, two } });

  test('of more than ten with names leaves a small count of the members below them', () => {
    const drivers = (count: number) =>
      on(Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at + 1), named(`d${at}`)])));
    const members = (count: number) => {
      const busy = facts({ live: { ...noFiles, one: drivers(count) } });
      return drawn(busy, live, { ...newBoardOptions, members: 'on' }).embeds[0].fields ?? [];
    };
    expect(members(10)[1]?.value).toContain('**🟢 online ');
    expect(members(11).map(({ name }) => name)).toEqual(['Driving · 21', 'Channels']);
    expect(members(11).at(-1)?.value).toMatch(/\n-# [^\n]+ · \d+\+?\n-# 🟢 live · [^\n]+$/);
  });

  test('stands in full width below both columns, by server, in colours, with duty signs', () => {
    const shown = field(of);
    expect(shown?.inline).toBe(false);
    const [block, foot] = shown?.value.split('\n```\n') ?? [];
    expect(block).toBe(
      '```ansi\nOne: \u001b[31mK\u001b[33menny\u001b[0m\u00a0🚑\u2060⚠️ · ann · \u001b[34mZo\u001b[32me\u001b[0m · +1\nTwo: Bo\nTraining: +1',
    );
    // One by one: four and one in files, and one by the overview, on a server without a file.
    expect(shown?.name).toBe('Driving · 6');
    expect(foot).toMatch(/^-# ⚠️ hazard\n-# 🟢 live · drivers <t:\d+:R>, the rest <t:\d+:R>$/);
  });

  test('counts duty only on the servers whose drivers it names', () => {
    expect(server('One', of).at(-1)).toBe('🟢 36 free · South City Long');
    const unnamed = facts({ live: { ...noFiles, one, two: on({ 1: { cop: true } }) } });
    expect(server('Two', unnamed).at(-1)).toBe('🟢 23 free · Kyoto Grand Prix · 🚓\u00a01');
  });

  test('is a plain list where the guild hides colours', () => {
    const plain = translatorFor('en-GB', { unit: 'kilometre', colours: false });
    expect(field(of, newBoardOptions, plain)?.value).toMatch(
      /^\*\*One:\*\* Kenny\u00a0🚑\u2060⚠️ · ann · Zoe · \+1\n\*\*Two:\*\* Bo\n\*\*Training:\*\* \+1\n-# /,
    );
  });

  test('is left out for nameless or old files, offline servers and hidden names', () => {
    expect(field(facts())).toBeUndefined();
    expect(field(facts({ live: { ...noFiles, one: on({ 1: { cop: true } }) } }))).toBeUndefined();
    expect(field(facts({ live: { ...noFiles, one: { ...one, asOf: NOON - MINUTE } } }))).toBeUndefined();
    const { one: open } = overviewJson;
    const overview = known(servers({ one: { ...open, online: false } }));
    expect(field(facts({ overview, live: { ...noFiles, one } }))).toBeUndefined();
    expect(field(of, { ...newBoardOptions, names: 'off' })).toBeUndefined();
    const [servers_] = drawn(of, live, { ...newBoardOptions, names: 'off' }).embeds[0].fields ?? [];
    expect(servers_?.value).toContain('🚓\u00a01 🚑\u00a01 ⚠️\u00a01');
    expect(field(of, { ...newBoardOptions, servers: ['two'] })?.value).toMatch(/^```\nTwo: Bo\n```/);
  });

  test('in another order is the same card, and in other colours another one', () => {
    const of_ = (...players: readonly object[]) =>
      facts({ live: { ...noFiles, one: on(Object.fromEntries(players.entries())) } });
    const [a, b, c] = [named('a', '^1Same'), named('b', '^1Same'), named('c', '^2Other')];
    expect(drawn(of_(a, b, c), bare)).toEqual(drawn(of_(c, b, a), bare));
    expect(drawn(of_(a, b, named('c', '^3Other')), bare)).not.toEqual(drawn(of_(a, b, c), bare));
  });

  test.each([
    ['with colours', t],
    ['without', translatorFor('en-GB', { unit: 'kilometre', colours: false })],
  ])('of sixty colourful names on four servers is cut fairly, by whole names: %s', (_with, as) => {
    const name = (at: number) =>
      Array.from(
        `Driver number ${at} of many`.padEnd(24, 'x').slice(0, 24),
        (c, i) => `^${(i % 6) + 1}${c}`,
      ).join('');
    const file = (begin: number) =>
      on(
        Object.fromEntries(
          Array.from({ length: 15 }, (_, at) => [at, named(`d${begin + at}`, name(begin + at))]),
        ),
      );
    const full = { online: true, guests: 15, maxGuests: 40, trackName: 'Rockingham International Long' };
    const busy = facts({
      overview: known(servers({ one: full, two: full, three: full, four: full })),
      live: { one: file(0), two: file(15), three: file(30), four: file(45) },
      chat: known(
        chatServer({
          members: Array.from({ length: 100 }, (_, id) => ({
            id: String(id),
            username: `${id}${'m'.repeat(30)}`,
          })),
        }),
      ),
    });
    for (const view of [newBoardOptions, everything]) {
      const card = drawn(busy, live, view, as);
      expect(breaches(card)).toEqual([]);
      const shown = card.embeds[0].fields?.find(({ name: title }) => title.startsWith('Driving'));
      expect(shown?.name).toBe('Driving · 60');
      const lines =
        shown?.value.split('\n').filter((line) => /^(\*\*)?(One|Two|Three|Four):/.test(line)) ?? [];
      const counts = lines.map(
        (line) =>
          line
            .replaceAll(COLOUR, '')
            .split(/:(?:\*\*)? /)[1]
            ?.split(' · ') ?? [],
      );
      expect(counts).toHaveLength(4);
      const named_ = counts.map((all) => all.filter((entry) => !/^\+\d+$/.test(entry)).length);
      const more = counts.map((all) => Number(/^\+(\d+)$/.exec(all.at(-1) ?? '')?.[1] ?? 0));
      expect(named_.map((count, at) => count + (more[at] ?? 0))).toEqual([15, 15, 15, 15]);
      expect(Math.min(...named_)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...named_) - Math.min(...named_)).toBeLessThanOrEqual(1);
    }
  });

  test('of as many names on each server as a file may have is drawn', () => {
    const crowded = on(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, named(`d${at}`)])));
    const all = { one: crowded, two: crowded, three: crowded, four: crowded };
    const shown = field(facts({ live: all }));
    expect(shown?.name).toBe('Driving · 2,001');
    expect(shown?.value.match(/\+4\d\d/g)).toHaveLength(4);
  });

  test('stays beside eighty servers that name nobody, whatever they are called', () => {
    const { one: open } = overviewJson;
    const named_ = (name: (at: number) => string) =>
      Object.fromEntries(Array.from({ length: 80 }, (_, at) => [name(at), open]));
    const crowded = (name: (at: number) => string) =>
      facts({ overview: known(servers({ one: open, ...named_(name) })), live: { ...noFiles, one } });
    const shown = field(crowded((at) => `server ${at}`));
    expect(shown?.value.replaceAll(COLOUR, '')).toMatch(
      /\nOne: Kenny.*\nserver 0, server 1, .*, \+\d\d more: \+3,200\n```/,
    );
    for (const name of [...hostile, 'x'.repeat(40)])
      expectSound(
        crowded((at) => `${name}${at}`),
        live,
        'en-GB',
      );
  });

  test('with hostile names is shown literally, with colours and without', () => {
    for (const name of hostile) {
      const live_ = { ...noFiles, one: on({ 1: named(name, name), 2: named('bo', `^1${name}`) }) };
      expectSound(facts({ live: live_ }), live, 'en-GB');
      const plain = translatorFor('en-GB', { unit: 'kilometre', colours: false });
      expect(strayMarkup(drawn(facts({ live: live_ }), live, everything, plain).embeds[0])).toEqual([]);
    }
  });
});

describe('how far it can be trusted', () => {
  const line = (age: Age): string => {
    const [{ description = '', fields: all = [] }] = drawn(facts(), age).embeds;
    return (all.at(-1)?.value ?? description).split('\n').at(-1) ?? '';
  };
  const lead = (age: Age) => drawn(facts(), age).embeds[0].description;

  test('is one line with the age of the drivers, and of the rest', () => {
    const ago = (ms: number) => `<t:${(NOON - ms) / 1000}:R>`;
    const parts = `drivers ${ago(4000)}, the rest ${ago(2 * MINUTE)}`;
    expect(line(live)).toBe(`-# 🟢 live · ${parts}`);
    expect(line({ ...live, mode: 'stale', times: { ...checked, drivers: null } })).toBe(
      `-# ⚠️ old data · ${ago(2 * MINUTE)}`,
    );
    expect(line({ ...bare, mode: 'no-data', checked: NOON })).toBe(`-# ⛔ no data · ${ago(0)}`);
    expect(line(bare)).toBe('-# 🟢 live');
  });

  test.each([
    [4100, 'updates every 5 s'],
    [50_000, 'updates every 50 s'],
    [62_500, 'updates every 65 s'],
    [120_000, 'updates every 120 s'],
    [121_000, 'updates every 3 min'],
    [1_250_000, 'updates every 21 min'],
  ])('says how often it is updated where that takes long: %s ms', (round, said) => {
    expect(line({ ...bare, round })).toBe(`-# 🟢 live · ${said}`);
    // A bot that has stopped updates nothing.
    expect(line({ ...bare, round, mode: 'paused' })).toBe('-# ⏸️ paused');
  });

  test('is said in words above the figures in every look but those that have new parts', () => {
    expect(lead(live)).toBe('**50 driving** · 46 free');
    // An old part among new ones is marked itself.
    expect(lead({ ...live, mode: 'partly-stale' })).toBe('**50 driving** · 46 free');
    const cut = lead({ ...live, mode: 'partly-stale', whys: ['over-budget', 'over-budget'] });
    expect(cut).toBe(
      '⚠️ **Incomplete.** My hourly request limit is used up for now.\n**50 driving** · 46 free',
    );
    expect(lead({ ...live, mode: 'stale', whys: ['frozen'] })).toBe(
      `⚠️ **Old data**, from <t:${NOON / 1000 - 120}:R>. The data service has stopped updating.`,
    );
    expect(lead({ ...live, mode: 'no-data', whys: ['unavailable'] })).toMatch(
      /^⛔ \*\*No data\.\*\* The data service isn't answering\.\n-# ⛔ no data/,
    );
    expect(lead({ ...live, mode: 'paused' })).toContain('Paused');
    expect(fields(facts(), { ...live, mode: 'paused' })).toHaveLength(3);
  });

  test('without data there are no numbers, only since when', () => {
    const text = JSON.stringify(drawn(facts(), { ...live, mode: 'no-data' }).embeds).replaceAll(
      /<t:\d+:R>/g,
      '',
    );
    expect(text).toContain('No data');
    expect(text).not.toMatch(/\d/);
  });

  test('alone has the times: the same facts, loaded later, make the same card', () => {
    const later = (ms: number) => {
      const at = NOON + ms;
      const of: Facts = {
        overview: known(servers(), at),
        live: { ...noFiles, one: known(liveFile(), at) },
        chat: known(chatServer(), at),
      };
      return { ...bare, shown: judgeFacts(of, at) };
    };
    for (const mode of modes) {
      const content = boardCard({ ...later(0), mode }, everything, t);
      expect(boardCard({ ...later(60 * MINUTE), mode }, everything, t)).toEqual(content);
      expect(JSON.stringify(content)).not.toContain('<t:');
    }
  });

  test('another order of the same members is the same card', () => {
    const { members: rows } = chatServer();
    const reversed = withChat({ members: rows?.toReversed() });
    expect(drawn(reversed, bare)).toEqual(drawn(facts(), bare));
  });
});

// ── The worst that may come ─────────────────────────────────────────────────────────────────────────

function expectSound(of: Facts, age: Age, locale: string, view = everything): void {
  const card = drawn(of, age, view, translatorFor(locale));
  expect(breaches(card)).toEqual([]);
  expect(strayMarkup(card.embeds[0])).toEqual([]);
  expect(JSON.stringify(card.embeds)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
}

/** Names that are shown, and how many more the card says there are. */
function accounted(value: string): { readonly names: readonly string[]; readonly more: number } {
  const entries = value
    .split('\n\n')
    .flatMap((group) => group.split('\n').slice(1).join('\n').split(' · '))
    .filter((entry) => entry !== '');
  const counts = entries.flatMap((entry) => /^\+([\d,]+) more$/.exec(entry)?.[1]?.replaceAll(',', '') ?? []);
  return {
    names: entries.filter((entry) => !/^\+[\d,]+ more$/.test(entry)),
    more: counts.reduce((sum, count) => sum + Number(count), 0),
  };
}

const everyone = liveJson(
  Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      index,
      { cop: true, med: true, tow: true, isChased: true, hazard: true, isJoining: true },
    ]),
  ),
);

function crowd(name: string): Facts {
  const full = { online: true, guests: 300, maxGuests: 300, trackName: name };
  const file = known(liveFile(everyone));
  return {
    overview: known(servers({ one: full, two: full, three: full, events: full, training: full })),
    live: { one: file, two: file, three: file, four: null },
    chat: known(
      chatServer({
        name,
        members: Array.from({ length: 100 }, (_, index) => ({
          id: String(index),
          username: index % 2 === 0 ? name : `${index}${name}`,
          status: ['online', 'idle', 'dnd', name][index % 4],
        })),
        channels: Array.from({ length: 50 }, (_, index) => ({ id: String(index), name, position: index })),
      }),
    ),
  };
}

describe.each(worst)('with names of $kind', ({ name, locales }) => {
  test('five full servers and a hundred members fit, every one shown or counted', () => {
    const all = crowd(name);
    for (const mode of modes) for (const locale of locales) expectSound(all, { ...live, mode }, locale);
    const [left, right] = fields(all);
    for (const label of ['One', 'Two', 'Three', 'Events', 'Training'])
      expect(left?.value).toContain(`**${label}** ▰▰▰▰▰▰▰▰▰▰\u00a0300/300\n🔴 full`);
    expect(left?.value).not.toContain('more');
    const { names, more } = accounted(right?.value ?? '');
    expect(names.length).toBeGreaterThan(8);
    expect(names.length + more).toBe(100);
  });
});

test('no name is cut inside a grapheme', () => {
  const { names } = accounted(members(crowd('🇩🇪'.repeat(100))));
  for (const shown of names) expect(shown).toMatch(/^\d*(?:🇩🇪)+…$/u);
});

test('hostile names are shown literally', () => {
  for (const name of hostile) {
    const of = withChat({ members: [{ id: '1', username: name, status: 'online' }], name });
    expectSound(of, live, 'en-GB');
  }
});

// ── Whatever may come ───────────────────────────────────────────────────────────────────────────────

const oddity = fc.constantFrom(null, undefined, '', '0', 0, false, [], {}, 'x', '1e400');
const said = fc.oneof({ weight: 5, arbitrary: inGameText }, { weight: 1, arbitrary: oddity });
const count = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1.7e308, -1.7e308, 5e-324, -0, 1e15),
  oddity,
);
const truth = fc.constantFrom(true, false, 0, 1, '1', null, undefined, 'maybe');
const serverName = fc.oneof(inGameText, fc.constantFrom('one', 'two', 'four', 'events', '__proto__', 'ONE'));
const anyServer = fc.record({
  online: truth,
  track: said,
  trackName: said,
  guests: count,
  maxGuests: count,
});
const player = fc.record({ cop: truth, med: truth, tow: truth, isChased: truth, un: said, nn: said });
const rows = <T>(row: fc.Arbitrary<T>) => fc.oneof(fc.array(row, { maxLength: 120 }), oddity);

/** Facts about one source, as its schema reads them; null for what it cannot read. */
function told<T>(schema: { safeParse(json: unknown): { readonly data?: T } }, json: fc.Arbitrary<unknown>) {
  const asOf = fc.oneof(fc.constant(NOON), fc.integer({ min: NOON - 20 * MINUTE, max: NOON }), fc.integer());
  return fc.tuple(json, asOf).map(([value, at]) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? null : { record: data, asOf: at };
  });
}

const file = told(LiveStatus, fc.record({ time: count, players: fc.dictionary(fc.string(), player) }));
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  overview: told(Overview, fc.oneof(fc.dictionary(serverName, anyServer, { maxKeys: 30 }), anyServer)),
  live: fc.record({ one: file, two: file, three: file, four: file }),
  chat: told(
    ChatStatus,
    fc.record({
      name: said,
      presence_count: count,
      channels: rows(fc.record({ id: said, name: said, position: count })),
      members: rows(
        fc.record({
          id: said,
          username: said,
          status: fc.oneof(said, fc.constantFrom('online', 'idle', 'dnd')),
          channel_id: said,
        }),
      ),
    }),
  ),
});

test('whatever the service sends, Discord accepts a board, and names are literal', () => {
  const moment = fc.option(fc.oneof(fc.integer(), fc.double()));
  const round = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }));
  const parts = fc.record({ drivers: moment, rest: moment });
  const look = fc.record({
    mode: fc.constantFrom(...modes),
    whys: fc.subarray([...whys]),
    since: moment,
    checked: moment,
    times: fc.option(parts),
    round,
  });
  const view: fc.Arbitrary<BoardView> = fc.record({
    servers: fc.option(fc.uniqueArray(fc.constantFrom('one', 'two', 'events'), { minLength: 1 })),
    members: fc.constantFrom('on', 'folded', 'off'),
    names: fc.constantFrom('on', 'off'),
  });
  fc.assert(fc.property(anyFacts, look, fc.constantFrom(...locales), view, expectSound), { numRuns: 300 });
});
