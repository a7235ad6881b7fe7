import { z } from 'zod';
import { SECOND } from '../src/base/duration.ts';
import { UserError } from '../src/base/errors.ts';
import { type ReaderZone, zoneSaved } from '../src/cards/history/reader-zone.ts';
import { type Button, buttonRow } from '../src/cards/kit/card.ts';
import { escapeMarkdown } from '../src/cards/kit/lines.ts';
import { serverNames } from '../src/cards/servers/server-lines.ts';
import { onSubject } from '../src/command-kit/action.ts';
import { boardRefusal } from '../src/command-kit/boards.ts';
import { defineGroup, defineSubcommand } from '../src/command-kit/command.ts';
import { isServer } from '../src/command-kit/command-options/server-choices.ts';
import { readerZone, saveTypedZone, typedMoment } from '../src/command-kit/command-options/time-zone.ts';
import { type Context, requireChannel, requireGuild } from '../src/command-kit/context.ts';
import { defineForm, type Fields, type Values } from '../src/command-kit/form.ts';
import type { Reply } from '../src/command-kit/reply.ts';
import {
  DEFAULT_HOURS,
  MAX_HOURS,
  MAX_LENGTHS,
  MAX_PLACES,
  REMIND_BEFORE,
} from '../src/features/convoys/convoy.ts';
import { convoyChoices, convoyListCard, draftCard } from '../src/features/convoys/convoy-texts.ts';

const repeats = { once: 'convoy.repeats.once', weekly: 'convoy.repeats.weekly' } as const;

const textOption = (maxLength: number) =>
  ({ kind: 'text', required: false, schema: z.string().trim().min(1).max(maxLength) }) as const;
const convoyOption = {
  ...textOption(MAX_LENGTHS.title),
  description: 'convoy.options.convoy',
  wrong: 'convoy.wrong.none',
} as const;
const lengthOption = {
  kind: 'count',
  description: 'convoy.options.length',
  required: false,
  min: 1,
  max: MAX_HOURS,
} as const;

const fields = {
  title: { kind: 'text', label: 'convoy.options.title', long: MAX_LENGTHS.title },
  when: {
    kind: 'text',
    label: 'convoy.options.whenLabel',
    hint: 'convoy.options.whenHint',
    long: MAX_LENGTHS.when,
  },
  server: { kind: 'choice', label: 'convoy.options.server', choices: serverNames, stored: true },
  repeats: { kind: 'choice', label: 'convoy.options.repeats', choices: repeats, stored: true },
  description: {
    kind: 'text',
    label: 'convoy.options.description',
    hint: 'convoy.options.descriptionHint',
    optional: true,
    long: MAX_LENGTHS.description,
    isMultiline: true,
  },
} as const satisfies Fields;

