import { z } from 'zod';
import { HOUR, SECOND } from '../../src/base/duration.ts';
import { UserError } from '../../src/base/errors.ts';
import { type ReaderZone, zoneSaved } from '../../src/cards/history/reader-zone.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import type { CustomId } from '../../src/cards/kit/custom-id.ts';
import { serverNames } from '../../src/cards/servers/server-lines.ts';
import { DiscordId, defineAction, onSubject, onSubjectOrChoice } from '../../src/command-kit/action.ts';
import { boardRefusal } from '../../src/command-kit/boards.ts';
import { defineGroup, defineSubcommand } from '../../src/command-kit/command.ts';
import { isServer } from '../../src/command-kit/command-options/server-choices.ts';
import {
  momentInZone,
  readerZone,
  saveTypedZone,
  typedMoment,
} from '../../src/command-kit/command-options/time-zone.ts';
import { type Context, requireChannel, requireGuild } from '../../src/command-kit/context.ts';
import { defineForm, type Fields, type Values } from '../../src/command-kit/form.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { chosenConvoyCard, convoyListCard, convoyMenu, draftCard, manageCard } from './cards/convoy-texts.ts';
import {
  type Convoy,
  DEFAULT_HOURS,
  type Draft,
  MAX_HOURS,
  MAX_LENGTHS,
  MAX_PLACES,
  REMIND_BEFORE,
} from './models/convoy.ts';
import {
  dayChoices,
  isDay,
  isZone,
  MAX_TIME_LENGTH,
  timeParts,
  typedParts,
  whenOf,
  zoneChoices,
} from './models/convoy-window.ts';
import { weekAfter } from './models/decide.ts';
import { readWhen } from './models/when.ts';
import { suggestWhen } from './models/when-suggestions.ts';

const repeats = { once: 'convoy.repeats.once', weekly: 'convoy.repeats.weekly' } as const;

const textOption = (maxLength: number) =>
  ({ kind: 'text', required: false, schema: z.string().trim().min(1).max(maxLength) }) as const;
const convoyOption = {
  ...textOption(MAX_LENGTHS.title),
  description: 'convoy.options.convoy',
  wrong: 'convoy.wrong.none',
} as const;

const repeatsField = {
  kind: 'choice',
  label: 'convoy.options.repeats',
  choices: repeats,
  stored: true,
} as const;
/** `zoned`: 1 if the time zone of the person is known, else 0. */
const fields = {
  zoned: { kind: 'kept', optional: true },
  title: { kind: 'text', label: 'convoy.options.title', long: MAX_LENGTHS.title },
  day: { kind: 'menu', label: 'convoy.options.day', accepts: isDay },
  time: {
    kind: 'text',
    label: 'convoy.options.time',
    hint: 'convoy.options.timeHint',
    long: MAX_TIME_LENGTH,
  },
  server: { kind: 'choice', label: 'convoy.options.server', choices: serverNames, stored: true },
  zone: {
    kind: 'menu',
    label: 'convoy.options.zone',
    hint: 'convoy.options.zoneHint',
    shownIf: ['zoned', '0'],
    accepts: isZone,
  },
  repeats: { ...repeatsField, shownIf: ['zoned', '1'] },
} as const satisfies Fields;

/** Everything that a convoy begins without. `announced`: 1 for a convoy, whose role was pinged or is not; 0 for a draft. */
const moreFields = {
  convoy: { kind: 'kept' },
  announced: { kind: 'kept', optional: true },
  description: {
    kind: 'text',
    label: 'convoy.options.description',
    hint: 'convoy.options.descriptionHint',
    optional: true,
    long: MAX_LENGTHS.description,
    isMultiline: true,
  },
  length: {
    kind: 'menu',
    label: 'convoy.options.length',
    accepts: (value: string) => readCount(value, MAX_HOURS) !== null,
  },
  places: {
    kind: 'text',
    label: 'convoy.options.places',
    hint: 'convoy.options.placesHint',
    optional: true,
    long: String(MAX_PLACES).length,
  },
  role: {
    kind: 'role',
    label: 'convoy.options.ping',
    hint: 'convoy.options.pingHint',
    optional: true,
    shownIf: ['announced', '0'],
  },
  repeats: repeatsField,
} as const satisfies Fields;

