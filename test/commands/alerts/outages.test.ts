/** Alerts on outages: what a record of them says, and the real recorder, store and rounds on virtual time. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCondition } from '../../../commands/alerts/models/readings.ts';
import { takeSnapshot } from '../../../commands/alerts/models/snapshot.ts';
import type { Condition, Watch } from '../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { Outage } from '../../../src/community/history/history.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { recordedHistory, START } from '../../community/history/support/recorded-history.ts';
import { bot } from '../../support/bot-in-memory.ts';
import { startTime } from '../../support/start-time.ts';
import { channelWatch, directWatch, storeWatches } from './support/watches.ts';

const outageOf = (goes: 'down' | 'back' | 'both', server: string | null = 'one', after = 5) =>
  ({ kind: 'outage', server, goes, after }) as const satisfies Condition;

describe('a record of outages says', () => {
  /** In minutes. */
  const at = (from: number, until: number, to: number | null): Outage => ({
    from: from * MINUTE,
    until: until * MINUTE,
    to: to === null ? null : to * MINUTE,
  });
  const three = [at(0, 6, 6), at(20, 26, 26), at(40, 46, 46)];

  test.each<readonly [string, readonly Outage[], number, 'down' | 'back' | 'both', readonly string[] | null]>(
    [
      ['nothing of a short one', [at(100, 104, null)], 104, 'both', []],
      ['that it is down', [at(100, 106, null)], 106, 'both', ['down 100']],
      ['nothing to who only wants to know that it is back', [at(100, 106, null)], 106, 'back', []],
      ['nothing that is known while nothing can be read', [at(100, 106, null)], 115, 'both', null],
      ['that it is back', [at(100, 110, 110)], 112, 'both', ['back 100']],
      ['nothing to who only wants to know that it is down', [at(100, 110, 110)], 112, 'down', []],
      ['nothing of one that is long over', [at(100, 110, 110)], 141, 'both', []],
      ['that it is back after at most so long', [at(100, 110, 122)], 123, 'both', ['back 100']],
      ['nothing of an end that nobody saw for long', [at(100, 110, 145)], 146, 'both', []],
      ['nothing of one that was short when it was last seen', [at(100, 103, 122)], 123, 'both', []],
      ['that it is unstable at the third within an hour', three, 47, 'both', ['unstable 0']],
      ['the same while it goes on', [...three, at(61, 70, null)], 70, 'both', ['unstable 0']],
      ['nothing an hour after the last', three, 107, 'both', []],
      [
        'that it is down, two hours after an unstable time',
        [...three, at(180, 186, null)],
        186,
        'both',
        ['down 180'],
      ],
      [
        'each of three that are further apart',
        [at(0, 6, 6), at(30, 36, 36), at(70, 76, null)],
        76,
        'both',
        ['down 70'],
      ],
    ],
  )('%s', (_what, outages, now, goes, met) => {
    const reading = readCondition(outageOf(goes), {
      ...{ snapshot: takeSnapshot(noFacts, 0), namesDrivers: null, car: null, profile: null },
      outages: new Map([['one', outages]]),
      now: now * MINUTE,
    });
    const inMinutes = (name: string) => name.replace(/\d+/, (ms) => `${Number(ms) / MINUTE}`);
    expect(reading?.met.map(inMinutes) ?? null).toEqual(met);
  });
});

const alertOn = (condition: Condition, id = 'aaaaaa'): Watch => directWatch(id, { condition, atNight: true });

function botWithHistory() {
  const past = recordedHistory(startTime(START));
  past.two.drivers = [];
  const all = bot({ features: ['alerts'], time: past.time, history: past.history });
  return {
    ...{ ...past, startRecorder: past.start },
    messages: all.messages,
    /** What was sent, without its time: "4 **One** is down", with the hour for what comes in the night. */
    texts: () => all.messages.map(({ content }) => content.replaceAll(/ · <t:\d+:R>/g, '')),
    watch: (...watches: readonly Watch[]) => storeWatches(all.documents, ...watches),
    /** A process that keeps the alerts. */
    startAlerts() {
      const process = all.again();
      process.start();
      return process;
    },
    async outage(ms: number) {
      past.one.gone = true;
      await past.time.pass(ms);
      past.one.gone = false;
    },
  };
}

