/** Discord's events of convoys, as they are asked for over REST. */
import { expect, test } from 'vitest';
import type { EventPlan } from '../../../src/convoys/convoy-events.ts';
import { createScheduledEvents } from '../../../src/discord/send/scheduled-events.ts';

const [GUILD, ME] = ['7', '3'];
const plan: EventPlan = {
  ...{ name: 'Run', from: Date.UTC(2026, 10, 27, 19), to: Date.UTC(2026, 10, 27, 21), weekly: false },
  location: 'https://discord.com/channels/7/8/9',
};

/** A guild's events, which keeps those that are made, as Discord answers. */
function guild() {
  const all: object[] = [];
  const rest = {
    get: async () => all,
    async post(_path: string, { body }: { readonly body: object }) {
      const made = { id: `e${all.length + 1}`, creator_id: ME, ...body };
      all.push(made);
      return made;
    },
  };
  const log = { warn() {} };
  const events = createScheduledEvents(
    rest as unknown as Parameters<typeof createScheduledEvents>[0],
    () => ME,
    log as unknown as Parameters<typeof createScheduledEvents>[2],
  );
  return { all, events };
}

test('one whose answer was lost is found again, and that of another convoy of the same name and time is not taken', async () => {
  const { all, events } = guild();
  expect(await events.make(GUILD, plan)).toEqual({ id: 'e1' });
  expect(await events.make(GUILD, plan)).toEqual({ id: 'e1' });
  expect(await events.make(GUILD, { ...plan, location: 'https://discord.com/channels/7/8/10' })).toEqual({
    id: 'e2',
  });
  expect(all).toHaveLength(2);
});
