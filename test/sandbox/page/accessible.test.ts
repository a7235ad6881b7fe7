/** The page as axe judges it: at both widths, in both themes, with everything that can be open. */
import axe from 'axe-core';
import { ButtonStyle, ComponentType, MessageFlags } from 'discord-api-types/v10';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { hasChromium } from '../../support/requirements.ts';
import type { FakeChat } from './support/fake-chat.ts';
import { test } from './support/page-test.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const THEMES = ['light', 'dark'] as const;

const Findings = z.array(z.object({ rule: z.string(), says: z.string(), where: z.array(z.string()) }));

/** Every rule of axe, those for good practice included. */
async function findings(page: Page): Promise<z.output<typeof Findings>> {
  await page.evaluate(axe.source);
  return Findings.parse(
    await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({
      rule: id,
      says: nodes[0].failureSummary,
      where: nodes.map(({ target, html }) => target.join(' ') + ' ' + html.slice(0, 120)),
    })))`),
  );
}

/** One of each thing that a message may hold. */
function fill(chat: FakeChat): void {
  const button = (style: ButtonStyle.Primary | ButtonStyle.Danger, disabled: boolean) => ({
    type: ComponentType.Button as const,
    ...{ style, disabled, label: `View ${style}`, custom_id: `${style}` },
  });
  const menu = {
    type: ComponentType.StringSelect as const,
    ...{ custom_id: 'sort', placeholder: 'Sort by', options: [{ value: 'a', label: 'Newest' }] },
  };
  chat.post({
    content: `# Heading\n**Bold** \`code\` ||hidden|| [link](https://example.org) <t:1772910000:R>\n> quote\n- item`,
    embeds: [
      {
        author: { name: 'marek' },
        title: 'Marek Nowicki',
        description: '```ansi\n\u001b[1;36mMa\u001b[33mrek\u001b[37m!\n```',
        thumbnail: { url: 'https://flags.example.org/pl.png' },
        fields: [
          { name: 'Distance', value: '123 km', inline: true },
          { name: 'Money', value: '5 000', inline: true },
        ],
        footer: { text: 'As of' },
        color: 0x2ecc71,
      },
    ],
    components: [
      {
        type: ComponentType.ActionRow,
        components: [button(ButtonStyle.Primary, true), button(ButtonStyle.Danger, false)],
      },
      { type: ComponentType.ActionRow, components: [menu] },
    ],
  });
  chat.post({ content: 'Only yours', flags: MessageFlags.Ephemeral });
}

describe.runIf(hasChromium)('The page, as axe judges it,', () => {
  for (const size of SIZES)
    for (const theme of THEMES)
      test(`has no findings at ${size.width} pixels in ${theme}`, async ({ page, chat }) => {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        fill(chat);
        await page.getByText('Only yours').waitFor();
        expect(await findings(page), 'messages').toEqual([]);

        await page.keyboard.type('/');
        await page.getByRole('option', { name: '/profile' }).waitFor();
        expect(await findings(page), 'the list of commands').toEqual([]);

        await page.keyboard.type('profile ');
        await page.getByRole('group', { name: 'Command /profile' }).waitFor();
        expect(await findings(page), 'a command being written').toEqual([]);
        await page.keyboard.press('Escape');

        await page.getByRole('button', { name: 'Make it go wrong' }).click();
        await page.getByRole('switch').first().waitFor();
        expect(await findings(page), 'the faults').toEqual([]);
        await page.getByRole('button', { name: 'Fill a server' }).click();
        await page.getByRole('status').filter({ hasText: ' is full: ' }).waitFor();
        expect(await findings(page), 'what has happened').toEqual([]);
      });
});
