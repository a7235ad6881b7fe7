import type { AutocompleteInteraction } from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { readerZone } from '../../command-kit/command-options/time-zone.ts';
import type { ContextParts } from '../../command-kit/context.ts';
import type { Suggestion } from '../../command-kit/option.ts';
import { findServer } from '../../command-kit/past.ts';
import type { Viewer } from '../../command-kit/viewer.ts';
import { judgeFacts } from '../../service/models/facts.ts';
import { personOf } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { findInvoked } from './args.ts';

/** Responds with suggestions for the option being typed; if there are none, with the typed text. */
export function createAutocomplete(parts: {
  readonly commands: Commands;
  readonly context: Pick<ContextParts, 'recentNames' | 'store' | 'poll'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}) {
  const { commands, context, clock, log } = parts;
  const { recentNames, store, poll } = context;

  return async (interaction: AutocompleteInteraction, viewing: Promise<Viewer>): Promise<void> => {
    const { commandName: name, options } = interaction;
    const person = personOf(interaction);
    const focused = options.getFocused(true);
    const text = focused.value;
    let suggestions: readonly Suggestion[] = [];
    try {
      const command = commands.get(name);
      const option = command && findInvoked(command, options.getSubcommand(false))?.options[focused.name];
      if (option?.kind === 'text' && option.complete !== undefined) {
        const [{ t }, link, zone] = await Promise.all([
          viewing,
          store.links.of(person.id, person.guildId),
          readerZone({ store, person }),
        ]);
        const facts = judgeFacts(poll.facts, clock.now());
        // Before it is folded and searched for: some letters become eighteen.
        // The text of a suggestion that was chosen before stands there, and its name is offered again.
        const query = option.suggested?.(cut(text), { recentNames, t }) ?? cut(text);
        suggestions = option.complete(query, {
          recentNames,
          t,
          own: link?.username ?? null,
          zone: zone.name,
          now: interaction.createdTimestamp,
          serverOf: (username) => findServer(username, facts),
        });
      }
    } catch (error) {
      log.error({ err: error, command: name }, 'suggestions failed');
    }
    await interaction.respond(choices(text, suggestions));
  };
}

/** A character that shows something: no space, no control, no other invisible one; U+2800 is an empty Braille cell. */
const SHOWS = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Discord accepts 25 suggestions of 100 characters each. */
const MAX_CHOICES = 25;
const MAX_CHOICE_LENGTH = 100;

/**
 * The choices while a person types. On Enter, Discord sends the first one, so matching known names come first and
 * the typed text last, which allows any value. If the typed text is itself a known name, it comes first.
 */
function choices(input: string, suggestions: readonly Suggestion[]): Suggestion[] {
  const shortInput = cut(input);
  const usable = suggestions
    .filter(({ value }) => value.length <= MAX_CHOICE_LENGTH && SHOWS.test(value))
    .map(({ name, value }) => ({ name: SHOWS.test(name) ? cut(name) : value, value }));
  const exact = usable.find(({ value }) => value === shortInput);
  if (exact !== undefined) return distinct([exact, ...usable]).slice(0, MAX_CHOICES);
  if (!SHOWS.test(shortInput)) return distinct(usable).slice(0, MAX_CHOICES);
  const last = { name: shortInput, value: shortInput };
  return [...distinct(usable.filter(({ name }) => name !== shortInput)).slice(0, MAX_CHOICES - 1), last];
}

/** Removes choices with the same text or the same value. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const seenKeys = new Set<string>();
  return suggestions.filter(({ name, value }) => {
    const isNew = !seenKeys.has(`name ${name}`) && !seenKeys.has(`value ${value}`);
    seenKeys.add(`name ${name}`).add(`value ${value}`);
    return isNew;
  });
}

/** Cuts to a choice's limit in UTF-16 units, the stricter count, without splitting a character. */
function cut(text: string): string {
  if (text.length <= MAX_CHOICE_LENGTH) return text;
  return text.slice(0, MAX_CHOICE_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
