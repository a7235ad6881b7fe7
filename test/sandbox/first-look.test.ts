import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/duration.ts';
import { bringDriver } from '../../src/sandbox/first-look.ts';
import { LiveStatus } from '../../src/service/models/live-status.ts';
import { START, started } from './service/started.ts';

/** An afternoon, and an hour at which hardly anybody drives. */
test.each([START, START - 11 * HOUR])(
  'shows a driver in colours, on a server, and high in the ranking',
  async (at) => {
    const now = () => at;
    const { service, body } = await started({ namedLiveFiles: true, hostileNames: false, now });
    const username = bringDriver(service, at);
    const { nickname } = service.records().find((record) => record.username === username) ?? {};
    expect(nickname).toMatch(/\^[1-6]/);

    const servers = ['one', 'two', 'three', 'four'];
    const files = await Promise.all(servers.map((name) => body(`/json/status_${name}.json`)));
    const driving = files.flatMap((file) => LiveStatus.parse(file).players);
    expect(driving.map((player) => player.username)).toContain(username);

    const { stays, underWay } = service.past(at - 7 * DAY);
    const played = new Map<string, number>();
    for (const { driver, from, to } of [...stays, ...underWay])
      played.set(driver, (played.get(driver) ?? 0) + to - from);
    const ranking = [...played].sort((one, other) => other[1] - one[1]).map(([driver]) => driver);
    expect(ranking.indexOf(username ?? '')).toBeLessThan(10);
  },
);
