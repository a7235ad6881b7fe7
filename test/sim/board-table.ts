/**
 * Prints how often a board is edited: a day of the sandbox's community on virtual time, with the names of its drivers and
 * without. Run with `npm run sim -- board [hours]`.
 */
import { liveFile } from '../../src/sandbox/service/generations.ts';
import { createWorld, type World } from '../../src/sandbox/service/world.ts';
import { live } from '../../src/service/endpoints.ts';
import { CHANNEL, createBoardFixture, OWNER, type Sabotage } from '../board/support/board-fixture.ts';

const HOUR = 3_600_000;
const [hours = 24] = process.argv.slice(2).map(Number);

/** What the data service answers about this community, with names beside duties. */
function answering(world: World): Sabotage {
  return {
    service: (_, { clock }) => ({
      async get(endpoint, asked) {
        await new Promise<void>((resolve) => clock.after(50, resolve));
        world.runTo(clock.now());
        const body = bodyOf(endpoint.name, asked);
        const record = endpoint.response.parse(body);
        return { record, asOf: endpoint.trueAt?.(record) ?? clock.now(), stale: null };
      },
    }),
  };
  function bodyOf(name: string, asked: unknown): unknown {
    if (name === 'overview') {
      const servers = ['one', 'two', 'three', 'events', 'training'] as const;
      return Object.fromEntries(servers.map((server) => [server, world.overview(server)]));
    }
    return name === 'live' ? liveFile(world.live(live.params.parse(asked).server), true) : world.chat();
  }
}

for (const names of ['on', 'off'] as const) {
  const fixture = createBoardFixture(1);
  const world = createWorld(1, fixture.time.clock.now(), false);
  const { boards } = fixture.start(answering(world));
  await fixture.time.pass(100);
  const asked = {
    guildId: fixture.chat.guildId,
    channelId: CHANNEL,
    madeBy: OWNER,
    locale: 'en',
    colours: true,
  };
  await fixture.time.until(boards.create({ ...asked, options: { names } }));
  await fixture.time.pass(HOUR);
  const counts: number[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const before = fixture.edits();
    await fixture.time.pass(HOUR);
    counts.push(fixture.edits() - before);
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const times = fixture.chat.seen.map(({ at }) => at);
  const atOnce = times.map(
    (at, index) => times.slice(index, index + 10).filter((each) => each < at + 6000).length,
  );
  const longest = Math.max(...fixture.chat.seen.map(({ content }) => JSON.stringify(content.embeds).length));
  process.stdout.write(
    `names ${names}: ${mean.toFixed(0)} edits an hour, ${Math.min(...counts)} to ${Math.max(...counts)}; ` +
      `${fixture.chat.requests.filter(({ invalid }) => invalid).length} refused; ` +
      `at most ${Math.max(...atOnce)} edits in 6 s (three: ${atOnce.filter((count) => count > 2).length} times) ` +
      `and ${longest} characters\n`,
  );
}
