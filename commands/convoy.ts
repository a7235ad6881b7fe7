import { z } from 'zod';
import { UserError } from '../src/base/errors.ts';
import { zoneButton } from '../src/cards/history/reader-zone.ts';
import { buttonRow } from '../src/cards/kit/card.ts';
import { escapeMarkdown } from '../src/cards/kit/lines.ts';
import { serverNames } from '../src/cards/servers/server-lines.ts';
import { onSubject } from '../src/command-kit/action.ts';
import { boardRefusal } from '../src/command-kit/boards.ts';
import { defineGroup, defineSubcommand } from '../src/command-kit/command.ts';
import { isServer } from '../src/command-kit/command-options/server-choices.ts';
import { readerZone, typedMoment } from '../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../src/command-kit/context.ts';
import { defineForm, type Fields, type Values } from '../src/command-kit/form.ts';
import type { Reply } from '../src/command-kit/reply.ts';
import { LONGEST, MOST_PLACES, REMIND_BEFORE } from '../src/features/convoys/convoy.ts';
import { convoyChoices, convoyListCard, draftCard } from '../src/features/convoys/convoy-texts.ts';

const repeats = { once: 'convoy.repeats.once', weekly: 'convoy.repeats.weekly' } as const;
const hours = { one: 'convoy.hours.one', two: 'convoy.hours.two', three: 'convoy.hours.three' } as const;
const lengths = ['one', 'two', 'three'] as const;
/** Hours of most. */
const USUAL = 2;

const text = (most: number) =>
  ({ kind: 'text', required: false, schema: z.string().trim().min(1).max(most) }) as const;
const which = {
  ...text(LONGEST.title),
  description: 'convoy.options.convoy',
  wrong: 'convoy.wrong.none',
} as const;

const fields = {
  title: { kind: 'text', label: 'convoy.options.title', long: LONGEST.title },
  when: {
    kind: 'text',
    label: 'convoy.options.whenLabel',
    hint: 'convoy.options.whenHint',
    long: LONGEST.when,
  },
  server: { kind: 'choice', label: 'convoy.options.server', choices: serverNames },
  hours: { kind: 'choice', label: 'convoy.options.length', choices: hours },
  repeats: { kind: 'choice', label: 'convoy.options.repeats', choices: repeats },
} as const satisfies Fields;

const Id = z.string().regex(/^\d{16}$/);

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
          ...text(LONGEST.title),
          description: 'convoy.options.title',
          wrong: 'convoy.wrong.incomplete',
        },
        when: { ...text(LONGEST.when), description: 'convoy.options.when', wrong: 'convoy.wrong.incomplete' },
        server: {
          kind: 'choice',
          description: 'convoy.options.server',
          required: false,
          choices: serverNames,
        },
        length: { kind: 'count', description: 'convoy.options.length', required: false, min: 1, max: 3 },
        places: {
          kind: 'count',
          description: 'convoy.options.places',
          required: false,
          min: 1,
          max: MOST_PLACES,
        },
        repeats: { kind: 'choice', description: 'convoy.options.repeats', required: false, choices: repeats },
        ping: { kind: 'role', description: 'convoy.options.ping', required: false },
        channel: { kind: 'channel', description: 'convoy.options.channel', required: false },
      },
      async run({ title, when, server, length, places, repeats: repeated, ping: role, channel }, context) {
        if (title === null || when === null || server === null)
          throw new UserError(context.t('convoy.wrong.incomplete'));
        const weekly = repeated === 'weekly';
        return plan(
          { title, when, server, hours: length ?? USUAL, places, weekly, role },
          { about: null, channel },
          context,
        );
      },
      form: defineForm({
        title: 'convoy.create.description',
        fields,
        begin: async () => ({ server: 'one', hours: 'two', repeats: 'once' }),
        submit: (values, context) =>
          plan({ ...typedIn(values), places: null, role: null }, { about: null, channel: null }, context),
      }),
    }),
    edit: defineSubcommand({
      description: 'convoy.edit.description',
      options: { convoy: which },
      run: async (_args, { t }) => {
        throw new UserError(t('convoy.wrong.none'));
      },
      form: defineForm({
        title: 'convoy.edit.description',
        about: ['convoy'],
        fields: { convoy: { kind: 'kept' }, ...fields },
        async begin(context, { convoy = '' }) {
          const { id, title, when, server, hours: length, weekly } = await before(convoy, context);
          return {
            ...{ convoy: id, title, when, ...(isServer(server) ? { server } : {}) },
            hours: lengths[length - 1] ?? 'two',
            repeats: weekly ? 'weekly' : 'once',
          };
        },
        async submit({ convoy, ...values }, context) {
          const { places, role, channel } = await before(convoy, context);
          return plan({ ...typedIn(values), places, role }, { about: convoy, channel }, context);
        },
      }),
    }),
    cancel: defineSubcommand({
      description: 'convoy.cancel.description',
      options: { convoy: which },
      async run({ convoy: titled }, context) {
        const { t } = context;
        const convoy = await one(titled ?? '', context);
        const about = {
          command: 'convoy',
          action: 'stop',
          subject: convoy.id,
          label: t('convoy.cancel.stop'),
        };
        const content = t('convoy.cancel.ask', {
          title: escapeMarkdown(convoy.title),
          when: `<t:${Math.floor(convoy.at / 1000)}:F>`,
        });
        return { content, components: [buttonRow({ ...about, danger: true })] };
      },
    }),
    list: defineSubcommand({
      description: 'convoy.list.description',
      options: {},
      async run(_args, context) {
        const {
          features: { convoys },
          sentAt: now,
          t,
        } = context;
        return convoyListCard(await convoys.list(askerOf(context), now), t);
      },
    }),
  },

  actions: {
    in: press('in'),
    maybe: press('maybe'),
    out: press('out'),
    remind: press('remind'),
    announce: onSubject(Id, async (id, context) => {
      const {
        features: { convoys },
        sentAt: now,
        t,
      } = context;
      const asker = askerOf(context);
      const done = await convoys.announce(asker, id, { locale: t.locale, colours: t.colours }, now);
      if (done === null) throw new UserError(t('convoy.wrong.draft'));
      if ('refusal' in done) {
        const { channel } = await before(id, context);
        throw new UserError(whyNot(done.refusal, channel, t));
      }
      const channel = `<#${done.convoy.channel}>`;
      const said = done.isNew
        ? t(done.posted ? 'convoy.announced' : 'convoy.later', { channel })
        : t('convoy.saved');
      return { content: said, embeds: [], components: [] };
    }),
    event: chooseEvent(true),
    eventless: chooseEvent(false),
    drop: onSubject(Id, async (id, context) => {
      await context.features.convoys.dropDraft(askerOf(context), id);
      return { content: context.t('convoy.dropped'), embeds: [], components: [] };
    }),
    stop: onSubject(Id, async (id, context) => {
      const {
        features: { convoys },
        sentAt: now,
        t,
      } = context;
      const done = await convoys.cancel(askerOf(context), id, now);
      if (done === null) throw new UserError(t('convoy.wrong.gone'));
      if (done !== 'cancelled') throw new UserError(t(`convoy.refused.${done}`));
      return { content: t('convoy.cancel.done'), components: [] };
    }),
  },
});

