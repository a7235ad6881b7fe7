import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIInteractionDataResolved,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10';

type Option = APIApplicationCommandInteractionDataBasicOption;

/** The options that a person has typed. */
export interface Typed {
  readonly subcommand: string | null;
  readonly options: ReadonlyMap<string, Option>;
  /** What the ids among them stand for. */
  readonly resolved: APIInteractionDataResolved;
}

/** Reads a command's data, with the options of its subcommand. */
export function typedIn({
  options = [],
  resolved = {},
}: {
  readonly options?: readonly APIApplicationCommandInteractionDataOption[];
  readonly resolved?: APIInteractionDataResolved;
}): Typed {
  let subcommand: string | null = null;
  const typed = new Map<string, Option>();
  for (const option of options)
    if (option.type === ApplicationCommandOptionType.Subcommand) {
      subcommand = option.name;
      for (const each of option.options ?? []) typed.set(each.name, each);
    }
    // The bot has no groups of subcommands.
    else if (option.type !== ApplicationCommandOptionType.SubcommandGroup) typed.set(option.name, option);
  return { subcommand, options: typed, resolved };
}

/** The option in which a person is typing, and the text so far. */
export function focusedIn({ options }: Typed): { readonly name: string; readonly text: string } {
  const focused = [...options.values()].find((option) => 'focused' in option && option.focused === true);
  return { name: focused?.name ?? '', text: String(focused?.value ?? '') };
}
