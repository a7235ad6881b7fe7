import { z } from 'zod';
import { UserError } from '../src/base/errors.ts';
import { type Button, buttonRow } from '../src/cards/kit/card.ts';
import { compact, escapeMarkdown } from '../src/cards/kit/lines.ts';
import { answerUnseen } from '../src/command-kit/about-player.ts';
import { DiscordId, defineAction, onPress, onSubject } from '../src/command-kit/action.ts';
import { boardRefusal } from '../src/command-kit/boards.ts';
import { defineCommand } from '../src/command-kit/command.ts';
import { playerOption } from '../src/command-kit/command-options/player.ts';
import { readerZone } from '../src/command-kit/command-options/time-zone.ts';
import { type Context, requireManagedGuild } from '../src/command-kit/context.ts';
import { forDriver } from '../src/command-kit/for-driver.ts';
import type { Reply } from '../src/command-kit/reply.ts';
import { communityCard } from '../src/features/recap/community.ts';
import { MAX_OFF_TURN, recapFacts } from '../src/features/recap/facts.ts';
import { ALL, isMonth, monthAt, Period, spanOf, usualPeriod, yearAt } from '../src/features/recap/period.ts';
import { formatPostTime, outcomeText } from '../src/features/recap/post.ts';
import { type RecapView, recapCard } from '../src/features/recap/recap-card.ts';
import type { Stretch, TopRow } from '../src/service/models/history.ts';
import { sameSpelling, Username } from '../src/service/models/identifiers.ts';

const spans = {
  'this-month': 'recap.span.this-month',
  'last-month': 'recap.span.last-month',
  'this-year': 'recap.span.this-year',
  all: 'recap.span.all',
} as const;
type SpanChoice = keyof typeof spans;
const spanChoices = Object.keys(spans) as readonly SpanChoice[];
/** The number of a choice, as in a button's id, read as the choice. */
const SpanNumber = z
  .int()
  .transform((number) => spanChoices[number])
  .pipe(z.enum(spanChoices));

type ChoosePeriod = typeof usualPeriod;
const periodChoosers: Readonly<Record<SpanChoice, ChoosePeriod>> = {
  'this-month': (zone, { now }) => monthAt(zone, now),
  'last-month': (zone, { now }) => monthAt(zone, now) - 1,
  'this-year': (zone, { now }) => yearAt(zone, now),
  all: () => ALL,
};

/** A driver's month; for whoever manages the server, the community's month in a channel as well. */
export default defineCommand({
  description: 'recap.description',
  topic: 'drivers',
  example: ['player'],
  visibility: 'shareable',
  showsDistances: true,
  options: {
    player: playerOption('recap.options.player', false),
    span: { kind: 'choice', description: 'recap.options.span', required: false, choices: spans },
    post: { kind: 'channel', description: 'recap.options.post', required: false },
  },

  async run({ player, span, post }, context) {
    if (post !== null) {
      if (player !== null || span !== null) throw new UserError(context.t('recap.post.alone'));
      return offerPost(post, context);
    }
    const choosePeriod = span === null ? usualPeriod : periodChoosers[span];
    return forDriver(player, context, (driver) => show(driver, 'picture', choosePeriod, context));
  },

  retryAction({ player, span, post }) {
    if (player === null || post !== null) return null;
    if (span === null) return { action: 'picture', subject: player };
    return { action: 'span', number: spanChoices.indexOf(span), subject: player };
  },

  actions: {
    picture: showing('picture'),
    words: showing('words'),
    span: defineAction({
      press: z.object({ subject: Username, number: SpanNumber }),
      run: ({ subject, number: span }, context) => show(subject, 'picture', periodChoosers[span], context),
    }),
    keep: onPress(async (context) => {
      const { driver, isOn } = await keptMonths(context);
      return { ...keepingReply(driver, isOn, context), ephemeral: true };
    }),
    keeping: defineAction({
      press: z.object({ number: z.int().min(0).max(1) }),
      async run({ number }, context) {
        const { driver } = await keptMonths(context);
        const isOn = number === 1;
        await context.features.recap.setKeptDriver(context.person.id, isOn ? driver : null);
        return keepingReply(driver, isOn, context);
      },
    }),
    post: onSubject(DiscordId, beginPosts),
    stop: onPress(stopPosts),
  },
});

function showing(view: RecapView) {
  return defineAction({
    press: z.object({ subject: Username, number: Period.nullable() }),
    run: ({ subject, number }, context) =>
      show(subject, view, number === null ? usualPeriod : () => number, context),
  });
}

