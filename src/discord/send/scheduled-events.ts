/** Discord's own scheduled events, over REST. */
import {
  DiscordAPIError,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventRecurrenceRuleFrequency,
  GuildScheduledEventStatus,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { readIsoTime } from '../../base/calendar.ts';
import type { Log } from '../../base/log.ts';
import { hasCode, isBlockedContent } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';

/** Times in unix milliseconds. */
export interface EventPlan {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** At most 100 characters. */
  readonly location: string;
  readonly weekly: boolean;
}

/**
 * - `gone`: there is no such event. It was deleted, cancelled or ended by hand.
 * - `refused`: Discord does not do it now; it may later.
 * - `content`: Discord does not accept the text.
 * - `lost`: it may have happened.
 */
type EventAnswer = { readonly id: string } | 'gone' | 'refused' | 'content' | 'lost';

/** None of them rejects. */
export interface ScheduledEvents {
  /** Takes the bot's event of that name, time and location, if there is one. */
  make(guild: string, plan: EventPlan): Promise<EventAnswer>;
  /** Looks for the event that `make` would take. */
  find(guild: string, plan: EventPlan): Promise<EventAnswer>;
  /** After `content` everything but the name may have been changed. */
  change(guild: string, id: string, plan: EventPlan): Promise<EventAnswer>;
  look(guild: string, id: string): Promise<EventAnswer>;
  remove(guild: string, id: string): Promise<EventAnswer>;
}

const ScheduledEvent = z.object({
  id: z.string(),
  name: z.string(),
  creator_id: z.string().nullish(),
  scheduled_start_time: z.string(),
  entity_metadata: z.object({ location: z.string().nullish() }).nullish(),
  status: z.int().nullish(),
});
const { Completed, Canceled } = GuildScheduledEventStatus;

function isOver({ status }: z.output<typeof ScheduledEvent>): boolean {
  return status === Completed || status === Canceled;
}

/** `me`: the bot's own id. */
export function createScheduledEvents(rest: Rest, me: () => string | undefined, log: Log): ScheduledEvents {
  async function orFailure(work: () => Promise<{ readonly id: string } | null>): Promise<EventAnswer> {
    try {
      return (await work()) ?? 'gone';
    } catch (error) {
      if (hasCode(error, RESTJSONErrorCodes.UnknownGuildScheduledEvent)) return 'gone';
      log.warn({ err: error }, 'Discord did not do what was asked about an event');
      if (!(error instanceof DiscordAPIError) || error.status >= 500 || error.status === 429) return 'lost';
      return isBlockedContent(error) ? 'content' : 'refused';
    }
  }

  /** Finds an event that an earlier request made although its answer was lost. Another convoy may have the same name and time. */
  async function findOwn(guild: string, plan: EventPlan): Promise<{ readonly id: string } | null> {
    const all = z.array(ScheduledEvent).parse(await rest.get(Routes.guildScheduledEvents(guild)));
    const ownEvent = all.find(
      (event) =>
        event.name === plan.name &&
        readIsoTime(event.scheduled_start_time) === plan.from &&
        event.creator_id === me() &&
        event.entity_metadata?.location === plan.location &&
        !isOver(event),
    );
    return ownEvent === undefined ? null : { id: ownEvent.id };
  }

  return {
    find: (guild, plan) => orFailure(() => findOwn(guild, plan)),
    make: (guild, plan) =>
      orFailure(async () => {
        const ownEvent = await findOwn(guild, plan);
        if (ownEvent !== null) return ownEvent;
        const body = bodyOf(plan);
        return { id: ScheduledEvent.parse(await rest.post(Routes.guildScheduledEvents(guild), { body })).id };
      }),
    async change(guild, id, plan) {
      const patch = (body: object) =>
        orFailure(async () => {
          await rest.patch(Routes.guildScheduledEvent(guild, id), { body });
          return { id };
        });
      const { name, ...otherFields } = bodyOf(plan);
      const answer = await patch({ name, ...otherFields });
      if (answer !== 'content') return answer;
      // An event with its old name is better than one with its old time.
      const second = await patch(otherFields);
      return second === 'gone' || second === 'lost' ? second : 'content';
    },
    look: (guild, id) =>
      orFailure(async () => {
        const event = ScheduledEvent.parse(await rest.get(Routes.guildScheduledEvent(guild, id)));
        return isOver(event) ? null : { id: event.id };
      }),
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
