import { describe, expect, test } from 'vitest';
import { dutyCard } from '../../../../commands/servers/cards/duty-card.ts';
import { dutyRows } from '../../../../src/cards/kit/tell-buttons.ts';
import { LiveStatus } from '../../../../src/service/models/live-status.ts';
import { blocksOf } from '../../../support/blocks.ts';
import { ids, textOf } from '../../../support/card-text.ts';
import { answer, liveFile, liveJson, NOON } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');

describe('who is on duty', () => {
  const fresh = (players: Parameters<typeof liveJson>[0]) => answer(liveFile(liveJson(players)));
  const nobody: Parameters<typeof dutyCard>[0] = {
    one: fresh({}),
    two: fresh({}),
    three: fresh({}),
    four: fresh({}),
  };

  test('is summed over all servers and listed for each', () => {
    const files = {
      ...nobody,
      one: fresh({ 1: { cop: true }, 2: { cop: true, isChased: false }, 3: { isChased: true } }),
      two: fresh({ 1: { med: true }, 2: { cop: true }, 3: { isJoining: true } }),
    };
    const text = textOf(dutyCard(files, NOON, t)).replaceAll('\u00a0', ' ');
    expect(text).toContain('**🚓 3 police · 🚑 1 medic · 🏃 1 chase**');
    expect(text).toMatch(
      /\*\*One\*\* 🚓 2 police · 🏃 1 chase\n\*\*Two\*\* 🚓 1 police · 🚑 1 medic\nNo one on duty: \*\*Three\*\* · \*\*Four\*\*\n/,
    );
    expect(text).not.toContain('joining');
  });

  test('counts sirens and cautions', () => {
    const one = fresh({ 1: { siren: true, caution: true }, 2: { siren: true } });
    const text = textOf(dutyCard({ ...nobody, one }, NOON, t)).replaceAll('\u00a0', ' ');
    expect(text).toContain('**🚨 2 sirens · 🚧 1 caution**');
  });

  test('are no hazards, beside which others are on duty or nobody is', () => {
    const hazards = fresh({ 1: { un: 'gian', hazard: true } });
    const one = fresh({ 1: { un: 'gian', hazard: true }, 2: { un: 'ann', cop: true, hazard: true } });
    expect(textOf(dutyCard({ ...nobody, two: hazards }, NOON, t))).toMatch(
      /No drivers on duty\.\*\*(?!.*gian)/s,
    );
    const [{ description = '' }] = dutyCard({ ...nobody, one, two: hazards }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['One', '  ann 🚓']]);
    expect(description).toContain('No one on duty: **Two** · **Three** · **Four**');
  });

  test('is nobody only where every server says so', () => {
    expect(textOf(dutyCard(nobody, NOON, t))).toContain('No drivers on duty.');
  });

  test.each([
    ['a file that cannot be read', { fault: 'bad-response' as const }, "sends answers that I can't read"],
    ['a file whose time stands still', { ...fresh({}), asOf: NOON - 46_000 }, 'service has stopped updating'],
    [
      'a file from before an outage',
      { ...fresh({}), stale: 'unavailable' as const },
      "service isn't answering",
    ],
    [
      'a file that tells no duty',
      answer(LiveStatus.parse({ ps: { 1: { un: 'k3nny' } }, t: NOON })),
      "1 server doesn't report duty",
    ],
  ])('%s is never shown as nobody', (_what, file, said) => {
    const text = textOf(dutyCard({ ...nobody, three: file }, NOON, t));
    expect(text).not.toContain('No drivers on duty.');
    expect(text).toContain(said);
    expect(text).toMatch(/\*\*Three\*\* ❔ duty (unknown|not reported)/);
    const none = textOf(dutyCard({ one: file, two: file, three: file, four: file }, NOON, t));
    expect(none).not.toMatch(/no drivers on duty/i);
  });

  test('an outage is no silence of the servers', () => {
    const kept = { ...fresh({}), stale: 'unavailable' as const };
    const silent = answer(LiveStatus.parse({ ps: { 1: { un: 'k3nny' } }, t: NOON }));
    const text = textOf(dutyCard({ ...nobody, one: kept, two: silent }, NOON, t));
    expect(text).toMatch(
      /Incomplete\.\*\* The data service isn't answering[\s\S]*1 server doesn't report duty/,
    );
    const none = textOf(dutyCard({ one: kept, two: kept, three: kept, four: kept }, NOON, t));
    expect(none).toContain("The data service isn't answering.");
    expect(none).not.toContain("n't report");
    expect(none).not.toContain('No drivers on duty');
  });

  test('is unknown in one line, with its time, for servers that stopped together', () => {
    const since = (ago: number) => ({ ...fresh({}), asOf: NOON - ago, stale: 'unavailable' as const });
    const text = textOf(dutyCard({ ...nobody, one: since(52_000), two: since(50_000) }, NOON, t));
    expect(text).toContain(`**One** · **Two** ❔ duty unknown since <t:${NOON / 1000 - 60}:t>`);
    const old = textOf(dutyCard({ ...nobody, one: since(86_400_000) }, NOON, t));
    expect(old).toContain(`**One** ❔ duty unknown since <t:${NOON / 1000 - 86_400}:f>`);
  });

  test('is named where the service shows who it is', () => {
    const named = answer(
      LiveStatus.parse({
        ps: { 7: { un: 'k3nny', nn: '^1K_', cop: true }, 8: { un: 'x', cop: false } },
        t: NOON,
      }),
    );
    const [{ description = '' }] = dutyCard({ ...nobody, four: named }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['Four', '  K_ 🚓']]);
    expect(description).toContain('No one on duty: **One** · **Two** · **Three**');
    const hidden = createTranslators()('en-GB', { unit: 'kilometre', colours: false });
    expect(textOf(dutyCard({ ...nobody, four: named }, NOON, hidden))).toContain('**Four**\nK\\_ 🚓\n');
  });

  test('counts those on duty who have no name, or do not want one, at their server', () => {
    const players = {
      1: { un: 'ann', isJoining: true, cop: true },
      2: { cop: true },
      3: { med: true },
      4: {},
    };
    const [{ description = '' }] = dutyCard({ ...nobody, one: fresh(players) }, NOON, t).embeds;
    expect(blocksOf(description)).toEqual([['One · +2', '  ann 🚓']]);
  });

  test('leads to the live card of each server', () => {
    expect(ids(dutyCard(nobody, NOON, t))).toEqual([
      '1:live:page-0:one.duty',
      '1:live:page-0:two.duty',
      '1:live:page-0:three.duty',
      '1:live:page-0:four.duty',
      '1:duty:refresh:',
      ...dutyRows(t).flatMap((row) =>
        row.components.map((each) => ('custom_id' in each ? each.custom_id : '')),
      ),
    ]);
  });
});