const Id = z.string().regex(/^\d{16}$/);
/** A draft, and one of the moments that its time can mean, in seconds. */
const Meaning = z
  .string()
  .regex(/^\d{16},\d{10}$/)
  .transform((subject) => ({ id: subject.slice(0, 16), at: Number(subject.slice(17)) * SECOND }));

/** Convoys: planned here, shown while they drive, and who was really there. */
export default defineGroup({
  description: 'convoy.description',
  topic: 'together',
  visibility: 'private',
  guildOnly: true,
  subcommands: {
    create: defineSubcommand({
      description: 'convoy.create.description',
      options: {
        title: {
          ...textOption(MAX_LENGTHS.title),
          description: 'convoy.options.title',
          wrong: 'convoy.wrong.title',
        },
        when: {
          ...textOption(MAX_LENGTHS.when),
          description: 'convoy.options.when',
          wrong: 'convoy.wrong.when',
          complete: (input, { t, zone, now }) => suggestWhen(input, { locale: t.locale, zone, now }),
        },
        server: {
          kind: 'choice',
          description: 'convoy.options.server',
          required: false,
          choices: serverNames,
        },
      },
      async run({ title, when, server }, context) {
        // Without one of them the form opens, unless the client still offers the options of an earlier version.
        if (title === null || when === null || server === null)
          throw new UserError(context.t('convoy.wrong.incomplete'));
        const id = context.features.convoys.newDraftId(context.sentAt);
        return plan({ title, when, server }, { id, channel: requireChannel(context) }, context);
      },
      form: defineForm({
        title: 'convoy.create.description',
        needs: ['title', 'when', 'server'],
        async isEnough({ when = '' }, context) {
          const zone = await readerZone(context);
          const reading = readWhen(when, readerIn(zone, context));
          if ('problem' in reading) return reading.problem !== 'unread' && zone.by !== null;
          // Without a time zone nobody knows which moment "fri 8pm" is.
          return zone.by !== null || !reading.isZoned;
        },
        replacesMessage: true,
        fields: { draft: { kind: 'kept', optional: true }, ...fields },
        menus: choicesOf,
        async begin(context, args) {
          const { features, sentAt: now } = context;
          const id = args['draft'] || features.convoys.newDraftId(now);
          const draft = await findDraft(id, context);
          const channel = draft?.channel ?? requireChannel(context);
          await refuseHopeless({ id, channel, role: draft?.role ?? null }, context);
          const zone = await readerZone(context);
          if (draft !== null) return { draft: id, ...filledFrom(draft, zone, context) };
          const { title, when = '', server } = args;
          const reader = readerIn(zone, context);
          const reading = readWhen(when, reader);
          return withoutEmpty({
            draft: id,
            title: title?.slice(0, MAX_LENGTHS.title),
            ...typedParts(when, reader),
            server: isServer(server ?? '') ? server : null,
            repeats: 'once',
            ...zoneValues(zone, 'problem' in reading || reading.isZoned),
          });
        },
        async submit({ draft, ...values }, context) {
          const place = await newPlace(draft, context);
          return plan(await typedIn(values, place.before, context), place, context);
        },
        async keep({ draft = '', ...values }, context) {
          const place = await newPlace(draft, context);
          await keepDraft(await typedIn(values, place.before, context), place, context);
        },
      }),
    }),
    edit: defineSubcommand({
      description: 'convoy.edit.description',
      options: { convoy: convoyOption },
      run: async (_args, { t }) => {
        throw new UserError(t('convoy.wrong.none'));
      },
      form: defineForm({
        title: 'convoy.edit.description',
        subjectOptions: ['convoy'],
        replacesMessage: true,
        fields: { convoy: { kind: 'kept' }, ...fields },
        menus: choicesOf,
        async choose(context, { convoy: called = '' }) {
          if ((await findDraft(called, context)) !== null) return null;
          return chooseConvoy(called, { command: 'convoy edit', action: 'form', subject: '' }, context);
        },
        async begin(context, { convoy = '' }) {
          const draft = await currentDraft(convoy, context);
          await refuseHopeless(draft, context);
          return { convoy: draft.id, ...filledFrom(draft, await readerZone(context), context) };
        },
        async submit({ convoy, ...values }, context) {
          const before = await currentDraft(convoy, context);
          return plan(await typedIn(values, before, context), before, context);
        },
        async keep({ convoy, ...values }, context) {
          if (convoy === undefined) return;
          const before = await currentDraft(convoy, context);
          await keepDraft(await typedIn(values, before, context), before, context);
        },
      }),
    }),
    cancel: defineSubcommand({
      description: 'convoy.cancel.description',
      options: { convoy: convoyOption },
      async run({ convoy: called }, context) {
        const menu = { command: 'convoy', action: 'cancel', subject: '' };
        return (await chooseConvoy(called ?? '', menu, context)) ?? askToCancel(called ?? '', context);
      },
    }),
    list: defineSubcommand({
      description: 'convoy.list.description',
      options: {},
      async run(_args, context) {
        const { features, sentAt: now, t } = context;
        const { name: zone } = await readerZone(context);
        return convoyListCard(await features.convoys.list(askerOf(context), now), zone, t);
      },
    }),
  },

  forms: {
    more: defineForm({
      title: 'convoy.more.title',
      replacesMessage: true,
      fields: moreFields,
      menus: (_values, { t }) => ({
        length: Array.from({ length: MAX_HOURS }, (_, index) => ({
          value: String(index + 1),
          label: t.duration(((index + 1) * HOUR) / SECOND),
        })),
      }),
      async begin(context, { convoy = '' }) {
        const { id, description, hours, places, role, weekly, isAnnounced } = await currentDraft(
          convoy,
          context,
        );
        const announced = isAnnounced ? '1' : '0';
        return {
          ...withoutEmpty({ convoy: id, announced, description, length: hours, places, role }),
          repeats: weekly ? 'weekly' : 'once',
        };
      },
      async submit({ convoy, ...values }, context) {
        const before = await currentDraft(convoy, context);
        const { places } = values;
        if (places.trim() === '' || readCount(places, MAX_PLACES) !== null)
          return plan(typedMore(values), before, context);
        const { places: _, ...rest } = values;
        await keepDraft(typedMore(rest), before, context);
        throw new UserError(context.t('convoy.wrong.places', { max: MAX_PLACES }));
      },
      async keep({ convoy, ...values }, context) {
        if (convoy === undefined) return;
        await keepDraft(typedMore(values), await currentDraft(convoy, context), context);
      },
    }),
    // Below a preview, which then shows the time in that zone.
    zone: defineForm({
      title: 'timezone.title',
      replacesMessage: true,
      fields: {
        draft: { kind: 'kept' },
        zone: { kind: 'text', label: 'timezone.label', hint: 'timezone.hint' },
      },
      begin: async ({ store, person }, { draft }) =>
        withoutEmpty({ draft, zone: await store.timeZones.of(person.id) }),
      async submit({ draft, zone: typed }, context) {
        const { features, sentAt: now, t } = context;
        const zone = await saveTypedZone(typed, context);
        const reader = { locale: t.locale, zone, now };
        const planned = await features.convoys.readAgain(askerOf(context), draft, reader, null);
        const saved = zoneSaved(typed, zone, now, t);
        if (planned === null)
          return { content: `${saved}\n${t('convoy.wrong.draft')}`, embeds: [], components: [] };
        return { content: saved, ...draftCard(planned, t) };
      },
    }),
  },

  actions: {
    in: press('in'),
    maybe: press('maybe'),
    out: press('out'),
    remind: press('remind'),
    announce: onSubject(Id, async (id, context) => {
      const { features, sentAt: now, t } = context;
      const zone = await readerZone(context);
      const reader = { locale: t.locale, colours: t.colours, zone: zone.name };
      const outcome = await features.convoys.announce(askerOf(context), id, reader, now);
      if (outcome === null) throw new UserError(t('convoy.wrong.draft'));
      if ('replanned' in outcome) {
        const content = t('convoy.preview.replanned', { zone: zone.name });
        return { content, ...draftCard(outcome.replanned, t) };
      }
      if ('refusal' in outcome) {
        const { channel } = await currentDraft(id, context);
        throw await refused(outcome.refusal, channel, context);
      }
      const channel = `<#${outcome.convoy.channel}>`;
      const content = outcome.isNew
        ? t(outcome.isPosted ? 'convoy.announced' : 'convoy.later', { channel })
        : t('convoy.saved');
      return { content, embeds: [], components: [] };
    }),
    at: onSubject(Meaning, async ({ id, at }, context) => {
      const { features, sentAt: now, t } = context;
      const zone = await readerZone(context);
      const reader = { locale: t.locale, zone: zone.name, now };
      const planned = await features.convoys.readAgain(askerOf(context), id, reader, at);
      if (planned === null) throw new UserError(t('convoy.wrong.draft'));
      return draftCard(planned, t);
    }),
    event: onSubject(Id, (id, context) => adjust(id, { eventForAll: true }, context)),
    eventless: onSubject(Id, (id, context) => adjust(id, { eventForAll: false }, context)),
    channel: defineAction({
      press: z.object({ subject: Id, value: DiscordId }),
      run: ({ subject, value }, context) => adjust(subject, { channel: value }, context),
    }),
    drop: onSubject(Id, async (id, context) => {
      await context.features.convoys.dropDraft(askerOf(context), id);
      return { content: context.t('convoy.dropped'), embeds: [], components: [] };
    }),
    /** From the menu below the list. */
    show: onSubjectOrChoice(Id, async (id, context) => {
      const { features, sentAt: now, t } = context;
      const { coming } = await features.convoys.list(askerOf(context), now);
      const chosen = coming.find(({ convoy }) => convoy.id === id);
      if (chosen === undefined) throw new UserError(t('convoy.wrong.closed'));
      return { ephemeral: true, ...chosenConvoyCard(chosen, t) };
    }),
    manage: onSubject(Id, async (id, context) => {
      const { features, sentAt: now, t } = context;
      const managed = await features.convoys.manage(askerOf(context), id, now);
      if (managed === null) throw new UserError(t('convoy.wrong.closed'));
      if ('convoy' in managed) return { ephemeral: true, ...manageCard(managed, t) };
      const { madeBy } = managed;
      throw new UserError(
        madeBy === '' ? t('convoy.manage.managers') : t('convoy.manage.maker', { maker: `<@${madeBy}>` }),
      );
    }),
    again: onSubject(Id, async (id, context) => {
      const { features, sentAt: now } = context;
      const convoy = await findOnly(id, context);
      const { title, description = '', server, hours, places, channel } = convoy;
      const when = momentInZone(weekAfter(convoy, now).at, convoy.zone);
      const copy = { title, when, description, server, hours, places };
      return plan(copy, { id: features.convoys.newDraftId(now), channel }, context);
    }),
    /** From the menu of several convoys, and the button of one. */
    cancel: onSubjectOrChoice(Id, askToCancel),
    stop: onSubject(Id, async (id, context) => {
      const { features, sentAt: now, t } = context;
      const outcome = await features.convoys.cancel(askerOf(context), id, now);
      if (outcome === null) throw new UserError(t('convoy.wrong.gone'));
      if (outcome !== 'cancelled') throw new UserError(t(`convoy.refused.${outcome}`));
      return { content: t('convoy.cancel.done'), components: [] };
    }),
  },
});

