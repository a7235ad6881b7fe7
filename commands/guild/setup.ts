import { UserError } from '../../src/base/errors.ts';
import { guildZoneSaved } from '../../src/cards/history/reader-zone.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { boardRefusal } from '../../src/command-kit/boards.ts';
import { defineFormCommand } from '../../src/command-kit/command.ts';
import { settingsChoices } from '../../src/command-kit/command-options/settings-choices.ts';
import { typedZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { defineForm } from '../../src/command-kit/form.ts';
import type { Reply } from '../../src/command-kit/reply.ts';

/** Everything that a server needs, in one form. */
export default defineFormCommand({
  description: 'setup.description',
  topic: 'guild',
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
      zone: { kind: 'text', optional: true, label: 'settings.label.timezone', hint: 'timezone.hint' },
    },
    async begin({ boards, store, person: { guildId, channelId } }) {
      const { language, distances, timeZone } = await store.guildSettings.of(guildId);
      const boardChannels = await channelsOf(boards, guildId);
      const channel =
        channelId !== null && boardChannels.includes(channelId) ? channelId : (boardChannels[0] ?? channelId);
      return {
        ...(channel === null ? {} : { channel }),
        language: language ?? 'reader',
        distances,
        zone: timeZone ?? '',
      };
    },

    /**
     * Nothing is saved or sent unless a board can be in that channel. A server that has a board gets no second one by
     * this form, which people fill in again for the language alone.
     */
    async submit({ channel, language, distances, zone }, context, initialValues) {
      const { boards, bot, store, person, t: before, sentAt } = context;
      const { guildId, id: madeBy, locale } = person;
      if (guildId === null) throw new UserError(before('discord.guildOnly'));
      const timeZone = typedZone(zone, before);
      const changes = {
        ...(language === initialValues.language ? {} : { language: language === 'reader' ? null : language }),
        ...(distances === initialValues.distances ? {} : { distances }),
        ...(zone === (initialValues.zone ?? '') ? {} : { timeZone }),
      };
      const { language: chosenLanguage } = { ...(await store.guildSettings.of(guildId)), ...changes };
      const inForce = chosenLanguage ?? locale;
      const boardChannels = await channelsOf(boards, guildId);
      const isElsewhere = boardChannels.length > 0 && !boardChannels.includes(channel);
      const created = isElsewhere
        ? { kind: 'there' as const }
        : await boards.create({
            guildId,
            channelId: channel,
            madeBy,
            locale: inForce,
            colours: before.colours,
          });
      if (!('posted' in created) && created.kind !== 'there')
        throw new UserError(boardRefusal(created, channel, before));
      await store.guildSettings.change(guildId, changes);
      await boards.changeAll(guildId, { locale: inForce });
      // The reply already uses the new language.
      const t = bot.translatorFor(inForce);
      const textKey = 'posted' in created && !created.posted ? 'board.create.later' : 'board.create.done';
      const placed = isElsewhere
        ? t('setup.elsewhere', { channels: boardChannels.map((channelId) => `<#${channelId}>`).join(' ') })
        : t(textKey, { channel: `<#${channel}>` });
      const isZoneNew = zone !== (initialValues.zone ?? '') && timeZone !== null;
      const zoned = isZoneNew ? [guildZoneSaved(timeZone, sentAt, t)] : [];
      const lines = [t('settings.saved'), ...zoned, placed, t('setup.next')];
      const reply = { content: lines.join('\n') };
      return withCommunityPosts(reply, { guild: guildId, channel, context, t });
    },
  }),
});

/** Says where the community's posts come, and opens their window, by default for that channel. */
async function withCommunityPosts(
  { content }: { readonly content: string },
  place: {
    readonly guild: string;
    readonly channel: string;
    readonly context: Pick<Context, 'features'>;
    readonly t: Context['t'];
  },
): Promise<Reply> {
  const { guild, channel, context, t } = place;
  const channels = await context.features.recap.posts.channels(guild);
  const [subject = channel] = channels;
  const mentions = channels.map((channelId) => `<#${channelId}>`).join(' ');
  return {
    content: channels.length === 0 ? content : `${content}\n${t('recap.post.on', { channel: mentions })}`,
    components: [buttonRow({ command: 'recap', action: 'offer', subject, label: t('recap.post.open') })],
  };
}

/** Returns the channels with boards, without deleted channels. */
async function channelsOf(boards: Context['boards'], guildId: string | null): Promise<readonly string[]> {
  const listed = guildId === null ? [] : await boards.list(guildId);
  return listed.flatMap(({ settings, paused }) => (paused?.why === 'channel' ? [] : settings.channelId));
}
