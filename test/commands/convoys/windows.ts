import type { WindowParts } from '../../support/windows.ts';

const DRAFT = '1795700000000001';

export const windows: WindowParts = {
  names: ['convoy create', 'convoy edit', 'convoy more'],
  // `zoned`: of a person with a time zone, and of one without.
  keptIds: { draft: [DRAFT], convoy: [DRAFT], announced: ['0'], zoned: ['1', '0'] },
  async prepare({ zoned, convoy }, { store, features }, { person, guild, channel }) {
    if (zoned === '1') await store.timeZones.set(person, 'Europe/Berlin');
    if (convoy !== DRAFT) return;
    await features.convoys.plan(
      { id: person, guild },
      { title: 'Day run', when: '2016-07-21 10:00', server: 'one' },
      { about: DRAFT, channel, locale: 'en-GB', zone: 'UTC', now: Date.UTC(2016, 6, 5, 12) },
    );
  },
};
