/** Posts the community's month into a guild's channel, once. */
import type { GuildSettings } from '../../accounts/guild-settings.ts';
import type { Clock } from '../../base/clock.ts';
import { MINUTE } from '../../base/duration.ts';
import { forEachYielding } from '../../base/for-each-yielding.ts';
import { createMutex } from '../../base/mutex.ts';
import type { Runs } from '../../base/runs.ts';
import { createTtlMemo } from '../../base/ttl-memo.ts';
import type { NicknameOf } from '../../cards/kit/driver.ts';
import type { Deliveries } from '../../deliveries/ledger.ts';
import type { SendOnce } from '../../deliveries/send-once.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { createTranslators, Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Access } from '../../service/models/board.ts';
import type { History } from '../../service/models/history.ts';
import { type CommunityMonth, communityCard, communityMonth } from './community.ts';
import { monthAt, type Period, startOf } from './period.ts';
import { isPosted, monthPlace, type RecapRepository } from './stored.ts';

/** The hour of the first day at which the last month is posted. */
const POST_HOUR = 10;
/** How long a community's month is kept: short, as drivers may hide themselves meanwhile. */
const MONTH_TTL_MS = MINUTE / 2;
const MAX_MONTHS = 50;

export function formatPostTime(t: Translator): string {
  return zonedFormats(t.locale, 'UTC').hour(POST_HOUR);
}

/** How a guild's last month stands. `early`: before ten o'clock on the first. `thin`: less than half of it is known. */
type MonthState = 'posted' | 'early' | 'thin' | 'due';

/**
 * `later`: Discord does not take it now. `refused`: nor its content. `rights`: Discord allows no message there. All three
 * are tried again.
 */
type PostOutcome = 'posted' | 'early' | 'thin' | 'later' | 'refused' | 'rights' | 'gone';

/** `nextAt`: when the next post comes, in unix milliseconds. */
export function outcomeText(
  outcome: Exclude<PostOutcome, 'rights' | 'gone'>,
  nextAt: number,
  t: Translator,
): string {
  const moment = formatMoment(nextAt, 'time', t);
  if (outcome === 'later' || outcome === 'refused') return t(`recap.post.outcome.${outcome}`);
  if (outcome === 'early') return t('recap.post.outcome.early', { moment });
  return `${t(`recap.post.outcome.${outcome}`)} ${t('recap.post.next', { moment })}`;
}

export function createMonthPosts(parts: {
  readonly repository: RecapRepository;
  readonly settingsOf: (guild: string) => Promise<Pick<GuildSettings, 'language' | 'timeZone' | 'colours'>>;
  readonly history: Pick<History, 'counts' | 'playtime'>;
  readonly deliveries: Deliveries;
  readonly sendOnce: SendOnce['send'];
  readonly access: (guild: string, channel: string) => Access;
  readonly holds: (guild: string) => boolean;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly nicknameOf: NicknameOf;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly runs: Pick<Runs, 'start'>;
}) {
  const { repository, settingsOf, history, deliveries, sendOnce, access, clock } = parts;
  const { translatorFor, nicknameOf, holds, runs } = parts;
  const months = createTtlMemo<string, CommunityMonth>(clock, MONTH_TTL_MS, MAX_MONTHS);
  const oneByOne = createMutex();

  /** Computes a month, which is the same for all guilds of a zone, after the one before: each takes much of the event loop. */
  const monthOf = (month: Period, zone: string): Promise<CommunityMonth> =>
    months.get(`${month} ${zone}`, () =>
      oneByOne('month', () => communityMonth(history, month, zone, clock.now())),
    );

  /** `at`: when the next post comes, in unix milliseconds. */
  async function readGuild(guild: string) {
    const [post, { timeZone, language, colours }] = await Promise.all([
      repository.post(guild),
      settingsOf(guild),
    ]);
    const zone = timeZone ?? 'UTC';
    const month = monthAt(zone, clock.now()) - 1;
    const due = startOf(month + 1, zone, POST_HOUR);
    const next = startOf(month + 2, zone, POST_HOUR);
    const state = stateOf();
    return { post, zone, language, colours, month, state, at: state === 'early' ? due : next };

    function stateOf(): Exclude<MonthState, 'thin'> {
      if (post !== null && isPosted(post, month)) return 'posted';
      return clock.now() < due ? 'early' : 'due';
    }
  }

  /** Null: nothing is posted in this guild. */
  async function send(guild: string, isAskedFor: boolean): Promise<PostOutcome | null> {
    const { post, zone, language, colours, month, state } = await readGuild(guild);
    if (post === null || post.channel === null) return null;
    const { channel, locale } = post;
    if (state !== 'due') return state;
    if (access(guild, channel).kind !== 'open') return 'rights';
    const place = monthPlace(guild);
    const at = clock.now();
    const claim = { key: `month ${month}`, place, watches: [guild], at, cooldown: 0, most: null };
    let isThin = false;
    const outcome = await sendOnce({
      id: `${place} ${month}`,
      isAskedFor,
      to: [{ kind: 'channel', channelId: channel }],
      urgency: 'notice',
      async isDue() {
        ({ isThin } = await monthOf(month, zone));
        return !isThin && (await deliveries.admitted(claim)).length > 0;
      },
      async prepare() {
        // Drivers may have been hidden since the last attempt.
        const facts = await monthOf(month, zone);
        const t = translatorFor(language ?? locale, { unit: 'kilometre', colours });
        const { embeds } = communityCard(facts, nicknameOf, t);
        return {
          claim,
          isWanted: (transaction) => repository.take(transaction, guild, channel, month),
          putBack: (transaction, unsent) =>
            repository.putBack(transaction, guild, month, unsent === 'gone' ? channel : null),
          compose: () => ({ content: '', embeds, components: [], roles: [] }),
        };
      },
      // The next round is soon enough.
      again: () => {},
    });
    switch (outcome) {
      case 'sent':
      case 'perhaps-sent':
        return 'posted';
      case null:
        if (isThin) return 'thin';
        return (await readGuild(guild)).state === 'posted' ? 'posted' : 'later';
      case 'closed':
        return 'rights';
      case 'waiting':
      case 'unsent':
        return 'later';
      default:
        return outcome;
    }
  }

  return {
    /** The guild's last month, how it stands, when the next post comes, and the channel of the posts; null: nowhere. */
    async preview(guild: string) {
      const { post, zone, month: last, state, at } = await readGuild(guild);
      const month = await monthOf(last, zone);
      const monthState: MonthState = state === 'due' && month.isThin ? 'thin' : state;
      return { month, state: monthState, at, channel: post?.channel ?? null };
    },
    access,
    /** Posts each month into that channel from now on, the last one at once. `channel`: where it is posted after that. */
    async begin(guild: string, channel: string, locale: string) {
      const allowed = access(guild, channel);
      if (allowed.kind !== 'open') return allowed;
      await repository.setChannel(guild, { channel, locale, since: clock.now() });
      const kind = (await send(guild, true)) ?? 'later';
      const { post, at } = await readGuild(guild);
      return { kind, at, channel: post?.channel ?? null };
    },
    stop: (guild: string, locale: string) =>
      repository.setChannel(guild, { channel: null, locale, since: null }),
    /**
     * Begins to post what is due in the guilds of this process: no guild waits for the message of another one. Rejects if the
     * store fails.
     */
    round: async (): Promise<void> =>
      forEachYielding(await repository.posts(), async ([guild, { channel }]) => {
        if (channel === null || !holds(guild)) return;
        if ((await readGuild(guild)).state === 'due')
          runs.start(`recap ${guild}`, async () => void (await send(guild, false)));
      }),
  };
}
