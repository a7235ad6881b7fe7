import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { TextOption } from '../../../src/app/option.ts';
import { readArgs, typedIn } from '../../../src/discord/interactions/args.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';

const t = createTranslators()('en-GB');

/** Reads one text option; `seen` is what its schema got to see. */
function read(text: string) {
  const seen: string[] = [];
  const option: TextOption = {
    kind: 'text',
    description: 'settings.options.timezone',
    required: true,
    schema: z.string().transform((typed) => {
      seen.push(typed);
      return typed;
    }),
    wrong: 'input.timezone',
  };
  const typed = typedIn({
    options: [{ type: ApplicationCommandOptionType.String, name: 'timezone', value: text }],
  });
  return { seen, args: () => readArgs({ timezone: option }, typed, { guild: null, t }) };
}

test.each(['ä', '한', '\ufdfa'])(
  '6000 times %s are refused before anything folds or searches them',
  (letter) => {
    const { seen, args } = read(letter.repeat(6000));
    expect(args).toThrow(t('input.timezone'));
    expect(seen).toEqual([]);
  },
);

test('a text as long as any name is read', () => {
  const { seen, args } = read('x'.repeat(100));
  expect(args()).toEqual({ timezone: 'x'.repeat(100) });
  expect(seen).toHaveLength(1);
});