const keptField = { kind: 'kept', optional: true } as const;

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
        },
        server: {
          kind: 'choice',
          description: 'convoy.options.server',
          required: false,
          choices: serverNames,
        },
        description: {
          ...textOption(MAX_LENGTHS.description),
          description: 'convoy.options.description',
          wrong: 'convoy.wrong.description',
        },
        length: lengthOption,
        places: {
          kind: 'count',
          description: 'convoy.options.places',
          required: false,
          min: 1,
          max: MAX_PLACES,
        },
        repeats: { kind: 'choice', description: 'convoy.options.repeats', required: false, choices: repeats },
        ping: { kind: 'role', description: 'convoy.options.ping', required: false },
        channel: { kind: 'channel', description: 'convoy.options.channel', required: false },
      },
      async run(args, context) {
        const { title, when, server, description, length, places, repeats: rhythm, ping: role } = args;
        // Without one of them the form opens, unless the client still offers the options of an earlier version.
        if (title === null || when === null || server === null)
          throw new UserError(context.t('convoy.wrong.incomplete'));
        const hours = length ?? DEFAULT_HOURS;
        const texts = { title, when, description: description ?? '' };
        const input = { ...texts, server, hours, places, weekly: rhythm === 'weekly', role };
        const draftId = context.features.convoys.newDraftId(context.sentAt);
        const answer = await plan(input, { about: draftId, channel: args.channel }, context);
        if (!('refusal' in answer)) return answer;
        const retryButton = {
          command: 'convoy create',
          action: 'form',
          subject: `${draftId},`,
          label: context.t('setup.again'),
        };
        return { content: answer.refusal, components: [buttonRow(retryButton)] };
      },
      form: defineForm({
        title: 'convoy.create.description',
        needs: ['title', 'when', 'server'],
        replacesMessage: true,
        fields: {
          draft: keptField,
          ...fields,
          length: keptField,
          places: keptField,
          role: keptField,
          channel: keptField,
        },
        async begin(context, args) {
          const { features, sentAt: now } = context;
          const id = args['draft'] ?? features.convoys.newDraftId(now);
          const draft = await findDraft(id, context);
          const channel = draft?.channel ?? args['channel'];
          const role = draft?.role ?? args['role'] ?? args['ping'] ?? null;
          await refuseHopeless({ id, channel: channel ?? requireChannel(context), role }, context);
          const { title, when, description, server, repeats: rhythm } = args;
          const typedValues = {
            title: title?.slice(0, MAX_LENGTHS.title),
            when: when?.slice(0, MAX_LENGTHS.when),
            description: description?.slice(0, MAX_LENGTHS.description),
            ...(isServer(server ?? '') ? { server } : {}),
            ...{ repeats: rhythm === 'weekly' ? 'weekly' : 'once' },
          };
          const values = draft === null ? typedValues : filledFrom(draft);
          const { length, places } = draft === null ? args : { length: draft.hours, places: draft.places };
          return withoutEmpty({ draft: id, ...values, length, places, role, channel });
        },
        async submit({ draft: id, length, places, role, channel, ...values }, context) {
          const more = {
            hours: readCount(length, MAX_HOURS) ?? DEFAULT_HOURS,
            places: readCount(places, MAX_PLACES),
            role: role || null,
          };
          const place = { about: id || null, channel: channel || null };
          return refusing(await plan({ ...typedIn(values), ...more }, place, context));
        },
      }),
    }),
    edit: defineSubcommand({
      description: 'convoy.edit.description',
      options: { convoy: convoyOption, length: lengthOption },
      run: async (_args, { t }) => {
        throw new UserError(t('convoy.wrong.none'));
      },
      form: defineForm({
        title: 'convoy.edit.description',
        subjectOptions: ['convoy', 'length'],
        replacesMessage: true,
        fields: { convoy: { kind: 'kept' }, ...fields, length: keptField },
        async begin(context, { convoy = '', length }) {
          const draft = await currentDraft(convoy, context);
          await refuseHopeless(draft, context);
          return withoutEmpty({ convoy: draft.id, ...filledFrom(draft), length });
        },
        async submit({ convoy, length, ...values }, context) {
          const { places, role, channel, hours } = await currentDraft(convoy, context);
          const more = { places, role, hours: readCount(length, MAX_HOURS) ?? hours };
          return refusing(await plan({ ...typedIn(values), ...more }, { about: convoy, channel }, context));
        },
      }),
    }),
    cancel: defineSubcommand({
      description: 'convoy.cancel.description',
      options: { convoy: convoyOption },
      async run({ convoy: titled }, context) {
        const { t } = context;
        const convoy = await findOnly(titled ?? '', context);
        const button = {
          command: 'convoy',
          action: 'stop',
          subject: convoy.id,
          label: t('convoy.cancel.stop'),
        };
        const content = t('convoy.cancel.ask', {
          title: escapeMarkdown(convoy.title),
          when: `<t:${Math.floor(convoy.at / 1000)}:F>`,
        });
        return { content, components: [buttonRow({ ...button, danger: true })] };
      },
    }),
    list: defineSubcommand({
      description: 'convoy.list.description',
      options: {},
      async run(_args, context) {
        const { features, sentAt: now, t } = context;
        return convoyListCard(await features.convoys.list(askerOf(context), now), t);
      },
    }),
  },

  forms: {
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
        return { content: saved, ...draftCard(planned, [], t) };
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
        return { content, ...draftCard(outcome.replanned, zoneButtons(zone, id, t), t) };
      }
      if ('refusal' in outcome) {
        const { channel } = await currentDraft(id, context);
        throw new UserError(explainRefusal(outcome.refusal, channel, t));
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
      return draftCard(planned, zoneButtons(zone, id, t), t);
    }),
    event: chooseEvent(true),
    eventless: chooseEvent(false),
    drop: onSubject(Id, async (id, context) => {
      await context.features.convoys.dropDraft(askerOf(context), id);
      return { content: context.t('convoy.dropped'), embeds: [], components: [] };
    }),
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

