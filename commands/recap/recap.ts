import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import { aboutZone } from '../../src/cards/history/reader-zone.ts';
import { type Button, buttonRow, channelRow } from '../../src/cards/kit/card.ts';
import { compact } from '../../src/cards/kit/lines.ts';
import { answerUnseen } from '../../src/command-kit/about-player.ts';
import { DiscordId, defineAction, onPress } from '../../src/command-kit/action.ts';
import { boardRefusal } from '../../src/command-kit/boards.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import { type Context, requireManagedGuild } from '../../src/command-kit/context.ts';
import { forDriver, unlinkedError } from '../../src/command-kit/for-driver.ts';
import { linkForm } from '../../src/command-kit/link-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import type { Stretch, TopRow } from '../../src/community/history/history.ts';
import { sameSpelling, Username } from '../../src/service/models/identifiers.ts';
import { communityCard } from './cards/community-card.ts';
import { type RecapView, recapCard } from './cards/recap-card.ts';
import { formatPostTime, nextPostText } from './jobs/post.ts';
import { MAX_OFF_TURN, recapFacts } from './models/facts.ts';
import { keepingButton } from './models/month-choices.ts';
import { ALL, isMonth, monthAt, Period, spanOf, usualPeriod, yearAt } from './models/period.ts';
import { type PostKind, postKinds } from './models/post-time.ts';

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

/** The chosen kinds of posts, as the number in a button's id. */
const kindNumbers = { week: 1, month: 2 } as const satisfies Record<PostKind, number>;
const ChosenKinds = z
  .int()
  .min(0)
  .max(3)
  .transform((number) => postKinds.filter((kind) => (number & kindNumbers[kind]) !== 0));
const numberOf = (kinds: readonly PostKind[]): number =>
  kinds.reduce((sum, kind) => sum + kindNumbers[kind], 0);

/** A driver's month; for whoever manages the server, the community's week and month in a channel as well. */
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
      return offerPosts(post, null, context);
    }
    const choosePeriod = span === null ? usualPeriod : periodChoosers[span];
    return forDriver(player, context, (driver) => show(driver, 'picture', choosePeriod, context), 'recap');
  },

  form: linkForm((driver, context) => show(driver, 'picture', usualPeriod, context)),

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
    /** Below cards of earlier versions, for a person's own driver. */
    keep: onPress(async (context) => ({ ...(await setKept(true, context)), ephemeral: true })),
    keeping: defineAction({
      press: z.object({ number: z.int().min(0).max(1) }),
      run: ({ number }, context) => setKept(number === 1, context),
    }),
    /** A toggle of the window, or another channel from its menu. */
    offer: defineAction({
      press: z.union([
        z
          .object({ value: DiscordId, number: ChosenKinds })
          .transform(({ value: subject, number }) => ({ subject, number })),
        z.object({ subject: DiscordId, number: ChosenKinds.nullable() }),
      ]),
      run: ({ subject, number: kinds }, context) => offerPosts(subject, kinds, context),
    }),
    /** Without a number, as version 2.0.0 wrote it: each month. */
    post: defineAction({
      press: z.object({ subject: DiscordId, number: ChosenKinds.nullable() }),
      run: ({ subject, number: kinds }, context) => beginPosts(subject, kinds ?? ['month'], context),
    }),
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
  const { history, hidden, poll, recentNames, now, t } = context;
  const [zone, past] = await Promise.all([
    readerZone(context),
    history.driver(driver, Number.POSITIVE_INFINITY),
  ]);
  if (past === null || past.since === null) return answerUnseen(driver, context);
  const when = { since: past.since, now };
  const period = choosePeriod(zone.name, when);
  const span = spanOf(period, zone.name, when);
  const around = { from: span.from - MAX_OFF_TURN, to: span.to + MAX_OFF_TURN };
  const spanBefore = isMonth(period) ? spanOf(period - 1, zone.name, when) : null;
  const [sessions, sessionsBefore, readings, rows] = await Promise.all([
    history.sessions(driver, span),
    spanBefore === null ? [] : history.sessions(driver, spanBefore),
    history.readings(driver, around),
    rowsOf(period, span, context),
  ]);
  const firstSeen = (past.sessions.at(-1) ?? past.current)?.from ?? null;
  const before = spanBefore === null ? null : { span: spanBefore, sessions: sessionsBefore };
  const known = { sessions, before, firstSeen, readings, coverage: past };
  const facts = await recapFacts({ period, zone: zone.name, span, ...known, now });
  // Somebody may have hidden the driver while all this was read.
  if (hidden.isHidden(driver)) return answerUnseen(driver, context);
  const place = rows.find((row) => sameSpelling(row.driver) === sameSpelling(driver));
  return recapCard(
    facts,
    {
      driver: { username: past.driver, nickname: recentNames.nicknameOf(driver) },
      period,
      view,
      zone,
      ...when,
      rank: place === undefined || facts.isThin ? null : { rank: place.rank, count: rows.length },
      community: poll.facts.chat?.record.name ?? null,
      isProved: hidden.isProved(driver),
    },
    t,
  );
}

