import { boardProblems, boardRefusal } from '../src/app/boards.ts';
import { defineFormCommand } from '../src/app/command.ts';
import { settingsChoices } from '../src/app/command-options/settings-choices.ts';
import { defineForm } from '../src/app/form.ts';
import { UserError } from '../src/base/errors.ts';

/** Everything that a server needs, in one form. */
export default defineFormCommand({
  description: 'setup.description',
  topic: 'guild',
  leads: true,
  visibility: 'private',
  permission: 'manage-guild',
  guildOnly: true,
  form: defineForm({
    title: 'setup.title',
    fields: {
      channel: { kind: 'channel', label: 'setup.channel', hint: 'setup.channelHint' },
      language: {
        kind: 'choice',
        label: 'settings.options.language',
        choices: settingsChoices.language,
      },
      distances: {
        kind: 'choice',
        label: 'settings.options.distances',
        choices: settingsChoices.distances,
      },
    },
    async begin({ store, person: { guildId, channelId } }) {
      const { language, distances } = await store.settings.of(guildId);
      return {
        ...(channelId === null ? {} : { channel: channelId }),
        language: language ?? 'reader',
        distances,
      };
    },

    /** Nothing is saved or sent unless a board can be in that channel. */
    async submit({ channel, language, distances }, { boards, bot, store, person, t: before }) {
      const { guildId, id: madeBy, locale } = person;
      if (guildId === null) throw new UserError(before('discord.guildOnly'));
      const chosen = language === 'reader' ? null : language;
      const inForce = chosen ?? locale;
      const created = await boards.create({ guildId, channelId: channel, madeBy, locale: inForce });
      if (!('posted' in created) && created.kind !== 'there')
        throw new UserError(boardRefusal(created, channel, before));
      await store.settings.change(guildId, { language: chosen, distances });
      await boards.setLocale(guildId, inForce);
      // The reply already uses the new language.
      const t = bot.translatorFor(inForce);
      const placed = 'posted' in created && !created.posted ? 'board.create.later' : 'board.create.done';
      // A board that has been there for long may have lost what it shows elsewhere.
      const headlineProblems = await boardProblems(guildId, channel, { boards, t });
      const lines = [
        t('settings.saved'),
        t(placed, { channel: `<#${channel}>` }),
        ...headlineProblems,
        t('setup.next'),
      ];
      return { content: lines.join('\n') };
    },
  }),
});