function askerOf(context: Context) {
  const { id, roles = [] } = context.person;
  return { id, guild: requireGuild(context), roles };
}

/** The draft in another channel, or with or without an event for all. */
async function adjust(
  id: string,
  change: Parameters<Context['features']['convoys']['adjust']>[2],
  context: Context,
): Promise<Reply> {
  const { features, sentAt: now, t } = context;
  const draft = await findDraft(id, context);
  const planned = await features.convoys.adjust(askerOf(context), id, change, now);
  if (draft === null || planned === null) throw new UserError(t('convoy.wrong.draft'));
  return preview(planned, 'channel' in change ? change.channel : draft.channel, context);
}

function press(action: 'in' | 'maybe' | 'out' | 'remind') {
  return onSubject(Id, async (id, context) => {
    const { features, sentAt: now, t } = context;
    const outcome = await features.convoys.press(askerOf(context), id, action, now);
    if (outcome === null) throw new UserError(t('convoy.wrong.gone'));
    if (typeof outcome === 'string') throw new UserError(t(`convoy.wrong.${outcome}`));
    const { state, behind: n, remind, count } = outcome;
    const reminder = t('convoy.pressed.reminded', { duration: t.duration(REMIND_BEFORE / 1000) });
    // A person who only wants the reminder has not been refused anything.
    if (action === 'remind' && remind && state === 'out') return { ephemeral: true, content: reminder };
    const content =
      state === 'in'
        ? t('convoy.pressed.in', { count })
        : state === 'waiting'
          ? t('convoy.pressed.waiting', { n })
          : t(`convoy.pressed.${state}`);
    return { ephemeral: true, content: remind ? `${content}\n${reminder}` : content };
  });
}

