import { defineCommand } from '../src/app/command.ts';
import { distanceChoices, languageChoices } from '../src/app/command-options/settings-choices.ts';
import { fact } from '../src/cards/kit/lines.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'settings.description',
  topic: 'guild',
  example: ['distances'],
  visibility: 'private',
  guildOnly: true,
  options: {
    language: {
      kind: 'choice',
      description: 'settings.options.language',
      required: false,
      choices: languageChoices,
    },
    distances: {
      kind: 'choice',
      description: 'settings.options.distances',
      required: false,
      choices: distanceChoices,
    },
    colours: { kind: 'flag', description: 'settings.options.colours', required: false },
    refresh: {
      kind: 'choice',
      description: 'settings.options.refresh',
      required: false,
      choices: { everyone: 'settings.refresh.everyone', asker: 'settings.refresh.asker' },
    },
  },

  /** Anyone may look; options are changes and need the permission. */
  async run(given, { boards, bot, store, person: { guildId, mayManage, locale }, t: before }) {
    if (guildId === null) throw new UserError(before('chat.guildOnly'));
    const earlier = await store.settings.of(guildId);
    const isChange = Object.values(given).some((value) => value !== null);
    if (isChange && !mayManage) throw new UserError(before('chat.notAllowed'));
    const settings = {
      language:
        given.language === null ? earlier.language : given.language === 'reader' ? null : given.language,
      distances: given.distances ?? earlier.distances,
      colours: given.colours ?? earlier.colours,
      refresh: given.refresh ?? earlier.refresh,
    };
    if (isChange) await store.settings.set(guildId, settings);
    const inForce = settings.language ?? locale;
    // Where everyone has their own language, boards use that of the person who changed the setting.
    if (given.language !== null) await boards.speak(guildId, inForce);
    // The reply already uses the new setting.
    const t = given.language === null ? before : bot.translatorFor(inForce);
    const lines = [
      ...(isChange ? [t('settings.saved')] : []),
      `**${t('settings.heading')}**`,
      ...fact(t('settings.label.language'), t(`settings.language.${settings.language ?? 'reader'}`)),
      ...fact(t('settings.label.distances'), t(`settings.distances.${settings.distances}`)),
      ...fact(
        t('settings.label.colours'),
        t(settings.colours ? 'settings.colours.shown' : 'settings.colours.hidden'),
      ),
      ...fact(t('settings.label.refresh'), t(`settings.refresh.${settings.refresh}`)),
      ...(isChange ? [] : [t('settings.how')]),
    ];
    return { content: lines.join('\n') };
  },
});