/** Drivers by time online; none for a year, which no ranking has. */
async function rowsOf(period: Period, span: Stretch, { history }: Context): Promise<readonly TopRow[]> {
  if (isMonth(period)) return history.playtime(span);
  return period === ALL ? (await history.top('playtime', 'all')).rows : [];
}

/** It can be turned off without a link. */
async function setKept(isOn: boolean, { features, person, t }: Context): Promise<Reply> {
  const { months } = features.recap;
  if (isOn && (await months.of(person.id)) === null) throw unlinkedError('link.missing', t);
  await months.set(person.id, isOn);
  return {
    content: t(isOn ? 'recap.keep.on' : 'recap.keep.off'),
    components: [buttonRow(keepingButton(isOn, t))],
  };
}

/** Nothing is posted before the person has seen it. `chosen`: null for what is posted by now. */
async function offerPosts(
  channel: string,
  chosen: readonly PostKind[] | null,
  context: Context,
): Promise<Reply> {
  const { features, recentNames, t } = context;
  const guild = requireManagedGuild(context);
  const { posts } = features.recap;
  const { channels, offers, zone, isZoneChosen } = await posts.preview(guild, chosen);
  const kinds = offers.map(({ facts }) => facts.kind);
  const refusalIn = (channelId: string): string | null => {
    const access = posts.access(guild, channelId);
    return access.kind === 'open' ? null : boardRefusal(access, channelId, t);
  };
  const refusal = refusalIn(channel);
  if (refusal !== null && channels.length === 0) throw new UserError(refusal);
  const cards = offers.flatMap(({ facts }) =>
    facts.isThin ? [] : [communityCard(facts, recentNames.nicknameOf, t)],
  );
  const content = compact(
    refusal,
    channels.length === 0 ? null : t('recap.post.now', { channel: channels.map(mentionOf).join(' ') }),
    ...channels.filter((channelId) => channelId !== channel).map(refusalIn),
    ...(refusal === null
      ? [
          t('recap.post.ask', { channel: mentionOf(channel), time: formatPostTime(t), zone }),
          zone === 'UTC' ? aboutZone({ name: zone, by: null }, 'days', t) : null,
          ...offers.map(({ facts }) => (facts.isThin ? t(`recap.post.thin.${facts.kind}`) : null)),
          nextPostText(offers, t),
        ]
      : []),
  ).join('\n');
  const [first] = cards;
  return {
    content,
    ...(refusal === null && first !== undefined
      ? { ...first, embeds: cards.flatMap(({ embeds }) => embeds) }
      : {}),
    components: [
      buttonRow(
        ...(refusal === null ? choiceButtons(channel, kinds, t) : []),
        ...(refusal === null && !isZoneChosen ? [zoneButton(t)] : []),
        ...(channels.length === 0 ? [] : [stopButton(t)]),
      ),
      channelRow(
        { command: 'recap', action: 'offer', number: numberOf(kinds), subject: '' },
        t('recap.post.other'),
      ),
    ],
  };
}

/** A toggle for each kind of post, and *Post from now on*. */
function choiceButtons(channel: string, kinds: readonly PostKind[], t: Context['t']): readonly Button[] {
  const id = { command: 'recap', subject: channel };
  const toggles = postKinds.map((kind) => {
    const label = t(`recap.post.each.${kind}`);
    const number = numberOf(postKinds.filter((each) => kinds.includes(each) !== (each === kind)));
    return { ...id, action: 'offer', number, label: `${kinds.includes(kind) ? '✅' : '⬜'} ${label}` };
  });
  const begin = { ...id, action: 'post', number: numberOf(kinds), label: t('recap.post.begin') };
  return [...toggles, { ...begin, disabled: kinds.length === 0 }];
}

/** Opens the window of `/settings`. */
function zoneButton(t: Context['t']): Button {
  return {
    command: 'settings',
    action: 'form',
    subject: '',
    label: t('settings.label.timezone'),
    emoji: '🌐',
  };
}

const mentionOf = (channel: string): string => `<#${channel}>`;

async function beginPosts(channel: string, kinds: readonly PostKind[], context: Context): Promise<Reply> {
  const { features, person, t } = context;
  const { posts } = features.recap;
  const guild = requireManagedGuild(context);
  const choice = { channel, isWeekly: kinds.includes('week'), isMonthly: kinds.includes('month') };
  const access = await posts.begin(guild, choice, person);
  if (access.kind !== 'open') throw new UserError(boardRefusal(access, channel, t));
  const { offers } = await posts.preview(guild, kinds);
  return {
    content: compact(t('recap.post.done', { channel: mentionOf(channel) }), nextPostText(offers, t)).join(
      '\n',
    ),
    components: [buttonRow(stopButton(t))],
  };
}

function stopButton(t: Context['t']): Button {
  return { command: 'recap', action: 'stop', subject: '', label: t('recap.post.stop'), danger: true };
}

async function stopPosts(context: Context): Promise<Reply> {
  await context.features.recap.posts.stop(requireManagedGuild(context), context.person.locale);
  return { content: context.t('recap.post.stopped'), components: [] };
}