/** Null for what is no number from 1 to `max`. */
function readCount(text: string, max: number): number | null {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= max ? count : null;
}

/** Values of a form, without the missing ones. */
function withoutEmpty(values: Readonly<Record<string, string | number | null | undefined>>) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  );
}

/** The only convoy that the person may change, or the first one that is called so. */
async function findOnly(called: string, context: Context): Promise<Convoy> {
  const [convoy] = await context.features.convoys.changeable(askerOf(context), called, context.sentAt);
  if (convoy === undefined) throw await noneCalled(called, context);
  return convoy;
}

/** The person may change none, or none that is called so. */
async function noneCalled(called: string, context: Context): Promise<UserError> {
  const { features, sentAt: now, t } = context;
  const isTyped = called !== '' && !Id.safeParse(called).success;
  const others = isTyped ? await features.convoys.changeable(askerOf(context), '', now) : [];
  return new UserError(
    others.length === 0
      ? t('convoy.wrong.none')
      : t('convoy.wrong.unknown', { title: escapeMarkdown(called) }),
  );
}

/** A menu of the convoys that the person can mean; null unless there are several. */
async function chooseConvoy(called: string, menu: CustomId, context: Context): Promise<Reply | null> {
  const { features, sentAt: now, t } = context;
  const matches = await features.convoys.changeable(askerOf(context), called, now);
  if (matches.length < 2) return null;
  const { name: zone } = await readerZone(context);
  return { content: t('convoy.which'), components: [convoyMenu(matches, menu, zone, t)] };
}