describe('an alert on a server', () => {
  test('ignores an outage of 90 seconds, and reports a longer one and its end once each', async () => {
    const here = botWithHistory();
    await here.startRecorder();
    await here.watch(alertOn(outageOf('both', 'one', 2)));
    here.startAlerts();
    await here.time.pass(20 * MINUTE);
    await here.outage(90 * SECOND);
    await here.time.pass(20 * MINUTE);
    expect(here.texts()).toEqual([]);
    await here.outage(10 * MINUTE);
    await here.time.pass(HOUR);
    expect(here.texts()).toEqual(['🔴 **One** is down', '🟢 **One** is back after 10\u00a0min']);
    expect(JSON.stringify(here.messages[1])).toContain('1:watch:stop:aaaaaa');
  });

  test('is said by one of two processes, and across a kill of both in the middle', async () => {
    const here = botWithHistory();
    const recorder = await here.startRecorder();
    await here.watch(alertOn(outageOf('both')));
    const before = [here.startAlerts(), here.startAlerts()];
    await here.time.pass(20 * MINUTE);
    here.one.gone = true;
    await here.time.pass(7 * MINUTE);
    expect(here.texts()).toEqual(['🔴 **One** is down']);
    for (const process of before) process.kill();
    recorder.kill();
    await here.time.pass(MINUTE);
    await here.startRecorder();
    here.startAlerts();
    here.startAlerts();
    await here.time.pass(2 * MINUTE);
    here.one.gone = false;
    await here.time.pass(HOUR);
    expect(here.texts()).toEqual(['🔴 **One** is down', '🟢 **One** is back after 10\u00a0min']);
  });

  test('says of an outage that ended while the bot was down how long it can have been', async () => {
    const here = botWithHistory();
    const recorder = await here.startRecorder();
    await here.watch(alertOn(outageOf('both')));
    const rounds = here.startAlerts();
    await here.time.pass(20 * MINUTE);
    here.one.gone = true;
    await here.time.pass(7 * MINUTE);
    rounds.kill();
    await recorder.stop();
    await here.time.pass(15 * MINUTE);
    here.one.gone = false;
    await here.startRecorder();
    here.startAlerts();
    await here.time.pass(20 * MINUTE);
    expect(here.texts()).toEqual(['🔴 **One** is down', '🟢 **One** is back after at most 23\u00a0min']);
  });

  test('makes one message of a third outage within an hour, and of all that follow', async () => {
    const here = botWithHistory();
    await here.startRecorder();
    await here.watch(alertOn(outageOf('both', 'one', 2)));
    here.startAlerts();
    await here.time.pass(20 * MINUTE);
    for (let round = 0; round < 5; round += 1) {
      await here.outage(4 * MINUTE);
      await here.time.pass(10 * MINUTE);
    }
    await here.time.pass(2 * HOUR);
    expect(here.texts()).toEqual([
      '🔴 **One** is down',
      expect.stringContaining('back after 4'),
      '🔴 **One** is down',
      expect.stringContaining('back after 4'),
      expect.stringMatching(/^🟠 \*\*One\*\* has been unstable since <t:\d+:t>$/),
    ]);
  });

  test('sends at most six a day, and at night keeps outages that last until the morning', async () => {
    const here = botWithHistory();
    await here.startRecorder();
    await here.watch(channelWatch('aaaaaa', { condition: outageOf('both') }));
    here.startAlerts();
    // The time begins at midnight, in London.
    await here.time.pass(HOUR);
    await here.outage(10 * MINUTE);
    await here.time.pass(HOUR);
    here.one.gone = true;
    await here.time.pass(5 * HOUR);
    expect(here.texts()).toEqual([]);
    await here.time.pass(HOUR);
    expect(here.texts()).toEqual(['🔴 **One** is down']);
  });

  test.each(['down', 'frozen', 'garbage'] as const)(
    'calls no server down while the service is %s',
    async (how) => {
      const here = botWithHistory();
      const process = await here.startRecorder();
      onTestFinished(process.watchAsBoard());
      here.overview = { one: { online: true }, two: { online: true } };
      await here.watch(
        alertOn(outageOf('both', 'one', 2)),
        alertOn(outageOf('both', 'two', 2), 'bbbbbb'),
        alertOn(outageOf('both', null, 2), 'cccccc'),
      );
      here.startAlerts();
      await here.time.pass(20 * MINUTE);
      if (how === 'frozen') here.file.frozenAt = here.time.clock.now();
      else here.file.down = true;
      // Not readable as a map of servers.
      if (how === 'garbage') here.overview = null;
      await here.time.pass(10 * MINUTE);
      here.file.down = false;
      here.file.frozenAt = null;
      here.overview = { one: { online: true }, two: { online: true } };
      await here.time.pass(HOUR);
      expect(here.texts()).toEqual([
        "🔴 The **data service** doesn't answer",
        '🟢 The **data service** answers again after 10\u00a0min',
      ]);
    },
  );
});
