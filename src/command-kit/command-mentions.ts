import { memoiseByKey } from '../base/memoise.ts';
import { commandMention } from '../cards/kit/lines.ts';
import type { createTranslators, Translator } from '../i18n/translator.ts';
import type { CommandFacts, Context } from './context.ts';
import { typedAs } from './example.ts';

/**
 * Translators whose texts have a mention, which can be tapped, for each command that they name between backticks. A
 * command whose id in Discord is not known yet stays as it is, as does the name of a group alone, which cannot be used.
 */
export function mentioningCommands(
  translatorFor: ReturnType<typeof createTranslators>,
  commands: readonly CommandFacts[],
  idOf: Context['bot']['commandId'],
): ReturnType<typeof createTranslators> {
  const mentioning = memoiseByKey((plain: Translator): Translator => {
    const commandsByText = new Map(commands.map((command) => [typedAs(command, plain), command]));
    const mention = (code: string, text: string): string => {
      const command = commandsByText.get(text);
      const id = command === undefined ? null : idOf(command.name);
      return command === undefined || id === null
        ? code
        : commandMention(command.name, command.subcommand, id);
    };
    return new Proxy(plain, {
      apply: (text, self, args) => Reflect.apply(text, self, args).replaceAll(/`(\/[^`]+)`/g, mention),
    });
  });
  return (...reader) => mentioning(translatorFor(...reader));
}
