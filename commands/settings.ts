import { UserError } from '../src/base/errors.ts';
import { guildZoneSaved } from '../src/cards/history/reader-zone.ts';
import { compact, joinParts, labelledFact } from '../src/cards/kit/lines.ts';
import { defineCommand } from '../src/command-kit/command.ts';
import { settingsChoices } from '../src/command-kit/command-options/settings-choices.ts';
import { timeZoneOption, typedZone } from '../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../src/command-kit/context.ts';
import { defineForm } from '../src/command-kit/form.ts';
import type { Args, Options } from '../src/command-kit/option.ts';
import type { Reply } from '../src/command-kit/reply.ts';

const options = {
  language: {
    kind: 'choice',
    description: 'settings.options.language',
    required: false,
    choices: settingsChoices.language,
  },
  distances: {
    kind: 'choice',
    description: 'settings.options.distances',
    required: false,
    choices: settingsChoices.distances,
  },
  colours: { kind: 'flag', description: 'settings.options.colours', required: false },
  refresh: {
    kind: 'choice',
    description: 'settings.options.refresh',
    required: false,
    choices: settingsChoices.refresh,
  },
  sharing: { kind: 'flag', description: 'settings.options.sharing', required: false },
  timezone: timeZoneOption,
  convoys: { kind: 'role', description: 'convoy.settings.option', required: false },
} as const satisfies Options;

type Changes = Parameters<Context['store']['guildSettings']['change']>[1];

export default defineCommand({
  description: 'settings.description',
  topic: 'guild',
  example: ['distances'],
  visibility: 'private',
  guildOnly: true,
  options,

  async run({ convoys: role, ...args }, context) {
    if (role === null) return settle(changesOf(args), context);
    const { convoyRole } = await context.store.guildSettings.of(context.person.guildId);
    return settle({ ...changesOf(args), convoyRole: role === convoyRole ? null : role }, context);
  },

  form: defineForm({
    title: 'settings.heading',
    permission: 'manage-guild',
    fields: {
      language: { kind: 'choice', label: 'settings.options.language', choices: settingsChoices.language },
      distances: { kind: 'choice', label: 'settings.options.distances', choices: settingsChoices.distances },
      more: {
        kind: 'several',
        label: 'settings.options.more',
        choices: {
          colours: 'settings.options.colours',
          refresh: 'settings.anyRefresh',
          sharing: 'settings.options.sharing',
        },
      },
      zone: { kind: 'text', optional: true, label: 'settings.label.timezone', hint: 'timezone.hint' },
    },
    async begin({ store, person }) {
      const { language, distances, timeZone, ...more } = await store.guildSettings.of(person.guildId);
      const on = { ...more, refresh: more.refresh === 'everyone' };
      return {
        language: language ?? 'reader',
        distances,
        more: (['colours', 'refresh', 'sharing'] as const).filter((name) => on[name]).join(' '),
        zone: timeZone ?? '',
      };
    },
    submit({ language, distances, more, zone }, context, begun) {
      const on = more.split(' ');
      const initialMore = begun['more']?.split(' ') ?? [];
      const turned = (name: string) =>
        on.includes(name) === initialMore.includes(name) ? null : on.includes(name);
      const anyone = turned('refresh');
      const changes = changesOf({
        language: language === begun.language ? null : language,
        distances: distances === begun.distances ? null : distances,
        colours: turned('colours'),
        refresh: anyone === null ? null : anyone ? 'everyone' : 'asker',
        sharing: turned('sharing'),
        timezone: null,
      });
      const timeZone = typedZone(zone, context.t);
      return settle(zone === (begun.zone ?? '') ? changes : { ...changes, timeZone }, context);
    },
  }),
});

/** Anyone may look; changes need the permission. */
async function settle(
  changes: Changes,
  { boards, bot, store, person: { guildId, mayManage, locale }, t: oldT, sentAt }: Context,
): Promise<Reply> {
  if (guildId === null) throw new UserError(oldT('discord.guildOnly'));
  const isChange = Object.keys(changes).length > 0;
  if (isChange && !mayManage) throw new UserError(oldT('discord.notAllowed'));
  const settings = isChange
    ? await store.guildSettings.change(guildId, changes)
    : await store.guildSettings.of(guildId);
  const { language, colours: coloured } = changes;
  const inForce = settings.language ?? locale;
  // If everyone has their own language, boards use that of the person who changed the setting.
  if (language !== undefined) await boards.changeAll(guildId, { locale: inForce });
  if (coloured !== undefined) await boards.changeAll(guildId, { colours: coloured });
  // The reply already uses the new setting.
  const t = language === undefined ? oldT : bot.translatorFor(inForce);
  const { colours, sharing, timeZone, convoyRole } = settings;
  const lines = compact(
    isChange ? t('settings.saved') : null,
    changes.timeZone == null ? null : guildZoneSaved(changes.timeZone, sentAt, t),
    `**${t('settings.heading')}**`,
    labelledFact(
      t('settings.label.language'),
      settings.language === null ? t('settings.language.reader') : t(`language.${settings.language}`),
    ),
    labelledFact(t('settings.label.distances'), t(`settings.distances.${settings.distances}`)),
    labelledFact(t('settings.label.colours'), t(`settings.colours.${colours ? 'shown' : 'hidden'}`)),
    labelledFact(t('settings.label.refresh'), t(`settings.refresh.${settings.refresh}`)),
    labelledFact(t('settings.label.sharing'), t(`settings.sharing.${sharing ? 'allowed' : 'forbidden'}`)),
    labelledFact(t('settings.label.timezone'), timeZone ?? t('settings.noZone')),
    labelledFact(
      t('convoy.settings.label'),
      joinParts(t('convoy.settings.everyone'), convoyRole === null ? null : roleMention(convoyRole, guildId)),
    ),
    isChange || mayManage ? null : t('settings.how'),
  );
  return { content: lines.join('\n') };
}

/** Everyone's role is the guild itself. */
function roleMention(role: string, guild: string): string {
  return role === guild ? '@everyone' : `<@&${role}>`;
}

/** Returns the settings that change, in the form of the store. */
function changesOf(typed: Omit<Args<typeof options>, 'convoys'>): Changes {
  const { language, distances, colours, refresh, sharing, timezone: timeZone } = typed;
  return {
    ...(language === null ? {} : { language: language === 'reader' ? null : language }),
    ...(distances === null ? {} : { distances }),
    ...(colours === null ? {} : { colours }),
    ...(refresh === null ? {} : { refresh }),
    ...(sharing === null ? {} : { sharing }),
    ...(timeZone === null ? {} : { timeZone }),
  };
}