/** Discord's event of a draft in a channel that not everyone may view. */
function chooseEvent(isWanted: boolean) {
  return onSubject(Id, async (id, context) => {
    const { features, sentAt: now, t } = context;
    const planned = await features.convoys.chooseEvent(askerOf(context), id, isWanted, now);
    if (planned === null) throw new UserError(t('convoy.wrong.draft'));
    return draftCard(planned, zoneButtons(await readerZone(context), id, t), t);
  });
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

function typedIn({ title, when, server, repeats: rhythm, description }: Values<typeof fields>) {
  return { title, when: when.trim(), server, description, weekly: rhythm === 'weekly' };
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

/** The only convoy that the person may change, or the one that is called so. */
async function findOnly(called: string, context: Context) {
  const { features, sentAt: now, t } = context;
  const matches = await features.convoys.changeable(askerOf(context), called, now);
  const [first, second] = matches;
  if (first === undefined) throw new UserError(t('convoy.wrong.none'));
  if (second !== undefined)
    throw new UserError(t('convoy.wrong.which', { convoys: convoyChoices(matches, t) }));
  return first.convoy;
}

async function findDraft(id: string, context: Context) {
  const draft = await context.features.convoys.draftOf(askerOf(context), context.sentAt);
  return draft?.id === id ? draft : null;
}

/** The person's draft of that id, else a convoy, with its time as it can be typed again. */
async function currentDraft(called: string, context: Context) {
  const draft = await findDraft(called, context);
  if (draft !== null) return draft;
  const convoy = await findOnly(called, context);
  const { name, by } = await readerZone(context);
  const when = typedMoment(convoy.at, name);
  // A person who has set no time zone sees another one than their own.
  return { ...convoy, when: by === 'person' || when.startsWith('<') ? when : `${when} ${name}` };
}

function filledFrom({
  title,
  when,
  description,
  server,
  weekly,
}: Awaited<ReturnType<typeof currentDraft>>): Partial<Values<typeof fields>> {
  return {
    ...{ title, when, description: description ?? '', repeats: weekly ? 'weekly' : 'once' },
    ...(isServer(server) ? { server } : {}),
  };
}

/** Throws a UserError for a draft that could not be announced whatever the person typed. */
async function refuseHopeless(
  draft: Parameters<Context['features']['convoys']['refusalOf']>[1],
  context: Context,
): Promise<void> {
  const refusal = await context.features.convoys.refusalOf(askerOf(context), draft);
  if (refusal !== null) throw new UserError(explainRefusal(refusal, draft.channel, context.t));
}

/** Resolves with the preview, or with the reason why the convoy is refused, in words. */
async function plan(
  typed: Parameters<Context['features']['convoys']['plan']>[1],
  { about, channel: chosen }: { readonly about: string | null; readonly channel: string | null },
  context: Context,
): Promise<Reply | { readonly refusal: string }> {
  const { features, sentAt: now, t } = context;
  const channel = chosen ?? requireChannel(context);
  const zone = await readerZone(context);
  const place = { about, channel, locale: t.locale, zone: zone.name, now };
  const planned = await features.convoys.plan(askerOf(context), typed, place);
  if ('refusal' in planned) return { refusal: explainRefusal(planned.refusal, channel, t) };
  return draftCard(planned, zoneButtons(zone, planned.draft.id, t), t);
}

/** Throws a UserError with the reason. A form then comes back filled. */
function refusing(answer: Awaited<ReturnType<typeof plan>>): Reply {
  if ('refusal' in answer) throw new UserError(answer.refusal);
  return answer;
}

/** Opens the form for a time zone below a draft, for a person who has not named their own. */
function zoneButtons({ by }: Pick<ReaderZone, 'by'>, draft: string, t: Context['t']): readonly Button[] {
  if (by === 'person') return [];
  const form = { command: 'convoy zone', action: 'form', subject: `${draft},` };
  return [{ ...form, label: t('timezone.button'), emoji: '🌐' }];
}

/** Gives the reason, and says what to do. */
function explainRefusal(
  refusal: Extract<
    Awaited<ReturnType<Context['features']['convoys']['announce']>>,
    { readonly refusal: unknown }
  >['refusal'],
  channel: string,
  t: Context['t'],
): string {
  if (typeof refusal === 'string') return t(`convoy.refused.${refusal}`);
  return boardRefusal(refusal, channel, t);
}
