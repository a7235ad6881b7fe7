import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import { zoneButton } from '../../src/cards/history/reader-zone.ts';
import { type Button, buttonRow } from '../../src/cards/kit/card.ts';
import { DATA_SERVICE } from '../../src/cards/kit/tell-buttons.ts';
import { serverName, serverNames } from '../../src/cards/servers/server-lines.ts';
import { defineAction, onPress, onSubject, PageNumber } from '../../src/command-kit/action.ts';
import { boardRefusal } from '../../src/command-kit/boards.ts';
import { defineGroup, defineSubcommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { isServer } from '../../src/command-kit/command-options/server-choices.ts';
import { guildZone, readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import { vinOption } from '../../src/command-kit/command-options/vin.ts';
import { type Context, requireManagedGuild } from '../../src/command-kit/context.ts';
import { forDriver, runForDriverOf } from '../../src/command-kit/for-driver.ts';
import { defineForm, type Fields, type Values } from '../../src/command-kit/form.ts';
import type { Args, Options } from '../../src/command-kit/option.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { Username, Vin } from '../../src/service/models/identifiers.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { watchCard, watchListCard } from './cards/watch-list-card.ts';
import { createdText, snoozedText, stoppedText } from './cards/watch-text.ts';
import type { Watch } from './models/watch.ts';

const nightOption = { kind: 'flag', description: 'watch.options.atNight', required: false } as const;
const where = {
  channel: { kind: 'channel', description: 'watch.options.channel', required: false },
  ping: { kind: 'role', description: 'watch.options.ping', required: false },
  'at-night': nightOption,
} as const satisfies Options;
type TargetOptions = Args<typeof where>;
const count = { kind: 'count', required: false, min: 1 } as const;

const outageOptions = {
  outage: {
    kind: 'choice',
    description: 'watch.options.goes',
    required: false,
    choices: { down: 'watch.goesChoice.down', back: 'watch.goesChoice.back', both: 'watch.goesChoice.both' },
  },
  after: { kind: 'count', required: false, description: 'watch.options.after', min: 2, max: 60 },
} as const satisfies Options;
/** Minutes of an outage before it is said. */
const DEFAULT_OUTAGE_MINUTES = 5;

/** Largest number of free slots or drivers that a watch can wait for. */
const MAX_COUNT = 500;
const Count = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .pipe(z.number().min(1).max(MAX_COUNT));

const serverOptions = {
  server: { kind: 'choice', description: 'live.options.server', required: true, choices: serverNames },
  free: { ...count, max: MAX_COUNT, description: 'watch.options.free' },
  drivers: { ...count, max: MAX_COUNT, description: 'watch.options.drivers' },
  ...outageOptions,
} as const satisfies Options;

const serverFields = {
  server: { kind: 'choice', label: 'live.options.server', choices: serverNames },
  free: { kind: 'text', optional: true, short: 5, label: 'watch.options.free' },
  drivers: { kind: 'text', optional: true, short: 5, label: 'watch.options.drivers' },
  outage: {
    kind: 'several',
    label: 'watch.form.goes',
    choices: { down: 'watch.goesChoice.down', back: 'watch.goesChoice.back' },
  },
} as const satisfies Fields;

/** Percent below which a car counts as worn. */
const WORN_PERCENT = 50;
/** The highest price that can be given; nothing costs more. */
const MAX_PRICE = 1_000_000_000;

/** The number in a button's id for an alert that may come at night, too. */
const AT_NIGHT_NUMBER = 1;
const nightNumber = (atNight: boolean | null) => (atNight === true ? { number: AT_NIGHT_NUMBER } : {});
const directly = (number: number | null): TargetOptions => ({
  channel: null,
  ping: null,
  'at-night': number === AT_NIGHT_NUMBER,
});

const noChoice = { outage: null, after: null };
/** The subject of a button *Tell me*, as `cards/kit/tell-buttons.ts` writes it: "driver k3nny", "outage service". */
const Tellable = z
  .string()
  .transform((subject): unknown => /^(?<kind>[a-z]+) (?<of>.*)$/su.exec(subject)?.groups)
  .pipe(
    z.union([
      z
        .object({ kind: z.literal('driver'), of: Username })
        .transform(({ kind, of }) => ({ kind, player: of })),
      z
        .object({ kind: z.literal('car'), of: Vin })
        .transform(({ kind, of }) => ({ kind, vin: of, below: null })),
      z
        .object({ kind: z.literal('duty'), of: z.enum(['police', 'medic', 'tow', 'chase']) })
        .transform(({ kind, of }) => ({ kind, duty: of, atLeast: 1 })),
      z
        .object({ kind: z.literal('outage'), of: z.literal(DATA_SERVICE).or(z.string().refine(isServer)) })
        .transform(({ of }) => outageCondition(of === DATA_SERVICE ? null : of, noChoice)),
    ]),
  );

/** Alerts: messages about what a person wants to know. */
export default defineGroup({
  description: 'watch.description',
  topic: 'together',
  visibility: 'private',
  subcommands: {
    driver: defineSubcommand({
      description: 'watch.about.driver',
      options: { player: playerOption('profile.options.player', true), ...where },
      async run({ player: typed, ...target }, context) {
        return forDriver(typed, context, (player) => watch({ kind: 'driver', player }, target, context));
      },
      retryAction: ({ player, channel, 'at-night': night }) =>
        channel === null ? { action: 'driver', subject: player, ...nightNumber(night) } : null,
    }),
    server: defineSubcommand({
      description: 'watch.about.server',
      options: { ...serverOptions, ...where },
      run: async (args, context) => watch(serverCondition(args, context.t), args, context),
      // The form opens if nothing but the server's name is typed.
      form: defineForm({
        title: 'watch.form.title',
        subjectOptions: ['server'],
        fields: serverFields,
        begin: async (_context, { server = '' }) => (isServer(server) ? { server } : {}),
        submit: async (values, context) =>
          watch(serverCondition(readServerFields(values, context.t), context.t), directly(null), context),
      }),
    }),
    service: defineSubcommand({
      description: 'watch.about.service',
      options: { ...outageOptions, ...where },
      run: (args, context) => watch(outageCondition(null, args), args, context),
    }),
    duty: defineSubcommand({
      description: 'watch.about.duty',
      options: {
        kind: {
          kind: 'choice',
          description: 'watch.options.role',
          required: true,
          choices: {
            police: 'watch.role.police',
            medic: 'watch.role.medic',
            tow: 'watch.role.tow',
            chase: 'watch.role.chase',
          },
        },
        'at-least': { ...count, description: 'watch.options.atLeast', min: 0, max: 100 },
        ...where,
      },
      run: ({ kind: duty, 'at-least': atLeast, ...target }, context) =>
        watch({ kind: 'duty', duty, atLeast: atLeast ?? 1 }, target, context),
    }),
    car: defineSubcommand({
      description: 'watch.about.car',
      options: {
        vin: vinOption,
        below: { ...count, description: 'watch.options.price', max: MAX_PRICE },
        ...where,
      },
      run: ({ vin, below, ...target }, context) => watch({ kind: 'car', vin, below }, target, context),
      // A price is longer than the number that a button holds.
      retryAction: ({ vin, below, channel, 'at-night': night }) =>
        channel === null && below === null ? { action: 'car', subject: vin, ...nightNumber(night) } : null,
    }),
    mine: defineSubcommand({
      description: 'watch.about.mine',
      options: {
        below: { ...count, description: 'watch.options.condition', max: 99 },
        'at-night': nightOption,
      },
      async run({ below, 'at-night': night }, context) {
        const target = { channel: null, ping: null, 'at-night': night };
        return runForDriverOf(context.person.id, context, (player) =>
          watch({ kind: 'mine', player, below: below ?? WORN_PERCENT }, target, context),
        );
      },
    }),
    digest: defineSubcommand({
      description: 'watch.about.digest',
      isRetired: true,
      permission: 'manage-guild',
      guildOnly: true,
      options: { channel: { ...where.channel, required: true } },
      run: async ({ channel: subject }, { t }) => ({
        content: t('watch.digest.moved'),
        components: [
          buttonRow({ command: 'recap', action: 'offer', subject, label: t('watch.digest.open') }),
        ],
      }),
    }),
    list: defineSubcommand({
      description: 'watch.about.list',
      options: {},
      run: (_given, context) => list(context),
    }),
    remove: defineSubcommand({
      description: 'watch.about.remove',
      options: {},
      run: (_given, context) => list(context),
    }),
  },

  actions: {
    driver: defineAction({
      press: z.object({ subject: Username, number: z.int().nullable() }),
      run: ({ subject: player, number }, context) =>
        watch({ kind: 'driver', player }, directly(number), context),
    }),
    car: defineAction({
      press: z.object({ subject: Vin, number: z.int().nullable() }),
      run: ({ subject: vin, number }, context) =>
        watch({ kind: 'car', vin, below: null }, directly(number), context),
    }),
    tell: onSubject(Tellable, async (condition, context) => ({
      ...(await watch(condition, directly(null), context)),
      // The card that has the button stays.
      ephemeral: true,
    })),
    stop: onSubject(z.string(), async (ids, context) => {
      const { features, person, t } = context;
      const stopped = changed(await features.alerts.stop(ids.split('.'), person), context);
      return { ephemeral: true, content: stoppedText(stopped, t) };
    }),
    snooze: onSubject(z.string(), async (ids, context) => {
      const { features, person, t, now } = context;
      const snoozed = changed(await features.alerts.snooze(ids.split('.'), person, now), context);
      return { ephemeral: true, content: snoozedText(snoozed, t) };
    }),
    page: defineAction({
      press: z.object({ number: PageNumber }),
      run: ({ number: page }, context) => list(context, page),
    }),
    /** From the list's menu. */
    one: defineAction({
      press: z.object({ value: z.string(), number: PageNumber }),
      async run({ value, number: page }, { features, person, t, now }) {
        const { own, here } = await features.alerts.list(person);
        const watch = [...own, ...here].find(({ id }) => id === value);
        if (watch === undefined) throw new UserError(t('watch.gone'));
        return watchCard(watch, { now, page }, t);
      },
    }),
    /** Below one of the list; the list's menu of an earlier version has it as its choice. */
    remove: defineAction({
      press: z.object({ value: z.string().nullable(), subject: z.string(), number: PageNumber }),
      async run({ value, subject, number: page }, context) {
        await context.features.alerts.stop([value ?? subject], context.person);
        return list(context, page);
      },
    }),
    resume: onPress(async ({ features, person, t }) => {
      await features.alerts.resume(person);
      return { ephemeral: true, content: t('watch.resumed') };
    }),
  },
});

async function watch(condition: Watch['condition'], target: TargetOptions, context: Context): Promise<Reply> {
  const { features, service, person, t, now } = context;
  const place = placeOf(target, context);
  const { name, by } = await (place.kind === 'channel' ? guildZone : readerZone)(context);
  const zone = by === null ? null : name;
  const atNight = target['at-night'] === true;
  const request = { person: person.id, place, condition, locale: t.locale, zone, atNight };
  const created = await features.alerts.create(request, service, now);
  if (created.kind !== 'created') throw new UserError(whyNot(created, target.channel, t));
  const zoneButtons = atNight || place.kind === 'channel' ? [] : zoneButton({ by }, t);
  return {
    content: createdText(created, t),
    components: [buttonRow(...zoneButtons, removeButton(created.watch.id, t))],
  };
}

function removeButton(subject: string, t: Context['t']): Button {
  return { command: 'watch', action: 'stop', subject, label: t('watch.removeThis') };
}

/** Throws a {@link UserError} for a figure that is no number, or too large. */
function readServerFields(
  { server, outage, ...figures }: Values<typeof serverFields>,
  t: Context['t'],
): Args<typeof serverOptions> {
  const figureOf = (typed: string): number | null => {
    const figure = typed.trim() === '' ? null : Count.safeParse(typed.trim()).data;
    if (figure === undefined) throw new UserError(t('watch.refused.figure'));
    return figure;
  };
  const one = outage === 'down' || outage === 'back' ? outage : null;
  return {
    server,
    free: figureOf(figures.free),
    drivers: figureOf(figures.drivers),
    outage: outage.includes(' ') ? 'both' : one,
    after: null,
  };
}

/** Throws a {@link UserError} where nothing is chosen, or both an outage and a number. */
function serverCondition(
  { server, free, drivers, outage, after }: Args<typeof serverOptions>,
  t: Context['t'],
): Watch['condition'] {
  const isOutage = outage !== null || after !== null;
  const isCount = free !== null || drivers !== null;
  if (isOutage && isCount) throw new UserError(t('watch.refused.goesAlone'));
  if (isOutage) return outageCondition(server, { outage, after });
  if (!isCount) throw new UserError(t('watch.refused.nothing'));
  return { kind: 'server', server, free, drivers };
}

/** `server`: null for the data service. */
function outageCondition(
  server: string | null,
  { outage, after }: Args<typeof outageOptions>,
): Watch['condition'] {
  return { kind: 'outage', server, goes: outage ?? 'both', after: after ?? DEFAULT_OUTAGE_MINUTES };
}

/** A channel is for those who manage the server, a ping only for a channel. */
function placeOf({ channel, ping }: TargetOptions, context: Context): Watch['place'] {
  if (channel === null) {
    if (ping !== null) throw new UserError(context.t('watch.refused.ping'));
    return { kind: 'direct' };
  }
  return { kind: 'channel', guild: requireManagedGuild(context), channel, role: ping };
}

function whyNot(
  refused: Exclude<Awaited<ReturnType<Context['features']['alerts']['create']>>, { kind: 'created' }>,
  channelId: string | null,
  t: Context['t'],
): string {
  switch (refused.kind) {
    case 'missing':
    case 'unknown-channel':
    case 'unavailable':
      return boardRefusal(refused, channelId ?? '', t);
    case 'forbidden':
      return t('watch.refused.forbidden', { player: escapeMarkdown(refused.player) });
    case 'never': {
      const server = `**${serverName(refused.server, t)}**`;
      return refused.slots === null
        ? t('watch.refused.slotsUnknown', { server })
        : t('watch.refused.tooFewSlots', { server, count: refused.slots });
    }
    default:
      return t(`watch.refused.${refused.kind}`);
  }
}

async function list({ features, person, t, now }: Context, page = 0): Promise<Reply> {
  return watchListCard(await features.alerts.list(person), { now, wanted: page }, t);
}

/** None are left, or none that this person may change: a button in a channel is there for everyone. */
function changed<Watch>(watches: readonly Watch[], { person, t }: Context): readonly Watch[] {
  if (watches.length > 0) return watches;
  if (person.guildId === null) throw new UserError(t('watch.gone'));
  // The weekly digests of version 2.0.0 stand in channels with such buttons.
  throw new UserError(
    person.mayManage ? `${t('watch.gone')}\n${t('watch.digest.moved')}` : t('discord.notAllowed'),
  );
}
