import { describe, expect, test } from 'vitest';
import { compareCard } from '../../../../commands/drivers/cards/compare-card.ts';
import { ids, tableOf, textOf } from '../../../support/card-text.ts';
import { answer, driver } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

describe('a comparison', () => {
  const a = answer(driver());
  const b = answer(
    driver({
      username: 'mad_max',
      nickname: 'Mad ^1Max',
      money: 1_234_567,
      stats: { driven_distance: 5000, crashes: 3, chases_won_cop: 400, net_value: 9_876_543 },
      cars: [],
    }),
  );

  test('says who leads in each line by a mark and counts it in words; fewer crashes lead', () => {
    const card = compareCard(a, b, t);
    const line = (label: string) => tableOf(card).find((each) => each.startsWith(label)) ?? '';
    // Signs stand for the names, which a phone would cut.
    expect(line('Stat')).toMatch(/^Stat +◄ +►$/);
    expect(line('Driven')).toMatch(/^Driven km +123,457 ◄ +5$/);
    expect(line('Crashes')).toMatch(/ 1,482 ► +3$/);
    expect(line('Won (police)')).toMatch(/ 312 ► +400$/);
    expect(line('Net worth')).toMatch(/ 9.88m = +9.88m$/);
    // Only one of them reports it: nobody leads.
    expect(line('Police XP')).toMatch(/ 53,200 +–$/);
    expect(textOf(card)).toMatch(/◄ \*\*.*k3nny.*\*\* leads in 2 · ► \*\*Mad Max\*\* leads in 2 · 2 tied/);
    for (const each of tableOf(card)) expect(each.length).toBeLessThanOrEqual(32);
  });

  test('compares rates too, where there is enough to go by', () => {
    const rates = (stats: object) => {
      const other = answer(driver({ username: 'mad_max', nickname: 'Mad Max', stats }));
      const lines = tableOf(compareCard(a, other, t));
      return ['Chase wins', 'Crash/1000km', 'Earned/hour'].map((label) =>
        lines.find((each) => each.startsWith(label))?.replace(/ +/g, ' '),
      );
    };
    const chases = { chases_won_cop: 0, chases_lost_cop: 0, chases_won_robber: 1, chases_lost_robber: 3 };
    const known = { driven_distance: 1e8, crashes: 2000, ...chases };
    expect(rates({ ...known, gaming_time_total: 36_000, driving_money_plus: 50_000 })).toEqual([
      'Chase wins 84% ◄ 25%',
      'Crash/1000km 12 ◄ 20',
      'Earned/hour 2,111 ► 5,000',
    ]);
    // A driver without losses on record may still have lost.
    expect(rates({ chases_won_cop: 5, chases_won_robber: 2, chases_lost_robber: 1 })[0]).toBe(
      'Chase wins 84% –',
    );
    const short = { driven_distance: 99_999, crashes: 0, gaming_time_total: 3599, driving_money_plus: 1 };
    expect(rates(short)).toEqual(['Chase wins 84% –', 'Crash/1000km 12 –', 'Earned/hour 2,111 –']);
  });

  test('two drivers of one name are told apart by their login names', () => {
    const other = answer(driver({ username: 'mad_max' }));
    expect(textOf(compareCard(a, other, t))).toMatch(/◄ \*\*k3nny\*\* leads .* ► \*\*mad\\_max\*\* leads/);
  });

  test('leads to both profiles, and both names stand in its refresh', () => {
    expect(ids(compareCard(a, b, t))).toEqual([
      '1:profile:overview:k3nny',
      '1:profile:overview:mad_max',
      '1:compare:refresh-5:k3nnymad_max',
    ]);
    const long = (letter: string) => answer(driver({ username: letter.repeat(64) }));
    expect(ids(compareCard(long('x'), b, t))).toHaveLength(3);
    expect(ids(compareCard(long('x'), long('y'), t))).toHaveLength(2);
  });
  test('without figures says that there is nothing to compare', () => {
    const nothing = answer(driver({ stats: undefined, money: undefined, cars: undefined }));
    expect(textOf(compareCard(nothing, nothing, t))).toContain('Nothing to compare');
  });
});
