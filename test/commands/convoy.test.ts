import { expect, test } from 'vitest';
import convoy from '../../commands/convoy.ts';
import { contextOf } from '../support/context.ts';
import { peopleInMemory } from '../support/people.ts';
import { press } from '../support/press.ts';

test('an announcement that the channel refuses by now names that channel', async () => {
  const people = peopleInMemory();
  const convoys = {
    ...people.convoys,
    announce: async () => ({ refusal: { kind: 'unavailable' } }) as const,
  };
  const context = contextOf({ ...people, convoys, person: { channelId: '800000000000000001' } });
  const typed = { title: 'Night run', when: 'in 2 h', server: 'two', hours: 'one', repeats: 'once' };
  await convoy.subcommands['create']?.form?.submit(typed, context, {});
  const id = (await convoys.draftOf({ id: '1', guild: '7' }, context.now))?.id ?? '';
  await expect(press(convoy, { action: 'announce', subject: id }, context)).rejects.toThrow(
    '<#800000000000000001>',
  );
});
