/** Discord's own events of convoys, so that Discord reminds, too: made, changed and removed as the convoys are. */
import { bounded } from '../base/bounded.ts';
import { HOUR } from '../base/duration.ts';
import type { Convoy } from '../service/models/convoy.ts';
import { phaseOf } from './decide.ts';
import { convoyKey, type StoredConvoys } from './stored-convoys.ts';

/** Times in unix milliseconds. */
export interface EventPlan {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** At most 100 characters. */
  readonly location: string;
  readonly weekly: boolean;
}

/** `gone`: it was deleted by hand. `refused`: Discord will not have it. `lost`: it may have happened. */
type EventAnswer = { readonly id: string } | 'gone' | 'refused' | 'lost';

/** None of them rejects. */
export interface ScheduledEvents {
  /** Takes the one of that name, time and location that is there. */
  make(guild: string, plan: EventPlan): Promise<EventAnswer>;
  change(guild: string, id: string, plan: EventPlan): Promise<EventAnswer>;
  look(guild: string, id: string): Promise<EventAnswer>;
  remove(guild: string, id: string): Promise<EventAnswer>;
}

/** How often is looked whether an event is still there, in ms. */
const LOOK_EVERY = HOUR;
/** Events of which is known when they were last asked about. */
const LOOKED = 10_000;

export function createConvoyEvents(parts: {
  readonly stored: Pick<StoredConvoys, 'cardOf' | 'tookEvent'>;
  readonly events: ScheduledEvents;
  /** The bot may make events in that guild. */
  readonly may: (guild: string) => boolean;
  /** Its maker, once. Rejects where the store fails. */
  readonly tellGone: (guild: string, convoy: Convoy) => Promise<void>;
  readonly now: () => number;
}): { /** Rejects where the store fails. */ keep(guild: string, convoy: Convoy): Promise<void> } {
  const { stored, events, may, tellGone, now } = parts;
  const looked = bounded<string, number>(LOOKED);

  return {
    async keep(guild, convoy) {
      const { id, event } = convoy;
      const asked = now();
      const phase = phaseOf(convoy, asked);
      // Without one for good: it was deleted by hand, or Discord will not have it.
      if (event?.id === null) return;
      if (phase === 'cancelled' && event !== null) {
        if ((await events.remove(guild, event.id)) !== 'lost')
          await stored.tookEvent(guild, id, { ...event, id: null });
        return;
      }
      if (phase !== 'coming' || !may(guild)) return;
      const posted = (await stored.cardOf(convoyKey(guild, convoy)))?.posted ?? null;
      if (posted === null) return;
      const plan = planOf(guild, convoy, posted);
      const about = aboutOf(plan);
      let answer: EventAnswer;
      if (event === null) answer = await events.make(guild, plan);
      else if (event.about !== about) answer = await events.change(guild, event.id, plan);
      else if (Math.abs(asked - (looked.get(event.id) ?? 0)) < LOOK_EVERY) return;
      else answer = await events.look(guild, event.id);
      if (answer === 'lost') return;
      if (answer === 'gone') await tellGone(guild, convoy);
      const taken = { id: typeof answer === 'object' ? answer.id : null, about };
      if (taken.id !== null) looked.set(taken.id, asked);
      if (taken.id !== event?.id || about !== event.about) await stored.tookEvent(guild, id, taken);
    },
  };
}

function planOf(guild: string, { title, at, hours, weekly, channel }: Convoy, messageId: string): EventPlan {
  const location = `https://discord.com/channels/${guild}/${channel}/${messageId}`;
  return { name: title, from: at, to: at + hours * HOUR, location, weekly };
}

/** What an event says, to tell whether it has to be changed. */
function aboutOf({ name, from, to, location, weekly }: EventPlan): string {
  return [from, to, weekly, location, name].join(' ');
}
