import { describe, expect, test } from 'vitest';
import type { garageCard } from '../../../../commands/drivers/cards/garage-card.ts';
import { slotsCard } from '../../../../commands/servers/cards/slots-card.ts';
import { ids, textOf } from '../../../support/card-text.ts';
import { answer, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
type Card = ReturnType<typeof garageCard>;

describe('free slots', () => {
  const overview = servers({
    one: { online: true, guests: 40, maxGuests: 40, trackName: 'A' },
    two: { online: true, guests: 3, maxGuests: 40, trackName: 'B' },
    three: { online: true, guests: 38, maxGuests: 40, trackName: 'C' },
    events: { online: false, guests: 0, maxGuests: 40, trackName: 'D' },
    'strange_^1one': { online: true, guests: 9, maxGuests: 8 },
    training: { online: true },
  });

  test('start with the fullest server that has some, then the full ones, then the rest', () => {
    const text = textOf(slotsCard(answer(overview), [], t));
    expect(text.match(/^\*\*(?:[A-Z]\w+|strange.*?)\*\*/gm)).toEqual([
      '**Three**',
      '**Two**',
      '**strange\\_one**',
      '**One**',
      '**Training**',
      '**Events**',
    ]);
    expect(text).toContain('**39 free slots** in total');
  });

  test('lead to the drivers of each server that runs and lists them', () => {
    const open = (card: Card) => ids(card).filter((id) => id.startsWith('1:live'));
    expect(open(slotsCard(answer(overview), ['four'], t))).toEqual([
      '1:live:page-0:one.slots',
      '1:live:page-0:two.slots',
      '1:live:page-0:three.slots',
      '1:live:page-0:four.slots',
    ]);
    const closed = servers({ two: { online: false, guests: 0, maxGuests: 40 }, training: { online: true } });
    expect(open(slotsCard(answer(closed), [], t))).toEqual([]);
  });

  test('of a server that gives no number are said to be unknown, and are in no sum', () => {
    const some = servers({ one: { online: true, guests: 3, maxGuests: 8 }, two: { online: true } });
    const text = textOf(slotsCard(answer(some), ['four'], t));
    for (const name of ['Two', 'Four'])
      expect(text).toMatch(new RegExp(`\\*\\*${name}\\*\\*[^*]*free slots unknown`));
    expect(text).toContain(
      "**5 free slots** in total\nServers that don't report their slots aren't counted.",
    );
    const told = servers({ one: { online: true, guests: 3, maxGuests: 8 } });
    expect(textOf(slotsCard(answer(told), [], t))).not.toMatch(/unknown|not counted/);
  });

  test('that there are none is said', () => {
    const full = servers({ one: { online: true, guests: 8, maxGuests: 8 } });
    expect(textOf(slotsCard(answer(full), [], t))).toContain('No free slot');
    expect(textOf(slotsCard(answer(servers([])), [], t))).toContain('No servers.');
  });

  test('that are known of no server that runs are unknown, not none', () => {
    const text = textOf(slotsCard(answer(servers([])), ['one'], t));
    expect(text).toContain('free slots unknown');
    expect(text).not.toContain('No free slot');
  });
});
