/** An entry of the menu on a person, as Discord sends it to the bot. */
import { ApplicationCommandType } from 'discord.js';
import { named, type Published } from '../state/commands.ts';
import type { Asker } from './interaction-frame.ts';
import { isCalled, resolvedPerson } from './typed-command.ts';

/** Throws where Discord's client would not offer it. */
export function pickedEntry(
  { guild, resident: { locale } }: Asker,
  offered: readonly Published[],
  entry: string,
  personId: string,
) {
  const published = offered.find(
    ({ form }) => form.type === ApplicationCommandType.User && isCalled(form, entry, locale),
  );
  if (published === undefined) throw new Error(`the menu on a person has no entry ${entry}`);
  const resolved = resolvedPerson(guild, personId);
  if (resolved === null) throw new Error(`there is nobody ${personId}`);
  const type = ApplicationCommandType.User as const;
  const { name } = published.command;
  return { name, data: { ...named(published), type, target_id: personId, resolved } };
}
