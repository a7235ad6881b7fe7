import { fact } from '../src/cards/kit/lines.ts';
import { defineCommand } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'settings.description',
  example: 'settings.example',
  visibility: 'private',
  guildOnly: true,
  options: {
    language: {
      kind: 'choice',
      description: 'settings.options.language',
      required: false,
      choices: {
        reader: 'settings.language.reader',
        'en-GB': 'settings.language.en-GB',
        'en-US': 'settings.language.en-US',
        de: 'settings.language.de',
        tr: 'settings.language.tr',
        pl: 'settings.language.pl',
        fr: 'settings.language.fr',
      },
    },
    distances: {
      kind: 'choice',
      description: 'settings.options.distances',
      required: false,
      choices: {
        kilometres: 'settings.distances.kilometres',
        miles: 'settings.distances.miles',
        driver: 'settings.distances.driver',
      },
    },
    colours: { kind: 'flag', description: 'settings.options.colours', required: false },
    refresh: {
      kind: 'choice',
      description: 'settings.options.refresh',
      required: false,
      choices: { everyone: 'settings.refresh.everyone', asker: 'settings.refresh.asker' },
    },
  },

  /** Everyone may look; what is given as an option is changed, by those who may. */
  async run(given, { guildSettings, person: { guildId, mayManage }, words }) {
    if (guildId === null) throw new UserError(words.text('chat.guildOnly'));
    const before = await guildSettings.of(guildId);
    const isChange = Object.values(given).some((value) => value !== null);
    if (isChange && !mayManage) throw new UserError(words.text('chat.notAllowed'));
    const settings = {
      language:
        given.language === null ? before.language : given.language === 'reader' ? null : given.language,
      distances: given.distances ?? before.distances,
      colours: given.colours ?? before.colours,
      refresh: given.refresh ?? before.refresh,
    };
    if (isChange) await guildSettings.set(guildId, settings);
    const lines = [
      ...(isChange ? [words.text('settings.saved')] : []),
      `**${words.text('settings.heading')}**`,
      ...fact(
        words.text('settings.label.language'),
        words.text(`settings.language.${settings.language ?? 'reader'}`),
      ),
      ...fact(words.text('settings.label.distances'), words.text(`settings.distances.${settings.distances}`)),
      ...fact(
        words.text('settings.label.colours'),
        words.text(settings.colours ? 'settings.colours.shown' : 'settings.colours.hidden'),
      ),
      ...fact(words.text('settings.label.refresh'), words.text(`settings.refresh.${settings.refresh}`)),
      ...(isChange ? [] : [words.text('settings.how')]),
    ];
    return { content: lines.join('\n') };
  },
});
