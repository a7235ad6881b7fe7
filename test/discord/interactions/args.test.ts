import { ApplicationCommandOptionType } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { TextOption } from '../../../src/command-kit/option.ts';
import { readArgs } from '../../../src/discord/interactions/args.ts';
import { typedIn } from '../../support/interaction.ts';
import { noNames } from '../../support/no-names.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const asker = { guild: null, t, clientT: t, recentNames: noNames };

const person = {
  id: '281474976710657001',
  username: 'x',
  discriminator: '0',
  avatar: null,
  global_name: null,
};
const member = { roles: [], joined_at: '2026-01-01T00:00:00Z', permissions: '0', flags: 0 };

/** Reads one text option; `seen` is what its schema got to see. */
function read(text: string) {
  const seen: string[] = [];
  const option: TextOption = {
    kind: 'text',
    description: 'timezone.description',
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
  return {
    seen,
    args: () => readArgs({ timezone: option }, typed, asker),
  };
}

test.each(['ä', '한', '\ufdfa'])(
  '6000 times %s are refused before anything folds or searches them',
  (letter) => {
    const { seen, args } = read(letter.repeat(6000));
    expect(args).toThrow(t('input.timezone'));
    expect(seen).toEqual([]);
  },
);

test('a choice that is not offered any more is said to be that, and not the command', () => {
  const choices = { km: 'settings.distances.kilometres' } as const;
  const option = {
    kind: 'choice',
    description: 'settings.options.distances',
    required: false,
    choices,
  } as const;
  const args = (value: string) => {
    const typed = typedIn({
      options: [{ type: ApplicationCommandOptionType.String, name: 'distances', value }],
    });
    return readArgs({ distances: option }, typed, asker);
  };
  expect(args('km')).toEqual({ distances: 'km' });
  expect(() => args('furlongs')).toThrow(t('discord.oldChoice'));
});

test('a text as long as any name is read', () => {
  const { seen, args } = read('x'.repeat(100));
  expect(args()).toEqual({ timezone: 'x'.repeat(100) });
  expect(seen).toHaveLength(1);
});

test('a member is known to Discord as one of the guild, not just an id that is typed', () => {
  const option = { kind: 'member', description: 'unlink.options.user', required: true } as const;
  const value = '281474976710657001';
  const args = (members: object) => {
    const typed = typedIn({
      options: [{ type: ApplicationCommandOptionType.User, name: 'user', value }],
      resolved: { users: { [value]: person }, members: { ...members } },
    });
    return readArgs({ user: option }, typed, asker);
  };
  expect(() => args({})).toThrow(t('input.member'));
  expect(args({ [value]: member })).toEqual({ user: value });
});

test('the text of a suggestion is read as its value, before its schema sees it', () => {
  const option: TextOption = {
    ...{ kind: 'text', description: 'car.options.vin', required: true, wrong: 'input.vin' },
    schema: z.string().max(5),
    suggested: (shown) => (shown === 'ABCDE · Car' ? 'ABCDE' : null),
  };
  const args = (value: string) => {
    const typed = typedIn({ options: [{ type: ApplicationCommandOptionType.String, name: 'vin', value }] });
    return readArgs({ vin: option }, typed, asker);
  };
  expect(args('ABCDE · Car')).toEqual({ vin: 'ABCDE' });
  expect(args('VWXYZ')).toEqual({ vin: 'VWXYZ' });
  expect(() => args('ABCDE · Bus')).toThrow(t('input.vin'));
});
