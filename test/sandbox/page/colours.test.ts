/** Names in their colours can be read on both of Discord's themes. */
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { inColours } from '../../../src/cards/kit/block.ts';
import { hasChromium } from '../../support/requirements.ts';
import { createTranslators } from '../../support/translators.ts';
import { test } from './support/page-test.ts';

const t = createTranslators()('en-GB');
const NAME = '^0a^1b^2c^3d^4e^5f^6g^7h^8i';
/** Discord's yellow has it on its light theme. Text that cannot be seen has 1. */
const LEAST = 2.5;

/** How bright "rgb(1, 2, 3)" is, from 0 to 1, as WCAG reckons. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, back: string): number {
  const [low = 0, high = 0] = [luminance(text), luminance(back)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.runIf(hasChromium).for(['light', 'dark'] as const)('On the %s theme', (theme) => {
  test('every colour of a name is seen, and the block has the brightness of the theme', async ({
    page,
    chat,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    chat.post({ embeds: [{ description: inColours(NAME, t) ?? '' }] });
    await page.getByRole('log').locator('pre code').waitFor();
    const [back = '', ...colours] = z.array(z.string()).parse(
      await page.evaluate(`[...document.querySelectorAll('pre code')].flatMap((code) => [
        getComputedStyle(code.parentElement).backgroundColor,
        ...[...code.childNodes].map((node) => getComputedStyle(node.nodeType === 1 ? node : code).color),
      ])`),
    );
    expect(luminance(back) > 0.5).toBe(theme === 'light');
    expect(new Set(colours).size).toBe(7);
    for (const colour of colours)
      expect(contrast(colour, back), `${colour} on ${back}`).toBeGreaterThan(LEAST);
  });
});
