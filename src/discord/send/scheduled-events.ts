/** Discord's own scheduled events, over REST. */
import {
  DiscordAPIError,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventRecurrenceRuleFrequency,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import type { EventPlan, ScheduledEvents } from '../../convoys/convoy-events.ts';
import type { Rest } from '../rest/rest-client.ts';

const ScheduledEvent = z.object({
  id: z.string(),
  name: z.string(),
  creator_id: z.string().nullish(),
  scheduled_start_time: z.string(),
  entity_metadata: z.object({ location: z.string().nullish() }).nullish(),
});

/** `me`: the bot's own id. */
export function createScheduledEvents(rest: Rest, me: () => string | undefined, log: Log): ScheduledEvents {
  async function orFailure<Result>(
    work: () => Promise<Result>,
  ): Promise<Result | 'gone' | 'refused' | 'lost'> {
    try {
      return await work();
    } catch (error) {
      const refusal = error instanceof DiscordAPIError && error.status < 500 ? error : null;
      if (refusal?.code === RESTJSONErrorCodes.UnknownGuildScheduledEvent) return 'gone';
      log.warn({ err: error }, 'Discord did not do what was asked about an event');
      return refusal === null || refusal.status === 429 ? 'lost' : 'refused';
    }
  }

  return {
    make: (guild, plan) =>
      orFailure(async () => {
        const all = z.array(ScheduledEvent).parse(await rest.get(Routes.guildScheduledEvents(guild)));
        // Its answer may have been lost, or the process that asked. Another convoy may have the same name and time.
        const there = all.find(
          ({ name, creator_id: maker, scheduled_start_time: start, entity_metadata: about }) =>
            name === plan.name &&
            Date.parse(start) === plan.from &&
            maker === me() &&
            about?.location === plan.location,
        );
        if (there !== undefined) return { id: there.id };
        const body = bodyOf(plan);
        return { id: ScheduledEvent.parse(await rest.post(Routes.guildScheduledEvents(guild), { body })).id };
      }),
    change: (guild, id, plan) =>
      orFailure(async () => {
        await rest.patch(Routes.guildScheduledEvent(guild, id), { body: bodyOf(plan) });
        return { id };
      }),
    look: (guild, id) =>
      orFailure(async () => ({
        id: ScheduledEvent.parse(await rest.get(Routes.guildScheduledEvent(guild, id))).id,
      })),
    remove: (guild, id) =>
      orFailure(async () => {
        await rest.delete(Routes.guildScheduledEvent(guild, id));
        return { id };
      }),
  };
}

function bodyOf({ name, from, to, location, weekly }: EventPlan) {
  const start = new Date(from);
  return {
    name,
    privacy_level: GuildScheduledEventPrivacyLevel.GuildOnly,
    entity_type: GuildScheduledEventEntityType.External,
    entity_metadata: { location },
    scheduled_start_time: start.toISOString(),
    scheduled_end_time: new Date(to).toISOString(),
    recurrence_rule: weekly
      ? {
          start: start.toISOString(),
          frequency: GuildScheduledEventRecurrenceRuleFrequency.Weekly,
          interval: 1,
          // Discord's week begins on Monday.
          by_weekday: [(start.getUTCDay() + 6) % 7],
        }
      : null,
  };
}
