import { expect, test } from 'vitest';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { personalData } from '../../support/personal-data.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const convoy = {
  ...{ id: '0000000000000001', guild: '1', channel: '7', madeAt: NOW, title: 'Night drive', server: 'two' },
  ...{ zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null },
  ...{ when: 'tomorrow 20:00', at: NOW + 24 * 3600_000 },
};
const past = { ...convoy, id: '0000000000000003' };
const looks = { locale: 'de', colours: true };

test('exports and forgets a person; a convoy stays without its maker', async () => {
  const { documents, fileOf, forget } = personalData();
  const convoys = createConvoyRepository(documents);
  for (const [maker, draft] of [
    [ANNA, convoy],
    [BORIS, past],
  ] as const) {
    await convoys.putDraft(maker, draft);
    await convoys.announce(maker, draft, looks, NOW);
    for (const person of [ANNA, BORIS]) await convoys.press('1', draft.id, person, 'in', NOW);
  }
  await convoys.putDraft(ANNA, { ...convoy, id: '0000000000000002' });
  const result = { hidden: 0, peak: null, known: true, holes: [], usual: null };
  const there = [{ person: ANNA }, { person: BORIS }];
  await convoys.finish('1', past.id, { ...result, there }, NOW, '0000000000000004');

  const { when: _when, ...planned } = convoy;
  const { id, guild, title, server, at, channel } = convoy;
  const identity = { id, guild, title, server, at, channel };
  expect(await fileOf(ANNA)).toMatchObject({
    convoys: {
      made: [{ ...planned, ...looks, stage: 'open', since: NOW, event: null }],
      draft: { ...convoy, id: '0000000000000002' },
      // In no particular order.
      signedUp: expect.arrayContaining([
        { ...identity, answer: 'in', remind: false },
        { ...identity, id: past.id, answer: 'in', remind: false },
      ]),
      there: [{ ...identity, id: past.id }],
    },
  });
  await forget(ANNA);
  expect(await fileOf(ANNA)).toMatchObject({ convoys: null });
  expect((await convoys.in('1')).map(({ madeBy }) => madeBy)).toEqual(['', BORIS]);
  expect((await convoys.signUpsOf('1', convoy.id)).map(({ person }) => person)).toEqual([BORIS]);
});
