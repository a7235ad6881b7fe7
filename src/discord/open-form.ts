import type { ChatInputCommandInteraction, Interaction, MessageComponentInteraction } from 'discord.js';
import type { Context } from '../app/context.ts';
import { FORM_ACTION, type Form, type Values, valuesFromSubject } from '../app/form.ts';
import { readCustomId } from '../cards/kit/custom-id.ts';
import { within } from '../clock.ts';
import { admit } from './asked.ts';
import { formWindow } from './form-window.ts';
import type { Commands, LoadedCommand } from './load.ts';

/** An interaction that asks for a form, which has to be the first answer to it. */
export interface Opening {
  readonly name: string;
  readonly command: LoadedCommand;
  readonly form: Form;
  /** What the person had filled in before. */
  readonly values: Partial<Values>;
  readonly interaction: ChatInputCommandInteraction | MessageComponentInteraction;
}

/** Null for an interaction that asks for no form. */
export function openingOf(interaction: Interaction, commands: Commands): Opening | null {
  if (interaction.isChatInputCommand()) {
    const name = interaction.commandName;
    const command = commands.get(name);
    if (command?.form === undefined || 'run' in command || 'subcommands' in command) return null;
    return { name, command, form: command.form, values: {}, interaction };
  }
  if (!interaction.isMessageComponent()) return null;
  const id = readCustomId(interaction.customId);
  const command = id?.action === FORM_ACTION ? commands.get(id.command) : undefined;
  if (id === null || command?.form === undefined) return null;
  const values = valuesFromSubject(command.form, id.subject);
  return { name: id.command, command, form: command.form, values, interaction };
}

/** How long the values to begin with may take, in ms. */
const PATIENCE = 1000;

/** Shows the form. Throws a UserError for a person who may not use it. */
export async function openForm(opening: Opening, context: Context): Promise<void> {
  const { name, command, form, values, interaction } = opening;
  admit(command, context);
  const begun = await within(form.begin(context), PATIENCE);
  await interaction.showModal(formWindow(name, form, { ...begun, ...values }, context.t));
}
