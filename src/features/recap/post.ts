/** Posts the community's month into a guild's channel, once. */
import type { GuildSettings } from '../../accounts/guild-settings.ts';
import { HOUR } from '../../base/duration.ts';
import type { Runs } from '../../base/runs.ts';
import type { NicknameOf } from '../../cards/kit/driver.ts';
import type { Deliveries } from '../../deliveries/ledger.ts';
import type { SendOnce } from '../../deliveries/send-once.ts';
import type { createTranslators, Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Access } from '../../service/models/board.ts';
import type { History } from '../../service/models/history.ts';
import { changeDocuments } from '../../store/change.ts';
import type { Documents } from '../../store/documents.ts';
import { type CommunityMonth, communityCard, communityMonth } from './community.ts';
import { monthAt, startOf } from './period.ts';
import type { RecapRepository } from './stored.ts';

/** The hour of the first day at which the last month is posted. */
const POST_HOUR = 10;

export function formatPostTime(t: Translator): string {
  return zonedFormats(t.locale, 'UTC').hour(POST_HOUR);
}

/**
 * `posted`: now, or earlier. `early`: at ten o'clock on the first. `thin`: less than half of the month is known. `later`: it is
 * tried again.
 */
type PostOutcome = 'posted' | 'early' | 'thin' | 'later';

export function createMonthPosts(parts: {
  readonly documents: Documents;
  readonly repository: RecapRepository;
  readonly settingsOf: (guild: string) => Promise<Pick<GuildSettings, 'language' | 'timeZone' | 'colours'>>;
  readonly history: Pick<History, 'counts' | 'playtime'>;
  readonly deliveries: Deliveries;
  readonly sendOnce: SendOnce['send'];
  readonly access: (guild: string, channel: string) => Access;
  readonly holds: (guild: string) => boolean;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly nicknameOf: NicknameOf;
  readonly now: () => number;
  readonly runs: Pick<Runs, 'start'>;
  /** Another attempt is wanted in so many ms. */
  readonly again: (ms: number) => void;
}) {
  const { documents, repository, settingsOf, history, deliveries, sendOnce, access, now, again } = parts;
  const { translatorFor, nicknameOf } = parts;

  /** The month that is over for a guild, and when its post is due. */
  async function lastMonth(guild: string) {
    const { timeZone, language, colours } = await settingsOf(guild);
    const zone = timeZone ?? 'UTC';
    const month = monthAt(zone, now()) - 1;
    return { zone, language, colours, month, due: startOf(month + 1, zone) + POST_HOUR * HOUR };
  }

  async function send(guild: string): Promise<PostOutcome | null> {
    const post = await repository.post(guild);
    if (post === null || post.channel === null) return null;
    const { channel, locale } = post;
    const { zone, language, colours, month, due } = await lastMonth(guild);
    if (post.posted >= month) return 'posted';
    if (now() < due) return 'early';
    if (access(guild, channel).kind !== 'open') return 'later';
    if ((await communityMonth(history, month, zone, now())).isThin) {
      await changeDocuments(documents, (transaction) => repository.take(transaction, guild, channel, month));
      return 'thin';
    }
    const place = `recap:${guild}`;
    const claim = { key: `month ${month}`, place, watches: [guild], at: now(), cooldown: 0, most: null };
    const outcome = await sendOnce({
      id: `${place} ${month}`,
      to: [{ kind: 'channel', channelId: channel }],
      urgency: 'notice',
      isDue: async () => (await deliveries.admitted(claim)).length > 0,
      async prepare() {
        // Drivers may have been hidden since the last attempt.
        const facts = await communityMonth(history, month, zone, now());
        const { embeds } = communityCard(
          facts,
          nicknameOf,
          translatorFor(language ?? locale, { unit: 'kilometre', colours }),
        );
        return {
          claim,
          isWanted: (transaction) => repository.take(transaction, guild, channel, month),
          putBack: (transaction) => repository.putBack(transaction, guild, month),
          compose: () => ({ content: '', embeds, components: [], roles: [] }),
        };
      },
      again,
    });
    if (outcome === 'gone') await repository.setChannel(guild, null, locale);
    if (outcome === 'gone' || outcome === 'rights' || outcome === 'closed')
      await changeDocuments(documents, (transaction) => repository.putBack(transaction, guild, month));
    return outcome === 'sent' || outcome === 'perhaps-sent' || outcome === null ? 'posted' : 'later';
  }

  return {
    /** The month that would be posted now, and where the guild's months are posted already; null: nowhere. */
    async preview(
      guild: string,
    ): Promise<{ readonly month: CommunityMonth; readonly channel: string | null }> {
      const { zone, month } = await lastMonth(guild);
      const facts = await communityMonth(history, month, zone, now());
      return { month: facts, channel: (await repository.post(guild))?.channel ?? null };
    },
    access,
    /** Posts each month into that channel from now on, the last one at once. */
    async begin(
      guild: string,
      channel: string,
      locale: string,
    ): Promise<PostOutcome | Exclude<Access, { kind: 'open' }>> {
      const allowed = access(guild, channel);
      if (allowed.kind !== 'open') return allowed;
      await repository.setChannel(guild, channel, locale);
      return (await send(guild)) ?? 'later';
    },
    stop: (guild: string, locale: string) => repository.setChannel(guild, null, locale),
    /** Begins to post what is due in the guilds of this process: no guild waits for another one. Rejects if the store fails. */
    async round(): Promise<void> {
      for (const [guild, { channel }] of await repository.posts())
        if (channel !== null && parts.holds(guild))
          parts.runs.start(`recap ${guild}`, async () => void (await send(guild)));
    },
  };
}
