import { test } from 'vitest';
import { alertMessage, type News } from '../../../../commands/alerts/cards/alert-text.ts';
import { troubleMessage } from '../../../../commands/alerts/cards/watch-text.ts';
import { watchTroubles } from '../../../../commands/alerts/models/watch.ts';
import { longNames } from '../../../support/hostile-names.ts';
import { expectAccepted } from '../../../support/own-messages.ts';
import { locales, translatorFor } from '../../../support/readers.ts';
import { NOON } from '../../../support/records.ts';

const news: readonly News[] = [
  { kind: 'driver', player: 'k3nny', server: 'one' },
  ...(['free', 'drivers'] as const).map((kind) => ({ kind, server: longNames.letters, count: 21 })),
  ...(['police', 'medic', 'tow', 'chase'] as const).flatMap((kind) =>
    [0, 3].map((count) => ({ kind, count })),
  ),
  { kind: 'sale', vin: 'AB12C', type: 'XRT', price: 1e9 },
  { kind: 'condition', vin: 'AB12C', type: 'XRT', condition: 0.4 },
  { kind: 'licence', name: longNames.markup, until: NOON },
];

const lines = news.map((one) => ({ news: one, at: NOON }));

test.each(locales)('Discord accepts each message to readers of %s', (locale) => {
  const t = translatorFor(locale);
  const watches = Array.from({ length: 10 }, (_, index) => `watch-${index}`);
  expectAccepted([
    alertMessage({ watches, lines, roles: ['1', '2'] }, t),
    ...lines.map((line) => alertMessage({ watches: ['one'], lines: [line], roles: [] }, t)),
    ...watchTroubles.map((why) => troubleMessage(why, t)),
  ]);
});
