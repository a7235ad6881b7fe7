import { expect } from 'vitest';
import { test } from '../support/sandbox.ts';

test('/history shows a picture and the same in words; /busy names no hour so early', async ({
  bot,
  dataService,
  visitor,
}) => {
  const reads = () => dataService.requests.filter(({ path }) => path.includes('/json/')).length;
  // For a board the live files are read every second, and not every ten.
  await visitor.ask('board create', { channel: visitor.channelId });
  const before = reads();
  await expect.poll(reads, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 8);
  // What was read is written once a minute, and at the end.
  await bot.stop();
  await bot.start();

  // The first picture starts the drawing process, for which nobody waits longer than five seconds.
  const drawn = async () => (await visitor.ask('history', {})).message.attachments.length;
  await expect.poll(drawn).toBe(1);
  const { message, text, private: isPrivate } = await visitor.ask('history', {});
  expect(isPrivate).toBe(false);
  expect(text).toMatch(/\*\*Peak\*\* \d+/);
  expect(message.attachments).toHaveLength(1);
  const [picture] = message.attachments;
  expect(picture).toMatchObject({ filename: 'history.png', content_type: 'image/png', width: 800 });
  expect(picture?.description).toMatch(/^Line chart\. .+ Peak \d+/);
  expect(picture?.size).toBeLessThan(160 * 1024);

  const refreshed = await visitor.press(message, 'Refresh');
  expect(refreshed.message.id).toBe(message.id);
  expect(refreshed.message.attachments).toHaveLength(1);
  expect(refreshed.message.attachments[0]?.id).not.toBe(picture?.id);

  const busy = await visitor.ask('busy', {});
  expect(busy.text).toContain('Too early to tell');
  expect(busy.message.attachments).toHaveLength(0);
});

test('*Picture* below a profile is for the presser alone, also shared or refreshed', async ({
  bot: _,
  visitor,
}) => {
  const profile = await visitor.ask('profile', { player: 'Marek Nowicki', picture: false });
  const drawn = async () => (await visitor.press(profile.message, 'Picture')).message.attachments.length;
  await expect.poll(drawn).toBe(1);
  const { message, private: isPrivate, text } = await visitor.press(profile.message, 'Picture');
  expect(message.id).not.toBe(profile.message.id);
  expect(isPrivate).toBe(true);
  const [picture] = message.attachments;
  expect(picture).toMatchObject({ filename: 'driver.png', content_type: 'image/png', width: 800 });
  expect(picture?.size).toBeLessThan(160 * 1024);
  expect(picture?.description).toMatch(/Distance: [\d,]+/);
  // The words are behind the picture and not twice.
  expect(text).not.toContain('Distance');

  const refreshed = await visitor.press(message, 'Refresh');
  expect(refreshed.message.id).toBe(message.id);
  expect(refreshed.message.attachments).toHaveLength(1);

  const shared = await visitor.press(message, 'Share');
  expect(shared.private).toBe(false);
  expect(shared.message.attachments[0]).toMatchObject({ filename: 'driver.png' });
  expect(shared.text).toContain('Shared by');
});

test('/profile is a picture with a line above it, shared as such, or text if preferred', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const player = 'Marek Nowicki';
  const asked = () => dataService.requests.filter(({ query }) => query['username'] === player).length;
  const ask = (options = {}) => visitor.ask('profile', { player, private: true, ...options });
  // On a busy machine, a picture may come too late.
  const askForPicture = async (options = {}) => {
    let answer = await ask(options);
    await expect
      .poll(async () => {
        if (answer.message.attachments.length === 0) answer = await ask(options);
        return answer.message.attachments.length;
      })
      .toBe(1);
    return answer;
  };
  const first = await askForPicture();
  const before = asked();
  expect(first.message).toMatchObject({ embeds: [], attachments: [{ filename: 'driver.png' }] });
  expect(first.message.content).toMatch(/^(?:🟢 On|⚪ Last seen) ?.+$/);
  const shared = await visitor.press(first.message, 'Share');
  expect(shared.message.attachments).toHaveLength(1);
  const open = await askForPicture({ private: false });
  for (const { message } of [shared, open])
    expect(JSON.stringify(message.components)).not.toContain('Always as');

  // The text takes the place of the picture, and leads back to it.
  const overview = await visitor.press(first.message, 'Overview');
  expect(overview.message).toMatchObject({ id: first.message.id, attachments: [], content: '' });
  expect((await visitor.press(overview.message, 'Picture')).message.attachments).toHaveLength(1);

  const saved = await visitor.press((await ask()).message, 'Always as text');
  expect(saved.private).toBe(true);
  expect(saved.text).toContain('answers you with text');
  expect((await ask()).message).toMatchObject({ attachments: [], content: '' });
  expect((await visitor.ask('privacy', {})).text).toContain('answers you with text');
  await visitor.press((await ask({ picture: true })).message, 'Always as a picture');
  await askForPicture();
  expect(asked()).toBe(before);
});
