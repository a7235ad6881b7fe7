import { test } from 'vitest';
import { communityCard, communityText } from '../../../../commands/recap/cards/community-card.ts';
import { postPeriods } from '../../../../commands/recap/models/post-time.ts';
import { DAY } from '../../../../src/base/duration.ts';
import { longNames } from '../../../support/hostile-names.ts';
import { expectAccepted } from '../../../support/own-messages.ts';
import { locales, translatorFor } from '../../../support/readers.ts';
import { NOON } from '../../../support/records.ts';

const communityFacts = {
  ...{ zone: 'Europe/Berlin', utcWeek: 0, span: { from: NOON - 7 * DAY, to: NOON } },
  ...{ time: 1e12, drivers: 1e6, missing: DAY, isThin: false },
  ...{ busiest: { at: NOON, drivers: 40 }, most: { at: NOON, count: 90 }, earlier: { time: 1, drivers: 1 } },
  counts: {
    ...{ since: NOON - 7 * DAY, until: NOON, holes: [], step: DAY, latest: null },
    points: [{ at: NOON - DAY, known: DAY, drivers: 40, most: 90, police: null }],
  },
  top: Array.from({ length: 5 }, (_, index) => ({
    ...{ rank: index + 1, driver: longNames.letters, value: 1e8, read: null },
  })),
  newFaces: Array.from({ length: 15 }, () => longNames.letters),
};

test.each(locales)('Discord accepts each post to readers of %s', (locale) => {
  const t = translatorFor(locale);
  for (const kind of ['week', 'month'] as const) {
    const period = { ...communityFacts, kind, number: postPeriods[kind].numberAt('Europe/Berlin', NOON) };
    expectAccepted([
      communityCard(period, () => longNames.colours, t),
      { content: communityText(period, t) },
      communityCard({ ...period, most: null }, () => longNames.colours, t),
    ]);
  }
});
