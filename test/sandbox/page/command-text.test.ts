import { describe, expect, test } from 'vitest';
import { readCommandText } from '../../../src/sandbox/page/client/command-text.ts';
import type { CommandView, OptionView } from '../../../src/sandbox/page/protocol.ts';

const option = (untranslated: string, name = untranslated): OptionView => ({
  ...{ name, untranslated, description: '', kind: 'text', required: false, suggested: false, choices: [] },
});
const command = (untranslated: string, name: string, options: readonly OptionView[] = []): CommandView => ({
  ...{ name, untranslated, description: '', options },
});

const commands = [
  command('profile', 'profil', [option('player', 'spieler'), option('note'), option('private', 'privat')]),
  command('board create', 'anzeige erstellen', [option('channel', 'kanal')]),
  command('board', 'anzeige'),
  command('help', 'hilfe'),
];

const optionsOf = (typed: string) => {
  const read = readCommandText(typed, commands);
  return read.type === 'command' ? Object.fromEntries(read.options) : read.type;
};

describe('The options of a typed command', () => {
  test.each([
    ['Marek Nowicki', { spieler: 'Marek Nowicki' }],
    ['spieler:Marek', { spieler: 'Marek' }],
    // As Discord copies a command that was used.
    ['spieler: Marek Nowicki privat: True', { spieler: 'Marek Nowicki', privat: 'True' }],
    ['player: Marek Nowicki private:true', { spieler: 'Marek Nowicki', privat: 'true' }],
    ['Marek private:true', { spieler: 'Marek', privat: 'true' }],
    ['Private:true Player:Marek', { privat: 'true', spieler: 'Marek' }],
    ['privat:', { privat: '' }],
    ['', { spieler: '' }],
  ])('in %j are %j', (typed, options) => {
    expect(optionsOf(`/profil ${typed}`)).toEqual(options);
  });

  test.each([
    ['note:https://example.org/a:b', { note: 'https://example.org/a:b' }],
    ['Team: Marek 12:30', { spieler: 'Team: Marek 12:30' }],
    ['note: seen at 12:30 colour:red privat:true', { note: 'seen at 12:30 colour:red', privat: 'true' }],
    ['notprivate:true', { spieler: 'notprivate:true' }],
    // An option has one value: its name in a later one is text.
    ['player:Marek note:player:Anna', { spieler: 'Marek', note: 'player:Anna' }],
    ['player:Marek note:ask player: Anna', { spieler: 'Marek', note: 'ask player: Anna' }],
    ['Marek player: Anna', { spieler: 'Marek player: Anna' }],
  ])('may have colons in their values: %j', (typed, options) => {
    expect(optionsOf(`/profil ${typed}`)).toEqual(options);
  });
});

describe('A typed command', () => {
  test.each(['/profil Marek', '/profile Marek', '/Profile Marek', '/profile Marek\n'])(
    'is found by its name in either language: %j',
    (typed) => {
      expect(readCommandText(typed, commands)).toMatchObject({ type: 'command', command: commands[0] });
      expect(optionsOf(typed)).toEqual({ spieler: 'Marek' });
    },
  );

  test('is the one with the longest name', () => {
    expect(optionsOf('/board create channel:#servers')).toEqual({ kanal: '#servers' });
    expect(readCommandText('/board ', commands)).toMatchObject({ command: commands[2] });
  });

  test('is looked for in both languages, first among those that begin so', () => {
    const found = (text: string) => {
      const read = readCommandText(text, commands);
      return read.type === 'search' ? read.offered.map(({ untranslated }) => untranslated) : read.type;
    };
    expect(found('/hel')).toEqual(['help']);
    expect(found('/an')).toEqual(['board create', 'board']);
    expect(found('/e')).toEqual(['profile', 'board create', 'board', 'help']);
    expect(found('/create')).toEqual(['board create']);
  });

  test('has no second line', () => {
    expect(readCommandText('/profil Marek\nand Anna', commands).type).toBe('message');
  });
});
