import type { ChatInputCommandInteraction, Interaction, MessageComponentInteraction } from 'discord.js';
import type { Context } from '../app/context.ts';
import { FORM_ACTION, type Form, type Values, valuesFromSubject } from '../app/form.ts';
import { readCustomId } from '../cards/kit/custom-id.ts';
import { within } from '../clock.ts';
import { formOf, type OwnedForm, personOf } from './args.ts';
import { admit } from './asked.ts';
import { formWindow } from './form-window.ts';
import type { Commands } from './load.ts';

/** An interaction that asks for a form, which has to be the first answer to it. */
export interface Opening extends OwnedForm {
  /** As in custom ids: `settings`, `board edit`. */
  readonly called: string;
  /** What the person had filled in before. */
  readonly values: Partial<Values>;
  readonly interaction: ChatInputCommandInteraction | MessageComponentInteraction;
}

/** Null for an interaction that asks for no form. */
export function openingOf(interaction: Interaction, commands: Commands): Opening | null {
  if (interaction.isChatInputCommand()) {
    const subcommand = interaction.options.getSubcommand(false);
    const called = [interaction.commandName, ...(subcommand === null ? [] : [subcommand])].join(' ');
    const owned = formOf(commands, called);
    if (owned === null || !isBare(interaction) || !mayFillIn(owned.form, interaction)) return null;
    return { ...owned, called, values: {}, interaction };
  }
  if (!interaction.isMessageComponent()) return null;
  const id = readCustomId(interaction.customId);
  const owned = id?.action === FORM_ACTION ? formOf(commands, id.command) : null;
  if (id === null || owned === null) return null;
  return { ...owned, called: id.command, values: valuesFromSubject(owned.form, id.subject), interaction };
}

/** Whether nothing was typed beside the command itself. */
function isBare({ options: { data } }: ChatInputCommandInteraction): boolean {
  return data.every(({ options, value }) => value === undefined && (options ?? []).length === 0);
}

/** Whoever may not is answered by the command, which has something to say to everyone. */
function mayFillIn({ permission }: Form, interaction: ChatInputCommandInteraction): boolean {
  return permission === undefined || personOf(interaction).mayManage;
}

/** How long the values to begin with may take, in ms. */
const PATIENCE = 1000;

/** Shows the form. Throws a UserError for a person who may not use it. */
export async function openForm(opening: Opening, context: Context): Promise<void> {
  const { called, command, form, values, interaction } = opening;
  admit(command, context);
  admit(form, context);
  const begun = (await within(form.begin(context), PATIENCE)) ?? {};
  const filled = { begun, values: { ...begun, ...values } };
  await interaction.showModal(formWindow(called, form, filled, context.t));
}
