/** The bot's commands, and how Discord is to know them. The bundle has both ready: see `tools/build/bundled-commands.ts`. */
import { languages } from '../../base/languages.ts';
import type { Translator } from '../../i18n/translator.ts';
import { describeCommands, type Payload } from './describe-commands.ts';
import { type Commands, loadCommands } from './load.ts';

/** A folder for each subject. */
export const commandsFolder = new URL('../../../commands/', import.meta.url);

/** Rejects with a {@link StartError} that names the first file that is no command. */
export function allCommands(): Promise<Commands> {
  return loadCommands(commandsFolder);
}

/** In Discord's form, in every language. Rejects with a {@link StartError} that names a text Discord would refuse. */
export async function allPayloads(
  commands: Commands,
  translatorFor: (locale: string) => Translator,
  isGlobal: boolean,
): Promise<readonly Payload[]> {
  return describeCommands(commands, translatorFor, languages, isGlobal);
}
