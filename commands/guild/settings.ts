import { UserError } from '../../src/base/errors.ts';
import { guildZoneSaved } from '../../src/cards/history/reader-zone.ts';
import { compact, joinParts, labelledFact } from '../../src/cards/kit/lines.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { settingsChoices } from '../../src/command-kit/command-options/settings-choices.ts';
import { typedZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { defineForm } from '../../src/command-kit/form.ts';
import type { Reply } from '../../src/command-kit/reply.ts';

type Changes = Parameters<Context['store']['guildSettings']['change']>[1];

export default defineCommand({
  description: 'settings.description',
  topic: 'guild',
  example: [],
  visibility: 'private',
  guildOnly: true,
  options: { convoys: { kind: 'role', description: 'convoy.settings.option', required: false } },

  async run({ convoys: role }, context) {
    if (role !== null) return settle(await changeOfRole(role, context), context);
    // Only an older version's options do not open the window.
    if (context.person.mayManage) throw new UserError(context.t('discord.oldCommand'));
    return settle({}, context);
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
      profiles: {
        kind: 'choice',
        label: 'settings.label.profiles',
        hint: 'settings.options.profilesHint',
        // All values stand in one custom id of 100 characters.
        choices: { p: 'settings.profiles.picture', t: 'settings.profiles.text' },
      },
    },
    async begin({ store, person }) {
      const { language, distances, timeZone, profiles, ...more } = await store.guildSettings.of(
        person.guildId,
      );
      const on = { ...more, refresh: more.refresh === 'everyone' };
      return {
        language: language ?? 'reader',
        distances,
        more: (['colours', 'refresh', 'sharing'] as const).filter((name) => on[name]).join(' '),
        zone: timeZone ?? '',
        profiles: profiles === 'picture' ? 'p' : 't',
      };
    },
    submit({ language, distances, more, zone, profiles }, context, begun) {
      const on = more.split(' ');
      const initialMore = begun['more']?.split(' ') ?? [];
      const turned = (name: string) =>
        on.includes(name) === initialMore.includes(name) ? null : on.includes(name);
      const turns = { colours: turned('colours'), refresh: turned('refresh'), sharing: turned('sharing') };
      const timeZone = typedZone(zone, context.t);
      const changes: Changes = {
        ...(language === begun.language ? {} : { language: language === 'reader' ? null : language }),
        ...(distances === begun.distances ? {} : { distances }),
        ...(turns.colours === null ? {} : { colours: turns.colours }),
        ...(turns.refresh === null ? {} : { refresh: turns.refresh ? 'everyone' : 'asker' }),
        ...(turns.sharing === null ? {} : { sharing: turns.sharing }),
        ...(zone === (begun.zone ?? '') ? {} : { timeZone }),
        ...(profiles === begun.profiles ? {} : { profiles: profiles === 'p' ? 'picture' : 'text' }),
      };
      return settle(changes, context);
    },
  }),
});

/** The role that may plan convoys; choosing it again takes that from it. */
async function changeOfRole(role: string, { store, person }: Context): Promise<Changes> {
  const { convoyRole } = await store.guildSettings.of(person.guildId);
  return { convoyRole: role === convoyRole ? null : role };
}

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
  const { colours, sharing, timeZone, convoyRole, profiles } = settings;
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
    labelledFact(t('settings.label.profiles'), t(`settings.profiles.${profiles}`)),
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
