import { describe, expect, test } from 'vitest';
import type { garageCard } from '../../../../commands/drivers/cards/garage-card.ts';
import { optionsCard } from '../../../../commands/drivers/cards/options-card.ts';
import { Options } from '../../../../src/service/models/options.ts';
import { textOf } from '../../../support/card-text.ts';
import { answer } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
type Card = ReturnType<typeof garageCard>;

describe('options', () => {
  const told = (options: object): Card =>
    optionsCard({ username: 'k3nny', nickname: null }, answer(Options.parse(options)), t);

  test('are said in words and in groups', () => {
    const text = textOf(
      told({ mph: '1', force_mouse: '0', pri_uf1_cop: 'p1', spawn_location: 'harbour', theme: 'amber' }),
    );
    expect(text).toContain('**Options** · 5 changed from the default');
    expect(text).toMatch(/Display\n\*\*Speed\*\* in miles per hour\n\*\*Theme\*\* `amber`/);
    expect(text).toMatch(/Driving\n\*\*Spawn at\*\* `harbour`\n\*\*Forced mouse\*\* off/);
    expect(text).toContain('**UF 1000 · police** `p1`');
  });

  test('show a colour by its name and in that colour, unless colours are not wanted', () => {
    expect(textOf(told({ loccol: '3' }))).toContain(
      '**Location colour**\n```ansi\n\u001b[33myellow\u001b[0m\n```',
    );
    const plain = translatorFor('en-GB', { unit: 'kilometre', colours: false });
    expect(
      textOf(
        optionsCard({ username: 'k3nny', nickname: null }, answer(Options.parse({ loccol: '3' })), plain),
      ),
    ).not.toContain('ansi');
    expect(textOf(told({ loccol: '8' }))).toContain('**Location colour** default');
    expect(textOf(told({ loccol: '12' }))).toContain('**Location colour** 12');
  });

  test('that nobody knows are shown as they are', () => {
    const text = textOf(told({ 'new_*option*': 'x_y', pri_uf1_king: 'k', mph: 'maybe', ['__proto__x']: '' }));
    expect(text).toContain('**new\\_\\*option\\*** `x_y`');
    expect(text).toContain('**pri\\_uf1\\_king** `k`');
    expect(text).toContain('**Speed** `maybe`');
    expect(text).toContain('**\\_\\_proto\\_\\_x** empty');
  });

  test('of which none was changed say so', () => {
    expect(textOf(told([]))).toContain('all at their defaults');
  });
});
