/** A filled-in modal, as Discord sends it to the bot. */
import { type APIChannelSelectComponent, type APIModalSubmitInteraction, ComponentType } from 'discord.js';
import type { Guild } from '../guild/guild.ts';
import { permissionsOf } from '../guild/permissions.ts';
import type { ModalForm } from '../judge/modal-form.ts';

type Label = ModalForm['components'][number];

/** The value of a box that is ticked. */
const TICK = 'true';

/**
 * Input of a person in each field, by its custom id: several values if a menu or a group takes them, {@link TICK} for a box.
 * A field that is not named keeps what it began with.
 */
export type Filled = Readonly<Record<string, string | readonly string[]>>;

/** Throws where Discord's client would not allow it. */
export function submittedForm(
  modal: ModalForm,
  filled: Filled,
  guild: Guild,
): APIModalSubmitInteraction['data'] {
  for (const id of Object.keys(filled))
    if (!modal.components.some(({ component }) => component.custom_id === id))
      throw new Error(`the form has no field ${id}`);
  const parts = modal.components.map((label, index) => fieldOf(label, 2 * index + 1, filled, guild));
  const channels = Object.assign({}, ...parts.map((part) => part.channels));
  const roles = Object.assign({}, ...parts.map((part) => part.roles));
  return {
    custom_id: modal.custom_id,
    components: parts.map(({ component }) => component),
    ...(Object.keys({ ...channels, ...roles }).length === 0 ? {} : { resolved: { channels, roles } }),
  };
}

function fieldOf({ type, component }: Label, id: number, filled: Filled, guild: Guild) {
  const { custom_id, required } = component;
  const values = [filled[custom_id] ?? startingValues(component)].flat().filter((each) => each !== '');
  const [value = ''] = values;
  if (value === '' && required) throw new Error(`${custom_id} is required`);
  const inside = { id: id + 1, custom_id };
  const within = <C>(given: C) => ({ type: ComponentType.Label as const, id, component: given });
  if (component.type === ComponentType.TextInput) {
    const field = { type: component.type, ...inside, value };
    const isRow = type === ComponentType.ActionRow;
    return { component: isRow ? { type, id, components: [field] } : within(field), channels: {}, roles: {} };
  }
  if (component.type === ComponentType.Checkbox)
    return {
      component: within({ type: component.type, ...inside, value: value === TICK }),
      channels: {},
      roles: {},
    };
  // A menu that may stay empty asks for its least number only of those who choose.
  const { min_values, max_values } =
    component.type === ComponentType.RadioGroup ? { min_values: 1, max_values: 1 } : component;
  if (values.length > max_values || (values.length > 0 && values.length < min_values))
    throw new Error(`${custom_id} takes ${min_values} to ${max_values} values`);
  if ('options' in component) {
    const offered = component.options.map((option) => option.value);
    const other = values.find((each) => !offered.includes(each));
    if (other !== undefined) throw new Error(`${custom_id} does not offer ${other}`);
    const field =
      component.type === ComponentType.RadioGroup
        ? { type: component.type, ...inside, value: value === '' ? null : value }
        : { type: component.type, ...inside, values };
    return { component: within(field), channels: {}, roles: {} };
  }
  if (component.type === ComponentType.RoleSelect) {
    const role = guild.roles.get(value);
    if (value !== '' && role === undefined) throw new Error(`${custom_id} does not offer the role ${value}`);
    const roles = role === undefined ? {} : { [role.id]: role };
    return { component: within({ type: component.type, ...inside, values }), channels: {}, roles };
  }
  const channels = value === '' ? {} : chosenChannel(component, value, guild);
  return { component: within({ type: component.type, ...inside, values }), channels, roles: {} };
}

/** The channel that was chosen in a menu of channels, as Discord describes it. Throws for one that the menu does not offer. */
export function chosenChannel(
  { custom_id, channel_types: types }: Pick<APIChannelSelectComponent, 'custom_id' | 'channel_types'>,
  id: string,
  guild: Guild,
) {
  const channel = guild.channels.get(id);
  if (channel === undefined || types?.includes(channel.type) === false)
    throw new Error(`${custom_id} does not offer the channel ${id}`);
  const permissions = String(permissionsOf(guild, guild.bot.id, channel));
  return { [id]: { id, name: channel.name, type: channel.type, permissions } };
}

/** Content of a field when the form opens. */
export function startingValues(component: Label['component']): readonly string[] {
  if (component.type === ComponentType.TextInput)
    return component.value === undefined ? [] : [component.value];
  if (component.type === ComponentType.Checkbox) return component.default ? [TICK] : [];
  if ('options' in component)
    return component.options.filter((option) => option.default === true).map(({ value }) => value);
  return (component.default_values ?? []).map(({ id }) => id);
}

/** The first of them; empty for nothing. */
export function startingValue(component: Label['component']): string {
  return startingValues(component)[0] ?? '';
}
