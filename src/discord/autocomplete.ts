import type { AutocompleteInteraction } from 'discord.js';
import type { ContextParts, Person } from '../app/context.ts';
import type { Suggestion } from '../app/option.ts';
import type { Viewer } from '../app/viewer.ts';
import type { Log } from '../base/log.ts';
import { invoked, personOf } from './args.ts';
import type { Commands } from './load.ts';
import { acknowledge } from './resend.ts';
import { choices, cut } from './suggest.ts';

interface AutocompleteParts {
  readonly commands: Commands;
  readonly context: Pick<ContextParts, 'recentNames' | 'store'>;
  readonly viewerOf: (person: Person) => Promise<Viewer>;
  readonly log: Log;
}

/** Responds with suggestions for the option being typed; if there are none, with the typed text. */
export function createAutocomplete({ commands, context, viewerOf, log }: AutocompleteParts) {
  async function suggestionsFor(interaction: AutocompleteInteraction): Promise<readonly Suggestion[]> {
    const { name, value } = interaction.options.getFocused(true);
    // Before it is folded and searched for: some letters become eighteen.
    const typed = cut(value);
    const command = commands.get(interaction.commandName);
    const option = command && invoked(command, interaction.options.getSubcommand(false))?.options[name];
    if (option?.kind !== 'text' || option.complete === undefined) return [];
    const person = personOf(interaction);
    const [{ t }, link] = await Promise.all([
      viewerOf(person),
      context.store.links.of(person.id, person.guildId),
    ]);
    return option.complete(typed, { recentNames: context.recentNames, t, own: link?.username ?? null });
  }

  return async (interaction: AutocompleteInteraction): Promise<void> => {
    let suggestions: readonly Suggestion[] = [];
    try {
      suggestions = await suggestionsFor(interaction);
    } catch (error) {
      log.error({ err: error, command: interaction.commandName }, 'suggestions failed');
    }
    const offered = choices(interaction.options.getFocused(), suggestions);
    await acknowledge(() => interaction.respond(offered));
  };
}
