/** Posts the community's weeks and months into a guild's channels, each once. */

import type { Clock } from '../../../src/base/clock.ts';
import { MINUTE } from '../../../src/base/duration.ts';
import { forEachYielding } from '../../../src/base/for-each-yielding.ts';
import { createMutex } from '../../../src/base/mutex.ts';
import type { Runs } from '../../../src/base/runs.ts';
import { createTtlMemo } from '../../../src/base/ttl-memo.ts';
import type { Access } from '../../../src/cards/board/board.ts';
import type { NicknameOf } from '../../../src/cards/kit/driver.ts';
import type { Person } from '../../../src/command-kit/context.ts';
import type { GuildSettings } from '../../../src/community/accounts/guild-settings.ts';
import type { History } from '../../../src/community/history/history.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { createTranslators, Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { MessageContent } from '../../../src/messages/outbox/message.ts';
import type { MessageOutcome, Outbox } from '../../../src/messages/outbox/outbox.ts';
import type { Pictures } from '../../../src/pictures/pictures.ts';
import { communityCard, communityText } from '../cards/community-card.ts';
import { type CommunityFacts, type CommunityPeriod, communityFacts } from '../models/community.ts';
import { POST_HOUR, type PostKind, postKinds, postTime } from '../models/post-time.ts';
import { type CommunityPost, type PostChoice, postsOf, type RecapRepository } from '../models/stored.ts';
import type { PostNotices, Refusal } from './post-maker.ts';

/** How long the facts of a period are kept: short, as drivers may hide themselves meanwhile. */
const FACTS_TTL_MS = MINUTE / 2;
const MAX_PERIODS = 50;
/** Nobody waits for a post, whose picture is often the first one in days and starts the drawing process. */
const PICTURE_TIMEOUT_MS = MINUTE;

/** The rights without which nothing can be posted. */
const NEEDED_RIGHTS: readonly string[] = ['ViewChannel', 'SendMessages', 'TimedOut', 'Connect'];

export function formatPostTime(t: Translator): string {
  return zonedFormats(t.locale, 'UTC').hour(POST_HOUR);
}

/** Says when the first of these posts comes; null without any. */
export function nextPostText(offers: readonly { readonly nextAt: number }[], t: Translator): string | null {
  if (offers.length === 0) return null;
  const nextAt = Math.min(...offers.map((offer) => offer.nextAt));
  return t('recap.post.next', { moment: formatMoment(nextAt, 'time', t) });
}

/** Returns what can be posted there: text alone where the bot may post no embeds; null: nothing. */
function postableIn(access: Access): 'card' | 'text' | null {
  if (access.kind === 'open') return 'card';
  if (access.kind !== 'missing') return null;
  const rights: readonly string[] = access.rights;
  if (rights.some((right) => NEEDED_RIGHTS.includes(right))) return null;
  return rights.includes('EmbedLinks') ? 'text' : 'card';
}

/** Returns what lasts until somebody changes something; null for any other outcome. */
function refusalOf(outcome: MessageOutcome, access: Access): Refusal | null {
  if (outcome === 'refused') return { cause: 'content', rights: [] };
  if (outcome === 'gone') return { cause: 'gone', rights: [] };
  if (outcome !== 'rights' && outcome !== 'closed') return null;
  return { cause: 'rights', rights: access.kind === 'missing' ? access.rights : [] };
}

/** Returns the outcome that Discord would answer with, by what it has reported: no request is made for that. */
function expectedRefusal(access: Access): 'gone' | 'rights' | 'unsent' {
  if (access.kind === 'unknown-channel') return 'gone';
  return access.kind === 'missing' ? 'rights' : 'unsent';
}

const noPosts: PostChoice = { channel: null, isWeekly: false, isMonthly: false };

function channelsOf(posts: readonly CommunityPost[]): readonly string[] {
  return [...new Set(posts.map(({ channel }) => channel))];
}

interface DuePost {
  readonly post: CommunityPost;
  readonly period: CommunityPeriod;
}