async function askToCancel(called: string, context: Context): Promise<Reply> {
  const { t } = context;
  const { id, title, at } = await findOnly(called, context);
  const when = `<t:${Math.floor(at / SECOND)}:F>`;
  const button = {
    command: 'convoy',
    action: 'stop',
    subject: id,
    label: t('convoy.cancel.stop'),
    danger: true,
  };
  return {
    content: t('convoy.cancel.ask', { title: escapeMarkdown(title), when }),
    embeds: [],
    components: [buttonRow(button)],
  };
}

async function findDraft(id: string, context: Context) {
  const draft = await context.features.convoys.draftOf(askerOf(context), context.sentAt);
  return draft?.id === id ? draft : null;
}

/** The person's draft of that id, else a convoy, with its time as it can be typed again. */
async function currentDraft(called: string, context: Context) {
  const draft = await findDraft(called, context);
  const [convoy] = await context.features.convoys.changeable(askerOf(context), called, context.sentAt);
  if (draft !== null) return { ...draft, isAnnounced: convoy?.id === draft.id };
  if (convoy === undefined) throw await noneCalled(called, context);
  const { name: zone } = await readerZone(context);
  return { ...convoy, when: typedMoment(convoy.at, zone), isZoned: false, isAnnounced: true };
}

const readerIn = ({ name: zone }: ReaderZone, { t, sentAt: now }: Context) => ({
  locale: t.locale,
  zone,
  now,
});

/**
 * A person without a time zone of their own is asked for it. The one that the window shows its time in is chosen, unless nobody
 * has set one. `isZoned`: another zone makes it another moment.
 */
function zoneValues({ name: zone, by }: ReaderZone, isZoned: boolean) {
  return { zoned: by === 'person' ? '1' : '0', ...(by === null && isZoned ? {} : { zone }) };
}

function filledFrom(
  {
    title,
    when,
    at,
    server,
    weekly,
    isZoned = true,
  }: Omit<Awaited<ReturnType<typeof currentDraft>>, 'isAnnounced'>,
  zone: ReaderZone,
  context: Context,
): Partial<Values<typeof fields>> {
  return {
    title,
    ...timeParts({ when, at }, readerIn(zone, context)),
    repeats: weekly ? 'weekly' : 'once',
    ...(isServer(server) ? { server } : {}),
    ...zoneValues(zone, isZoned),
  };
}

