/** A command for the tests with subcommands, options of every kind, and a permission. */
import { z } from 'zod';
import { writeCustomId } from '../../../../../src/cards/kit/custom-id.ts';
import { defineAction } from '../../../../../src/command-kit/action.ts';
import { defineGroup, defineSubcommand } from '../../../../../src/command-kit/command.ts';

export default defineGroup({
  description: 'car.description',
  topic: 'drivers',
  visibility: 'private',
  permission: 'manage-guild',
  guildOnly: true,
  subcommands: {
    channel: defineSubcommand({
      description: 'profile.description',
      options: {
        channel: { kind: 'channel', description: 'profile.options.player', required: true },
        who: { kind: 'member', description: 'profile.options.player', required: false },
        how: {
          kind: 'choice',
          description: 'profile.options.player',
          required: false,
          choices: { well: 'car.condition', badly: 'car.odometer' },
        },
        now: { kind: 'flag', description: 'profile.options.player', required: false },
      },
      async run({ channel, who, how, now }) {
        const custom_id = writeCustomId({ command: 'tidy', action: 'again', subject: channel });
        return {
          content: JSON.stringify({ channel, who, how, now }),
          components: [{ type: 1, components: [{ type: 2, style: 2, label: 'Again', custom_id }] }],
        };
      },
    }),
  },
  actions: {
    again: defineAction({
      press: z.object({ subject: z.string() }),
      run: async ({ subject }) => ({ content: `again ${subject}` }),
    }),
  },
});
