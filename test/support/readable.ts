import type { APIMessage, ComponentType } from 'discord.js';
import type { Reply } from '../../src/command-kit/reply.ts';

/** All that a person reads in a message, embeds and buttons included, line by line. */
export function readable(message: APIMessage): string {
  const embeds = message.embeds.flatMap((embed) => [
    embed.author?.name,
    embed.title,
    embed.description,
    ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
    embed.footer?.text,
  ]);
  return [message.content, ...embeds, ...labels(message)]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');
}

interface Control {
  readonly label: string;
  readonly customId: string;
  readonly disabled: boolean;
  /** A menu's values; empty for a button. */
  readonly values: readonly string[];
}

/** The buttons and menus below a message, in their order. */
export function controls(message: {
  readonly components?: APIMessage['components'] | Reply['components'];
}): readonly Control[] {
  return (message.components ?? []).flatMap((row) => {
    if (!('components' in row)) return [];
    return row.components.flatMap((component) => {
      if (!('custom_id' in component)) return [];
      return {
        label: 'label' in component ? (component.label ?? '') : '',
        customId: component.custom_id,
        disabled: 'disabled' in component && component.disabled === true,
        values: 'options' in component ? component.options.map(({ value }) => value) : [],
      };
    });
  });
}

function labels(message: APIMessage): readonly string[] {
  return controls(message).map(({ label }) => label);
}

/** The custom id of the button that says `label`. */
export function button(message: APIMessage, label: string): string {
  const found = controls(message).find((control) => control.label.includes(label));
  if (found === undefined) throw new Error(`no button says ${label}: ${labels(message).join(', ')}`);
  return found.customId;
}

/** The custom id of the only menu below a message. */
export function menu(message: APIMessage): string {
  const [found] = controls(message).filter(({ label }) => label === '');
  if (found === undefined) throw new Error('there is no menu');
  return found.customId;
}

/** The login name in the title of a driver's card, or behind the picture in its place: "Old·Timer (oldtimer)". */
export function titledDriver({
  embeds,
  attachments,
}: {
  readonly embeds?: readonly { readonly title?: string }[];
  readonly attachments?: readonly { readonly description?: string }[];
}) {
  const title = (embeds?.[0]?.title ?? attachments?.[0]?.description?.split('\n')[0])?.replaceAll('\\', '');
  return /\((.*)\)$/.exec(title ?? '')?.[1] ?? title;
}

interface Row {
  readonly components: readonly {
    readonly type: ComponentType;
    readonly custom_id: string;
    readonly label?: string;
    readonly placeholder?: string;
    readonly disabled?: boolean;
    readonly options?: readonly {
      readonly label: string;
      readonly value: string;
      readonly description?: string;
    }[];
  }[];
}

/** The buttons and menus of a card in their rows. */
export function rowsOf({
  components = [],
}: {
  readonly components?: readonly unknown[] | undefined;
}): readonly Row[] {
  return JSON.parse(JSON.stringify(components));
}
