/** A driver proves by a code in the in-game name whose they are: the real bot, over live files with names and without. */
import { expect, vi } from 'vitest';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { readable } from '../support/readable.ts';
import { test as base, evening, type Guest, questions } from '../support/sandbox.ts';

const test = base.extend<{ dataService: DataService }>({
  dataService: async ({ task: _ }, use) => {
    const dataService = await startDataService({ now: evening(), namedLiveFiles: true });
    await use(dataService);
    await dataService.close();
  },
});

/** Links and presses *Verify*; the card and its code. */
async function begin(guest: Guest, player: string) {
  const linked = await guest.ask('link', { player });
  const { message } = await guest.press(linked.message, 'Verify');
  const code = /`(pw-[a-z2-9]{4})`/.exec(message.content)?.[1] ?? '';
  expect(code).not.toBe('');
  return { message, code };
}

const title = async (guest: Guest, player: string) =>
  (await guest.ask('profile', { picture: false, player })).message.embeds[0]?.title ?? '';

test('proves a driver by the code in the live name within 15 s and without a request', async ({
  bot,
  chat,
  dataService,
  visitor,
  neighbour,
}) => {
  const [driver = '', another = ''] = dataService.drivers;
  const { message, code } = await begin(visitor, driver);
  const theirs = await begin(neighbour, another);
  expect(await title(visitor, driver)).not.toContain('✅');
  const asked = questions(dataService).length;
  const card = () => {
    const shown = chat
      .visitor(visitor.id)
      .messages(visitor.channelId)
      .find(({ id }) => id === message.id);
    return shown === undefined ? '' : readable(shown);
  };
  // Another driver with this code, and this driver with another's.
  dataService.driveAs(another, `^1${code}`);
  dataService.driveAs(driver, `^7[TC] ^1${theirs.code}`);
  // A live file counts as fresh for a second.
  await vi.waitFor(async () => {
    const checked = await visitor.press(message, 'Check now');
    expect(checked.text.replaceAll('\\', '')).toContain(`has the name [TC] ${theirs.code} right now`);
  }, 20_000);
  expect((await neighbour.press(theirs.message, 'Check now')).text).toContain('right now');

  dataService.driveAs(driver, `^7[TC] ^3${code.slice(0, 4)}^1${code.slice(4).toUpperCase()}`);
  await vi.waitFor(() => expect(card()).toMatch(/^✅ Verified\. You can take the code out again\.$/), 20_000);
  expect(questions(dataService)).toHaveLength(asked);

  expect(await title(neighbour, driver)).toMatch(/✅$/);
  expect(await title(neighbour, another)).not.toContain('✅');
  expect((await neighbour.open('Driver profile', visitor.id)).text).toContain('✅ (verified)');
  expect((await visitor.ask('link', { player: driver })).text).toMatch(/✅ \(verified\)/);
  expect((await visitor.ask('privacy', {})).text).toMatch(/Linked to .* ✅ \(verified\)/);
  expect(bot.output).not.toContain('"bug"');
}, 30_000);

test('survives a restart, takes the driver over, tells the earlier owner once', async ({
  bot,
  chat,
  dataService,
  visitor,
  neighbour,
}) => {
  const [driver = ''] = dataService.drivers;
  await neighbour.ask('link', { player: driver });
  const hiding = await neighbour.press((await neighbour.ask('privacy', {})).message, 'Hide me');
  expect(hiding.text).toMatch(/This takes effect in \d+ hours/);
  await neighbour.press(hiding.message, 'Show again');

  const taken = await visitor.ask('link', { player: driver });
  expect(taken.text).toMatch(/already linked to someone else/);
  const { message } = await visitor.press(taken.message, 'Verify');
  const code = /`(pw-[a-z2-9]{4})`/.exec(message.content)?.[1] ?? '';
  await bot.stop();
  dataService.driveAs(driver, `^4${code}`);
  await bot.start();
  await vi.waitFor(
    async () => expect((await visitor.ask('profile', { picture: false })).text).toContain('✅'),
    20_000,
  );
  const direct = chat.directChannel(neighbour.id);
  const notices = () => chat.visitor(neighbour.id).messages(direct).map(readable);
  await vi.waitFor(() => expect(notices()).toHaveLength(1), 20_000);
  expect(notices()[0]).toMatch(/your link to that driver has ended/);
  expect((await neighbour.ask('profile', { picture: false })).text).toMatch(/\/link/);

  expect((await visitor.press((await visitor.ask('privacy', {})).message, 'Hide me')).text).toMatch(
    /is hidden/,
  );
  const question = await visitor.ask('forget-me', {});
  expect((await visitor.press(question.message, 'Delete everything')).text).toMatch(/Everything is deleted/);
  expect(bot.output).not.toContain(code);
}, 40_000);

base(
  'where no live file names drivers, each *Check now* costs one look-up, and six are the end',
  async ({ bot: _, dataService, visitor, neighbour }) => {
    const [driver = ''] = dataService.drivers;
    const { message, code } = await begin(visitor, driver);
    const asked = questions(dataService).length;
    for (let look = 1; look <= 6; look += 1) {
      const checked = await visitor.press(message, 'Check now');
      expect(checked.text).toContain(`without \`${code}\``);
      // Five in half a minute are a person's share, and /link was the first.
      expect(questions(dataService)).toHaveLength(asked + Math.min(look, 4));
      expect(checked.text.includes('⚠️')).toBe(look > 4);
    }
    expect((await visitor.press(message, 'Check now')).text).toMatch(/You have used all six checks/);
    expect(questions(dataService)).toHaveLength(asked + 4);
    expect((await visitor.press(message, 'Cancel')).text).toMatch(/Stopped/);

    const again = await begin(neighbour, driver);
    expect(again.code).not.toBe(code);
    dataService.driveAs(driver, `^1${again.code}`);
    expect((await neighbour.press(again.message, 'Check now')).text).toMatch(/^✅ Verified/);
  },
);

base(
  'a proof ends after ten minutes, and the card offers another one',
  async ({ bot, dataService, visitor }) => {
    const [driver = ''] = dataService.drivers;
    const { message, code } = await begin(visitor, driver);
    await bot.stop();
    dataService.driveAs(driver, `^1${code}`);
    await bot.start(11 * 60_000);
    const late = await visitor.press(message, 'Check now');
    expect(late.text).toMatch(/Time's up/);
    const next = await visitor.press(late.message, 'Verify');
    expect(next.text).not.toContain(code);
    expect(await title(visitor, driver)).not.toContain('✅');
  },
);
