import { SnowflakeUtil } from 'discord.js';
import { vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { SECOND } from '../../src/base/duration.ts';
import type { Commands } from '../../src/discord/publish/load.ts';
import { dispatchInMemory, inGuild } from './dispatch-in-memory.ts';
import { peopleInMemory } from './people.ts';

const GUILD = '100000000000000001';
const MANAGE_GUILD = '32';

/** A bot on a machine whose wall clock is so far ahead of Discord's, in ms. Needs Vitest's timers. */
export function botAhead(commands: Commands, aheadMs: number) {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const people = peopleInMemory({ now: clock.now });
  const bot = dispatchInMemory({ commands, clock, context: people });
  return {
    /** Without any time zone, windows ask for one. */
    setZone: (timeZone: string) => people.store.guildSettings.change(GUILD, { timeZone }),
    /** Sends an interaction; resolves with the bodies of all answers. */
    async ask(interaction: Parameters<typeof bot.ask>[0]): Promise<string> {
      const before = bot.heard.length;
      bot.ask({ id: String(SnowflakeUtil.generate()), ...interaction, ...inGuild(GUILD, MANAGE_GUILD) });
      await vi.advanceTimersByTimeAsync(SECOND);
      return bot.heard
        .slice(before)
        .map(({ body }) => body)
        .join('\n');
    },
  };
}
