import { admit, hasPermission } from '../../app/context.ts';
import { FORM_ACTION, type Form, type Values, valuesFromSubject } from '../../app/form.ts';
import { within } from '../../base/clock.ts';
import type { CustomId } from '../../cards/kit/custom-id.ts';
import { TEXT_CHANNELS } from '../gateway/guilds.ts';
import type { Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { formOf, type OwnedForm, type Typed } from './args.ts';
import type { Opening } from './asked.ts';
import { formWindow } from './form-window.ts';

/** A command that was typed with nothing but what its form is about; null for another one. `called`: as in custom ids. */
export function openedBy(
  interaction: Interaction<'command'>,
  called: string,
  owned: OwnedForm,
  typed: Typed,
): Opening | null {
  const given = givenFor(owned.form, typed);
  if (given === null || !mayFillIn(owned.form, interaction)) return null;
  return openingOf({ called, given, interaction }, owned);
}

/** A button that opens a form with what was filled in before; null for another one. */
export function reopenedBy(
  interaction: Interaction<'press'>,
  { action, command: called, subject }: CustomId,
  commands: Commands,
): Opening | null {
  const owned = action === FORM_ACTION ? formOf(commands, called) : null;
  if (owned === null) return null;
  const values = valuesFromSubject(owned.form, subject);
  return openingOf({ called, given: values, values, interaction }, owned);
}

/** What was typed beside the command itself, if that only says what the form is about; null for more. */
function givenFor({ about = [] }: Form, { options }: Typed): Readonly<Record<string, string>> | null {
  const typed = [...options.values()];
  if (!typed.every(({ name }) => about.includes(name))) return null;
  return Object.fromEntries(typed.map(({ name, value }) => [name, String(value)]));
}

/** Anyone else gets the command's own answer, which there is for everyone. */
function mayFillIn({ permission }: Form, interaction: Interaction<'command'>): boolean {
  return permission === undefined || hasPermission(interaction.person, permission);
}

/** How long the values to begin with may take, in ms. */
const PATIENCE = 1000;

/** `values`: what the person had filled in before. */
function openingOf(
  {
    called,
    given,
    values = {},
    interaction,
  }: {
    readonly called: string;
    readonly interaction: Opening['interaction'];
    readonly given: Parameters<Form['begin']>[1];
    readonly values?: Partial<Values>;
  },
  { name, command, form }: OwnedForm,
): Opening {
  return {
    kind: 'opening',
    name,
    interaction,
    async window(context, clock) {
      admit(command, context);
      admit(form, context);
      const begun = (await within(form.begin(context, given), PATIENCE, clock)) ?? {};
      const offers = (channelId: string): boolean => isOffered(interaction, channelId);
      const nameOf = (channelId: string) => channelName(interaction, channelId);
      return formWindow(called, form, { begun, values: { ...begun, ...values }, offers, nameOf }, context.t);
    },
  };
}

/** Of the channel that was named, or of the one where it was asked. */
function channelName({ raw: { channel, data } }: Opening['interaction'], channelId: string): string | null {
  const channels = 'resolved' in data ? data.resolved : undefined;
  const named = channels !== undefined && 'channels' in channels ? channels.channels?.[channelId] : undefined;
  return named?.name ?? (channel.id === channelId && 'name' in channel ? (channel.name ?? null) : null);
}

/** Whether a menu of channels offers it: no voice channel, no thread, and none that is gone. */
function isOffered({ guild }: Interaction, channelId: string): boolean {
  const type = guild?.channels.get(channelId)?.type;
  return TEXT_CHANNELS.some((each) => each === type);
}
