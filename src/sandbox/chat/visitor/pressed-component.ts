import {
  type APIMessage,
  type APIMessageChannelSelectInteractionData,
  type APIMessageComponentButtonInteraction,
  ComponentType,
} from 'discord.js';
import type { Guild } from '../guild/guild.ts';
import { chosenChannel } from './submitted-form.ts';

type Pressed =
  | APIMessageComponentButtonInteraction['data']
  | { custom_id: string; component_type: ComponentType.StringSelect; values: string[] }
  | APIMessageChannelSelectInteractionData;

/** Throws where Discord's client would not allow it. `guildHere`: for a menu of channels. */
export function pressedComponent(
  message: APIMessage,
  customId: string,
  values: readonly string[] = [],
  guildHere: () => Guild = () => {
    throw new Error('there are no channels');
  },
): Pressed {
  const rows = (message.components ?? []).flatMap((row) =>
    row.type === ComponentType.ActionRow ? row.components : [],
  );
  const component = rows.find((one) => 'custom_id' in one && one.custom_id === customId);
  if (component === undefined) throw new Error(`the message has no component ${customId}`);
  if ('disabled' in component && component.disabled === true) throw new Error(`${customId} is disabled`);
  if (component.type === ComponentType.Button)
    return { custom_id: customId, component_type: ComponentType.Button };
  if (component.type === ComponentType.ChannelSelect) {
    const [value = ''] = values;
    const resolved = { channels: chosenChannel(component, value, guildHere()) };
    return { custom_id: customId, component_type: component.type, values: [value], resolved };
  }
  if (component.type !== ComponentType.StringSelect)
    throw new Error(`${customId} is a menu of a kind that visitors do not use`);
  const { options, min_values = 1, max_values = 1 } = component;
  const offered = values.every((value) => options.some((option) => option.value === value));
  if (!offered || values.length < min_values || values.length > max_values)
    throw new Error(`${customId} does not offer ${values.join(', ')}`);
  return { custom_id: customId, component_type: ComponentType.StringSelect, values: [...values] };
}
