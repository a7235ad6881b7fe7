import type { Context, ContextParts } from '../../src/command-kit/context.ts';
import { aboutBot } from './about-bot.ts';
import { noHistory } from './no-history.ts';
import { noNames } from './no-names.ts';
import { peopleInMemory } from './people.ts';
import { failing, NOON } from './records.ts';
import { createTranslators } from './translators.ts';

const english = createTranslators()('en-GB');

/** The parts that are the same for everyone, of a bot that knows nothing that `parts` does not bring. */
export function contextParts(parts: Partial<ContextParts> = {}): ContextParts {
  return {
    ...{
      service: failing('unavailable', { sent: 'no' }),
      recentNames: noNames,
      bot: aboutBot(),
      ...noHistory,
      ...peopleInMemory(),
    },
    ...parts,
  };
}

/** A command's context: at noon, of a member of guild 7 who manages nothing and reads British English. */
export function contextOf({
  person,
  ...parts
}: Partial<Omit<Context, 'person'>> & { readonly person?: Partial<Context['person']> } = {}): Context {
  return {
    ...{ t: english, now: NOON, sentAt: parts.now ?? NOON, expectPicture: () => {} },
    ...contextParts(parts),
    ...parts,
    person: { id: '1', guildId: '7', channelId: '8', mayManage: false, locale: 'en-GB', ...person },
  };
}
