import type { StoredValues } from '../../support/stored-data.ts';

export const values: StoredValues = ({ person, username, guild }) => ({
  'recap-kept-months': { [person]: { keeps: true, driver: username } },
  'recap-posts': { [guild]: { channel: `${guild}7`, locale: 'de', posted: 24313 } },
  'recap-post-makers': { [guild]: { madeBy: person, refusals: { [`${guild}7`]: 'rights' } } },
});
