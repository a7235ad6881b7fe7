/** The page as axe judges it: at both widths, in both themes, with everything that can be open. */
import axe from 'axe-core';
import { ButtonStyle, ComponentType, MessageFlags, TextInputStyle } from 'discord.js';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { hasChromium } from '../../support/requirements.ts';
import { DIRECT, type FakeChat } from './support/fake-chat.ts';
import { test } from './support/page-test.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const THEMES = ['light', 'dark'] as const;

const Findings = z.array(z.object({ rule: z.string(), says: z.string(), where: z.array(z.string()) }));

/**
 * Every rule of axe, those for good practice included, for the page or a part of it. The colours of a name in the game are
 * Discord's own, on which axe would have a word.
 */
async function findings(page: Page, part = 'html'): Promise<z.output<typeof Findings>> {
  return Findings.parse(
    await page.evaluate(`axe.run({ include: '${part}', exclude: 'pre span' }).then(({ violations }) => violations.map(({ id, nodes }) => ({
      rule: id,
      says: nodes[0].failureSummary,
      where: nodes.map(({ target, html }) => target.join(' ') + ' ' + html.slice(0, 120)),
    })))`),
  );
}

/**
 * What can be pressed or picked and is smaller than a finger hits. Words within a text are as high as its lines; a box to tick
 * is hit by its label, too.
 */
async function small(page: Page): Promise<readonly string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`[...document.querySelectorAll('button, select, input, summary, a.button, [role=option], .tick')]
      .filter((one) => one.checkVisibility() && !one.matches('.mention') && !one.closest('label.option') && !one.matches('.tick input'))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 32 || height < 32)
      .map(([one, { width, height }]) => \`\${one.outerHTML.slice(0, 80)} \${width} × \${height}\`)`),
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
        title: 'Marek Nowicki',
        description: '```ansi\n\u001b[1;36mMa\u001b[33mrek\u001b[37m!\n```',
        fields: [
          { name: 'Distance', value: '123 km', inline: true },
          { name: 'Money', value: '5 000', inline: true },
        ],
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

/** A field of each kind. */
const form = {
  custom_id: 'x',
  title: 'Set up',
  components: [
    {
      type: ComponentType.Label as const,
      label: 'Language',
      description: 'Of my answers',
      component: {
        ...{ type: ComponentType.StringSelect as const, custom_id: 'language', required: true },
        ...{ min_values: 1, max_values: 1, options: [{ label: 'English', value: 'en' }] },
      },
    },
    {
      type: ComponentType.Label as const,
      label: 'Below',
      component: {
        ...{ type: ComponentType.TextInput as const, custom_id: 'below', required: false },
        ...{ style: TextInputStyle.Short as const },
      },
    },
    {
      type: ComponentType.Label as const,
      label: 'Distances',
      description: 'In all answers',
      component: {
        ...{ type: ComponentType.RadioGroup as const, custom_id: 'distances', required: true },
        options: [
          { label: 'Kilometres', value: 'km', default: true },
          { label: 'Miles', value: 'miles', description: 'As on the signs in the game' },
        ],
      },
    },
    {
      type: ComponentType.Label as const,
      label: 'More',
      component: {
        ...{ type: ComponentType.CheckboxGroup as const, custom_id: 'more', required: false },
        ...{ min_values: 0, max_values: 1, options: [{ label: 'Colours', value: 'colours' }] },
      },
    },
    {
      type: ComponentType.Label as const,
      label: 'Tell everybody',
      component: {
        ...{ type: ComponentType.Checkbox as const, custom_id: 'tell', default: false, required: false },
      },
    },
  ],
};

describe.runIf(hasChromium)('The page, as axe judges it,', () => {
  for (const size of SIZES)
    for (const theme of THEMES)
      test(`has no findings at ${size.width} pixels in ${theme}`, async ({ page, chat }) => {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        fill(chat);
        chat.script = { invoke: async () => 'form', form };
        await page.getByText('Only yours').waitFor();
        await page.evaluate(axe.source);
        expect(await findings(page), 'messages').toEqual([]);
        expect(await small(page), 'messages').toEqual([]);

        chat.post({ channel_id: DIRECT, content: 'A slot is free' });
        if (size.width < 900) await page.getByRole('button', { name: 'Channels (new messages)' }).click();
        await page.getByRole('button', { name: 'Pitwall (new messages)' }).waitFor();
        expect(await findings(page, '#channels'), 'the places').toEqual([]);
        expect(await small(page), 'the places').toEqual([]);
        await page.keyboard.press('Escape');

        await page.getByRole('combobox', { name: 'Sort by' }).click();
        await page.getByRole('option', { name: 'Newest' }).waitFor();
        expect(await findings(page, '#messages'), 'a menu').toEqual([]);
        await page.keyboard.press('Escape');

        await page.keyboard.type('/');
        await page.getByRole('option', { name: '/profile' }).waitFor();
        expect(await findings(page, '#composer'), 'the list of commands').toEqual([]);
        expect(await small(page), 'the list of commands').toEqual([]);

        await page.keyboard.type('profile ');
        await page.getByRole('group', { name: 'Command /profile' }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText('player is required').waitFor();
        expect(await findings(page, '#composer'), 'a command being written').toEqual([]);

        await page.keyboard.type('x');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: 'Set up' }).waitFor();
        expect(await findings(page, 'dialog'), 'a form').toEqual([]);
        expect(await small(page), 'a form').toEqual([]);
        await page.getByRole('button', { name: 'Cancel' }).click();

        await page.getByRole('button', { name: 'Make it go wrong' }).click();
        await page.getByRole('button', { name: 'Fill a server' }).click();
        await page.getByRole('status').filter({ hasText: ' is full: ' }).waitFor();
        expect(await findings(page, '#faults'), 'the faults').toEqual([]);
        expect(await small(page), 'the faults').toEqual([]);
        await page.getByRole('button', { name: 'Close' }).click();

        const drawers = page.getByRole('button', { name: 'Members' });
        if (await drawers.isVisible()) await drawers.click();
        await page.locator('#members summary').filter({ hasText: 'carla' }).click();
        await page.getByRole('button', { name: 'Apps: Driver profile (carla)' }).waitFor();
        expect(await findings(page, '#members'), 'the menu on a member').toEqual([]);
        expect(await small(page), 'the menu on a member').toEqual([]);
      });
});
