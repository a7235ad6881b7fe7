/**
 * Replacement of `discord/publish/commands.ts` in the bundle: the commands themselves, checked, and what Discord is told
 * about them in every language. Loading, checking and describing them one by one takes 80 ms of every start.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAllCatalogues } from '../../../commands/subjects.ts';
import { allCommands, allPayloads, commandsFolder } from '../../discord/publish/commands.ts';
import { listCommandFiles } from '../../discord/publish/load.ts';
import { createTranslators } from '../../i18n/translator.ts';

const reaches = { global: true, guild: false } as const;

/** The module's source. Writes what it reads into the folder; rejects where a command is not right. */
export async function bundledCommands(root: string, folder: string): Promise<string> {
  const commands = await allCommands();
  for (const [reach, isGlobal] of Object.entries(reaches)) {
    const payloads = await allPayloads(commands, createTranslators(createAllCatalogues()), isGlobal);
    await writeFile(`${folder}/commands.${reach}.json`, JSON.stringify(payloads));
  }
  const files = await listCommandFiles(commandsFolder);
  return `
    import { readFile } from 'node:fs/promises';
    ${files.map(({ path }, index) => `import _${index} from ${JSON.stringify(join(root, 'commands', path))};`).join('\n')}
    const commands = new Map([${files.map(({ name }, index) => `[${JSON.stringify(name)}, _${index}]`).join()}]);
    export const allCommands = async () => commands;
    export const allPayloads = async (_commands, _translatorFor, isGlobal) =>
      JSON.parse(await readFile(import.meta.dirname + (isGlobal ? '/commands.global.json' : '/commands.guild.json'), 'utf8'));
  `;
}