function askerOf({ person: { id, guildId: guild, roles = [] }, t }: Context) {
  if (guild === null) throw new UserError(t('discord.guildOnly'));
  return { id, guild, roles };
}

/** Discord's event of a draft in a channel that not everyone may view. */
function chooseEvent(isWanted: boolean) {
  return onSubject(Id, async (id, context) => {
    const {
      features: { convoys },
      sentAt: now,
      t,
    } = context;
    const planned = await convoys.chooseEvent(askerOf(context), id, isWanted, now);
    if (planned === null) throw new UserError(t('convoy.wrong.draft'));
    return draftCard(planned, zoneButton(await readerZone(context), t), t);
  });
}

function press(wanted: 'in' | 'maybe' | 'out' | 'remind') {
  return onSubject(Id, async (id, context) => {
    const {
      features: { convoys },
      sentAt: now,
      t,
    } = context;
    const done = await convoys.press(askerOf(context), id, wanted, now);
    if (done === null) throw new UserError(t('convoy.wrong.gone'));
    if (typeof done === 'string') throw new UserError(t(`convoy.wrong.${done}`));
    const { state, behind: n, remind, count } = done;
    const reminded = t('convoy.pressed.reminded', { duration: t.duration(REMIND_BEFORE / 1000) });
    // Whoever only wants that has not been refused anything.
    if (wanted === 'remind' && remind && state === 'out') return { ephemeral: true, content: reminded };
    const said =
      state === 'in'
        ? t('convoy.pressed.in', { count })
        : state === 'waiting'
          ? t('convoy.pressed.waiting', { n })
          : t(`convoy.pressed.${state}`);
    return { ephemeral: true, content: remind ? `${said}\n${reminded}` : said };
  });
}

function typedIn({ title, when, server, hours: length, repeats: repeated }: Values<typeof fields>) {
  return {
    title,
    when: when.trim(),
    server,
    hours: lengths.indexOf(length) + 1,
    weekly: repeated === 'weekly',
  };
}

/** The only one that the person may change, or the one that is called so. */
async function one(titled: string, context: Context) {
  const {
    features: { convoys },
    sentAt: now,
    t,
  } = context;
  const found = await convoys.changeable(askerOf(context), titled, now);
  const [first, second] = found;
  if (first === undefined) throw new UserError(t('convoy.wrong.none'));
  if (second !== undefined)
    throw new UserError(t('convoy.wrong.which', { convoys: convoyChoices(found, t) }));
  return first.convoy;
}

/** The person's draft of that id, else a convoy, with its time as it can be typed again. */
async function before(convoy: string, context: Context) {
  const draft = await context.features.convoys.draftOf(askerOf(context), context.sentAt);
  if (draft !== null && draft.id === convoy) return draft;
  const found = await one(convoy, context);
  return { ...found, when: typedMoment(found.at, (await readerZone(context)).name) };
}

async function plan(
  typed: Parameters<Context['features']['convoys']['plan']>[1],
  { about, channel: wanted }: { readonly about: string | null; readonly channel: string | null },
  context: Context,
): Promise<Reply> {
  const {
    features: { convoys },
    person,
    sentAt: now,
    t,
  } = context;
  const channel = wanted ?? person.channelId;
  if (channel === null) throw new UserError(t('discord.guildOnly'));
  const zone = await readerZone(context);
  const planned = await convoys.plan(askerOf(context), typed, {
    about,
    channel,
    locale: t.locale,
    zone: zone.name,
    now,
  });
  if ('refusal' in planned) throw new UserError(whyNot(planned.refusal, channel, t));
  return draftCard(planned, zoneButton(zone, t), t);
}

/** Gives the reason, and says what to do. */
function whyNot(
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