export function createCommunityPosts(parts: {
  readonly repository: RecapRepository;
  readonly notices: PostNotices;
  readonly settingsOf: (guild: string) => Promise<Pick<GuildSettings, 'language' | 'timeZone' | 'colours'>>;
  readonly history: Pick<History, 'counts' | 'playtime' | 'top'>;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly access: (guild: string, channel: string) => Access;
  readonly holds: (guild: string) => boolean;
  readonly translatorFor: ReturnType<typeof createTranslators>;
  readonly nicknameOf: NicknameOf;
  readonly isHidden: (driver: string) => boolean;
  readonly draw: Pictures['draw'];
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly runs: Pick<Runs, 'start'>;
}) {
  const { repository, notices, settingsOf, history, outbox, access, clock } = parts;
  const { translatorFor, nicknameOf, isHidden, draw, holds, runs } = parts;
  const memo = createTtlMemo<string, CommunityFacts>(clock, FACTS_TTL_MS, MAX_PERIODS);
  const oneByOne = createMutex();

  /** Computes a period, which is the same for all guilds of a zone, after the one before: each takes much of the event loop. */
  function factsOf(period: CommunityPeriod): Promise<CommunityFacts> {
    const { kind, number, zone, utcWeek } = period;
    const isFirst = number === utcWeek + 1;
    return memo.get(`${kind} ${number} ${zone} ${isFirst}`, () =>
      oneByOne('facts', () => communityFacts(history, period, clock.now())),
    );
  }

  /** Returns the guild's posts with the last period of each, and its settings. */
  async function readGuild(guild: string) {
    const [guildPosts, settings] = await Promise.all([repository.postsIn(guild), settingsOf(guild)]);
    const posts = guildPosts === null ? [] : postsOf(guildPosts);
    const periodOf = (kind: PostKind, ownZone: string | null) => {
      const zone = settings.timeZone ?? ownZone ?? 'UTC';
      const time = postTime(kind, zone, clock.now());
      return { period: { kind, number: time.number, zone, utcWeek: guildPosts?.utcWeek ?? 0 }, ...time };
    };
    const [first] = posts;
    return {
      settings,
      posts,
      dueOnes: posts.flatMap((post) => {
        const { period, isDue, number } = periodOf(post.kind, post.zone);
        const isSnoozed = post.snoozedUntil !== null && clock.now() < post.snoozedUntil;
        return isDue && !isSnoozed && post.posted !== number ? [{ post, period }] : [];
      }),
      next: (kind: PostKind) => periodOf(kind, first?.zone ?? null),
    };
  }

  /** Draws the picture. The names are put in as the message is sent: drivers may have been hidden since then. */
  async function compose(facts: CommunityFacts, form: 'card' | 'text', t: Translator) {
    const { picture } = communityCard(facts, nicknameOf, t);
    const png = picture === undefined ? null : await draw(picture.chart, { waitMs: PICTURE_TIMEOUT_MS });
    return (): Pick<MessageContent, 'content'> & Partial<MessageContent> => {
      const shownFacts = {
        ...facts,
        top: facts.top.filter(({ driver }) => !isHidden(driver)),
        newFaces: facts.newFaces.filter((driver) => !isHidden(driver)),
      };
      const { embeds, components } = communityCard(shownFacts, nicknameOf, t);
      return {
        ...(form === 'card' ? { content: '', embeds } : { content: communityText(shownFacts, t) }),
        components,
        ...(picture !== undefined && png instanceof Uint8Array
          ? { picture: { name: picture.name, alt: picture.alt, png } }
          : {}),
      };
    };
  }

  /** Sends the post if that is possible. */
  async function attempt(
    guild: string,
    { post, period }: DuePost,
    { language, colours }: Pick<GuildSettings, 'language' | 'colours'>,
  ): Promise<MessageOutcome> {
    const { kind, channel, locale, isDigest } = post;
    const { number } = period;
    const allowed = access(guild, channel);
    const form = postableIn(allowed);
    if (form === null) return expectedRefusal(allowed);
    return outbox.send({
      kind: 'community-post',
      key: isDigest ? `${kind} ${number} ${channel}` : `${kind} ${number}`,
      of: guild,
      to: { kind: 'channel', channelId: channel },
      async compose() {
        // Drivers may have been hidden since the last attempt.
        const facts = await factsOf(period);
        if (facts.isThin) return null;
        const t = translatorFor(language ?? locale, { unit: 'kilometre', colours });
        return compose(facts, form, t);
      },
      isWanted: (transaction) => repository.take(transaction, guild, post, number),
      putBack: (transaction) => repository.putBack(transaction, guild, post, number),
    });
  }

  /** One answer ends no posts: they go on once it is another one. */
  async function send(
    guild: string,
    due: DuePost,
    settings: Pick<GuildSettings, 'language' | 'colours'>,
  ): Promise<void> {
    const { channel, kind } = due.post;
    const outcome = await attempt(guild, due, settings);
    if (outcome === 'sent' || outcome === 'perhaps-sent') await notices.settle(guild, channel);
    const refusal = refusalOf(outcome, access(guild, channel));
    if (refusal !== null) await notices.tell(guild, due.post, refusal, `${kind} ${due.period.number}`);
  }

  /** Begins to post what is due in the guild: no guild, and no channel of it, waits for the message of another one. */
  async function startDue(guild: string): Promise<void> {
    const { dueOnes, settings } = await readGuild(guild);
    for (const due of dueOnes)
      runs.start(`recap ${guild} ${due.post.kind} ${due.post.channel}`, () => send(guild, due, settings));
  }

  return {
    access,
    /** The channels of the guild's posts. */
    channels: async (guild: string) => channelsOf((await readGuild(guild)).posts),
    /**
     * The channels of the guild's posts; of each of these kinds, the last period and when the next post comes (unix
     * milliseconds). `chosen`: null for the kinds that are posted, or both where none is.
     */
    async preview(guild: string, chosen: readonly PostKind[] | null) {
      const { posts, settings, next } = await readGuild(guild);
      const currentKinds = postKinds.filter((kind) => posts.some((post) => post.kind === kind));
      const kinds = chosen ?? (currentKinds.length === 0 ? postKinds : currentKinds);
      const offers = await Promise.all(
        kinds.map(async (kind) => {
          const { period, nextAt } = next(kind);
          return { nextAt, facts: await factsOf(period) };
        }),
      );
      return {
        channels: channelsOf(posts),
        offers,
        zone: next('week').period.zone,
        isZoneChosen: settings.timeZone !== null,
      };
    },
    /** Posts into that channel from now on, what is due now at once. */
    async begin(
      guild: string,
      choice: PostChoice & { readonly channel: string },
      { id: madeBy, locale }: Pick<Person, 'id' | 'locale'>,
    ) {
      const allowed = access(guild, choice.channel);
      if (allowed.kind !== 'open') return allowed;
      await repository.choose(guild, { ...choice, madeBy, locale, since: clock.now() });
      await startDue(guild);
      return allowed;
    },
    stop: (guild: string, locale: string) =>
      repository.choose(guild, { ...noPosts, madeBy: null, locale, since: null }),
    /** Begins to post what is due in the guilds of this process. Rejects if the store fails. */
    round: async (): Promise<void> =>
      forEachYielding(await repository.posts(), async ([guild]) => {
        if (holds(guild)) await startDue(guild);
      }),
  };
}