function choicesOf({ day, zone }: Partial<Values>, { t, sentAt: now }: Context) {
  const reader = { locale: t.locale, zone: zone ?? 'UTC', now };
  return { day: dayChoices(day, reader), zone: zoneChoices(zone, reader) };
}

/** The draft of that id, or a new one in this channel. `before`: what the window opened with. */
async function newPlace(about: string, context: Context) {
  const before = await findDraft(about, context);
  const id = about || context.features.convoys.newDraftId(context.sentAt);
  return { id, channel: before?.channel ?? requireChannel(context), before };
}

/** Reads what the window holds. `before`: what it opened with; a time that nobody has touched stays as it was typed. */
async function typedIn(
  { zone: chosen = '', repeats: rhythm = '', ...values }: Partial<Values<typeof fields>>,
  before: Pick<Draft, 'when' | 'at'> | null,
  context: Context,
): Promise<TypedPlan> {
  const zone = await readerZone(context);
  const shown = before && timeParts(before, readerIn(zone, context));
  const { title, day = shown?.day ?? '', time = shown?.time ?? '', server } = values;
  const isOtherZone = chosen !== '' && chosen !== zone.name;
  const isUntouched = !isOtherZone && shown?.day === day && shown.time === time;
  if (isOtherZone) await saveTypedZone(chosen, context);
  return {
    ...(title === undefined ? {} : { title }),
    ...(server === undefined ? {} : { server }),
    ...(rhythm === '' ? {} : { weekly: rhythm === 'weekly' }),
    when: isUntouched && before ? before.when : whenOf({ day, time }),
  };
}

function typedMore({
  description,
  length,
  places,
  role,
  repeats: rhythm,
}: Partial<Values<typeof moreFields>>): TypedPlan {
  return {
    ...(description === undefined ? {} : { description }),
    ...(length === undefined ? {} : { hours: readCount(length, MAX_HOURS) ?? DEFAULT_HOURS }),
    ...(places === undefined ? {} : { places: readCount(places, MAX_PLACES) }),
    ...(role === undefined ? {} : { role: role || null }),
    ...(rhythm === undefined ? {} : { weekly: rhythm === 'weekly' }),
  };
}

/** Throws a UserError for a draft that could not be announced whatever the person typed. */
async function refuseHopeless(
  draft: Parameters<Context['features']['convoys']['refusalOf']>[1],
  context: Context,
): Promise<void> {
  const refusal = await context.features.convoys.refusalOf(askerOf(context), draft);
  if (refusal !== null) throw await refused(refusal, draft.channel, context);
}

type TypedPlan = Parameters<Context['features']['convoys']['plan']>[1];

interface Place {
  readonly id: string;
  readonly channel: string;
}

/** Resolves with the preview. Throws a UserError with the reason if the convoy is refused: a form then comes back filled. */
async function plan(typed: TypedPlan, place: Place, context: Context): Promise<Reply> {
  return preview(await keepDraft(typed, place, context), place.channel, context);
}

async function keepDraft(typed: TypedPlan, { id, channel }: Place, context: Context) {
  const place = { about: id, channel, ...readerIn(await readerZone(context), context) };
  return context.features.convoys.plan(askerOf(context), typed, place);
}

/** Why a convoy is not planned. */
type Refusal = Extract<
  Awaited<ReturnType<Context['features']['convoys']['announce']>>,
  { readonly refusal: unknown }
>['refusal'];

/** `channel`: to name in a refusal. */
async function preview(
  planned: Parameters<typeof draftCard>[0] | { readonly refusal: Refusal },
  channel: string,
  context: Context,
): Promise<Reply> {
  if ('refusal' in planned) throw await refused(planned.refusal, channel, context);
  return draftCard(planned, context.t);
}

/** Gives the reason, says what to do, and whom a person who may not plan can ask. */
async function refused(refusal: Refusal, channel: string, context: Context): Promise<UserError> {
  const { store, t } = context;
  if (typeof refusal !== 'string') return new UserError(boardRefusal(refusal, channel, t));
  const { convoyRole } = await store.guildSettings.of(requireGuild(context));
  return new UserError(
    refusal === 'not-allowed' && convoyRole !== null
      ? t('convoy.refused.not-planner', { role: `<@&${convoyRole}>` })
      : t(`convoy.refused.${refusal}`),
  );
}