/** Everything comes from history, so that it costs no request. */
async function show(
  driver: string,
  view: RecapView,
  choosePeriod: ChoosePeriod,
  context: Context,
): Promise<Reply> {
  const { history, hidden, poll, person, recentNames, store, now, t } = context;
  const [zone, past, own] = await Promise.all([
    readerZone(context),
    history.driver(driver, Number.POSITIVE_INFINITY),
    store.links.of(person.id),
  ]);
  if (past === null || past.since === null) return answerUnseen(driver, context);
  const when = { since: past.since, now };
  const period = choosePeriod(zone.name, when);
  const span = spanOf(period, zone.name, when);
  const around = { from: span.from - MAX_OFF_TURN, to: span.to + MAX_OFF_TURN };
  const [sessions, readings, rows] = await Promise.all([
    history.sessions(driver, span),
    history.readings(driver, around),
    rowsOf(period, span, context),
  ]);
  const firstSeen = (past.sessions.at(-1) ?? past.current)?.from ?? null;
  const known = { sessions, firstSeen, readings, coverage: past };
  const facts = await recapFacts({ period, zone: zone.name, span, ...known, now });
  const place = rows.find((row) => sameSpelling(row.driver) === sameSpelling(driver));
  const isOwn = own !== null && sameSpelling(own.username) === sameSpelling(driver);
  const keep = { command: 'recap', action: 'keep', subject: '', label: t('recap.keep.button') };
  const card = recapCard(
    facts,
    {
      driver: { username: past.driver, nickname: recentNames.nicknameOf(driver) },
      ...{ period, view, zone, ...when },
      rank: place === undefined || facts.isThin ? null : { rank: place.rank, count: rows.length },
      community: poll.facts.chat?.record.name ?? null,
      isProved: hidden.isProved(driver),
    },
    t,
  );
  return isOwn ? { ...card, ownButtons: buttonRow(keep) } : card;
}

/** Drivers by time online; none for a year, which no ranking has. */
async function rowsOf(period: Period, span: Stretch, { history }: Context): Promise<readonly TopRow[]> {
  if (isMonth(period)) return history.playtime(span);
  return period === ALL ? (await history.top('playtime', 'all')).rows : [];
}

/** Reads whose months are kept: by the person's own link, not a guild's correction. It can be turned off without a link. */
async function keptMonths({ features, store, person, t }: Context) {
  const [kept, link] = await Promise.all([features.recap.keptDriver(person.id), store.links.of(person.id)]);
  if (link !== null) {
    const { username: driver } = link;
    return { driver, isOn: kept !== null && sameSpelling(kept) === sameSpelling(driver) };
  }
  if (kept === null) throw new UserError(t('link.missing'));
  return { driver: kept, isOn: true };
}

function keepingReply(driver: string, isOn: boolean, { t }: Context): Reply {
  const button = { command: 'recap', action: 'keeping', number: isOn ? 0 : 1, subject: '' };
  return {
    content: `**${escapeMarkdown(driver)}**\n${t(isOn ? 'recap.keep.on' : 'recap.keep.off')}`,
    components: [buttonRow({ ...button, label: t(isOn ? 'recap.keep.turnOff' : 'recap.keep.turnOn') })],
  };
}

/** Nothing is posted before the person has seen it. */
async function offerPost(channel: string, context: Context): Promise<Reply> {
  const { features, recentNames, t } = context;
  const guild = requireManagedGuild(context);
  const { posts } = features.recap;
  const { month, state, at, channel: current } = await posts.preview(guild);
  const refusalIn = (channelId: string): string | null => {
    const access = posts.access(guild, channelId);
    return access.kind === 'open' ? null : boardRefusal(access, channelId, t);
  };
  const refusal = refusalIn(channel);
  if (refusal !== null && current === null) throw new UserError(refusal);
  const isOpen = refusal === null;
  const standing = state === 'early' && month.isThin ? 'thin' : state;
  const offer = [
    t('recap.post.ask', { channel: `<#${channel}>`, time: formatPostTime(t), zone: month.zone }),
    standing === 'due' ? t('recap.post.first') : outcomeText(standing, at, t),
  ];
  return {
    content: compact(
      refusal,
      current && t('recap.post.now', { channel: `<#${current}>` }),
      current === null || current === channel ? null : refusalIn(current),
      ...(isOpen ? offer : []),
    ).join('\n'),
    ...(isOpen && state === 'due' ? { embeds: communityCard(month, recentNames.nicknameOf, t).embeds } : {}),
    components: [
      buttonRow(
        ...(isOpen
          ? [{ command: 'recap', action: 'post', subject: channel, label: t('recap.post.begin') }]
          : []),
        ...(current === null ? [] : [stopButton(t)]),
      ),
    ],
  };
}

async function beginPosts(channel: string, context: Context): Promise<Reply> {
  const { features, person, t } = context;
  const result = await features.recap.posts.begin(requireManagedGuild(context), channel, person.locale);
  const { kind } = result;
  if (kind === 'missing' || kind === 'unknown-channel' || kind === 'unavailable')
    throw new UserError(boardRefusal(result, channel, t));
  const { at, channel: current } = result;
  const lines =
    current === channel
      ? [
          t('recap.post.done', { channel: `<#${channel}>` }),
          kind === 'rights'
            ? boardRefusal({ kind: 'forbidden' }, channel, t)
            : outcomeText(kind === 'gone' ? 'later' : kind, at, t),
        ]
      : [
          kind === 'gone' ? boardRefusal({ kind: 'unknown-channel' }, channel, t) : null,
          // Somebody else has chosen another channel, or stopped it, meanwhile.
          current === null ? t('recap.post.stopped') : t('recap.post.now', { channel: `<#${current}>` }),
        ];
  const content = compact(...lines).join('\n');
  return { content, components: current === null ? [] : [buttonRow(stopButton(t))] };
}

function stopButton(t: Context['t']): Button {
  return { command: 'recap', action: 'stop', subject: '', label: t('recap.post.stop'), danger: true };
}

async function stopPosts(context: Context): Promise<Reply> {
  await context.features.recap.posts.stop(requireManagedGuild(context), context.person.locale);
  return { content: context.t('recap.post.stopped'), components: [] };
}
