import type { ContextParts } from '../app/context.ts';
import type { Suggestion } from '../app/option.ts';
import type { Viewer } from '../app/viewer.ts';
import type { Log } from '../base/log.ts';
import { invoked, personOf } from './args.ts';
import type { Completion } from './interaction.ts';
import type { Commands } from './load.ts';
import { acknowledge } from './resend.ts';
import { choices, cut } from './suggest.ts';
import { focusedIn, type Typed, typedIn } from './typed.ts';

interface AutocompleteParts {
  readonly commands: Commands;
  readonly context: Pick<ContextParts, 'recentNames' | 'store'>;
  readonly log: Log;
}

/** Responds with suggestions for the option being typed; if there are none, with the typed text. */
export function createAutocomplete({ commands, context, log }: AutocompleteParts) {
  async function suggestionsFor(
    interaction: Completion,
    viewing: Promise<Viewer>,
    typed: Typed,
  ): Promise<readonly Suggestion[]> {
    const { name, text } = focusedIn(typed);
    const command = commands.get(interaction.raw.data.name);
    const option = command && invoked(command, typed.subcommand)?.options[name];
    if (option?.kind !== 'text' || option.complete === undefined) return [];
    const person = personOf(interaction);
    const [{ t }, link] = await Promise.all([viewing, context.store.links.of(person.id, person.guildId)]);
    // Before it is folded and searched for: some letters become eighteen.
    return option.complete(cut(text), { recentNames: context.recentNames, t, own: link?.username ?? null });
  }

  return async (interaction: Completion, viewing: Promise<Viewer>): Promise<void> => {
    const typed = typedIn(interaction.raw.data);
    let suggestions: readonly Suggestion[] = [];
    try {
      suggestions = await suggestionsFor(interaction, viewing, typed);
    } catch (error) {
      log.error({ err: error, command: interaction.raw.data.name }, 'suggestions failed');
    }
    const offered = choices(focusedIn(typed).text, suggestions);
    await acknowledge(() => interaction.suggest(offered));
  };
}
