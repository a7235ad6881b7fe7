/** Convoys of the demo. */
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { dayOf, findZone, momentOf, wallTime } from '../../../src/base/zone.ts';
import type { DemoGuild } from '../../../src/features/feature.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { createConvoyRepository } from './convoy-repository.ts';
import { newConvoyId } from './decide.ts';

/** Hour of the day at which a night run starts. */
const START_HOUR = 21;

/** Last week's with who was there, and the next evening's with who wants to come. The visitor sits at this machine. */
export async function planConvoys(
  documents: Documents,
  { guild, channel, members }: DemoGuild,
  now: number,
): Promise<void> {
  const convoyRepository = createConvoyRepository(documents);
  const [maker] = members;
  if (maker === undefined) return;
  const zone = findZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';
  const tonight = dayOf(wallTime(zone, now)) * DAY + START_HOUR * HOUR;
  const evening = momentOf(zone, tonight) > now ? tonight : tonight + DAY;
  const at = momentOf(zone, evening - 7 * DAY);
  const [id, next] = [newConvoyId(at - DAY, 0), newConvoyId(at + 2 * HOUR, 0)];
  const plan = { title: 'Night run', server: 'two', hours: 2, places: null, weekly: true, role: null };
  const draft = { ...plan, id, guild, channel, zone, when: `${START_HOUR}:00`, at, madeAt: at - DAY };
  await convoyRepository.putDraft(maker.person, draft);
  await convoyRepository.announce(maker.person, draft, { locale: 'en-GB', colours: true }, at - DAY);
  const attendees = members.filter(({ username }) => username !== null).map(({ person }) => ({ person }));
  const result = {
    there: attendees,
    hidden: 0,
    peak: 2 * attendees.length + 3,
    known: true,
    holes: [],
    usual: attendees.length,
  };
  for (const { person } of attendees) await convoyRepository.press(guild, id, person, 'in', at - DAY);
  await convoyRepository.finish(guild, id, result, at + 2 * HOUR, next);
  await convoyRepository.drop(guild, id);
  for (const [index, { person }] of members.entries())
    await convoyRepository.press(guild, next, person, index % 4 === 3 ? 'maybe' : 'in', now);
}
