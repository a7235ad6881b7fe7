import {
  type APIEmbed,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
} from 'discord-api-types/v10';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';

/** Discord's message limits, stated here independently so that no mistake is shared. */
const limits = {
  author: 256,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  allEmbeds: 6000,
  embeds: 10,
  rows: 5,
  buttons: 5,
  choices: 25,
  choice: 100,
  label: 80,
  placeholder: 150,
  customId: 100,
  content: 2000,
  window: { title: 45, label: 45, description: 100, parts: 5 },
};

interface Sent {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly unknown[];
}

function tooLong(what: string, text: string | undefined, limit: number): string[] {
  return (text?.length ?? 0) > limit ? [`${what}: ${text?.length} of ${limit}`] : [];
}

function embedLength({ author, title, description, footer, fields = [] }: APIEmbed): number {
  const texts = [author?.name, title, description, footer?.text, ...fields.flatMap((f) => [f.name, f.value])];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** What Discord would refuse in an embed. Empty for one that it accepts. */
function embedBreaches(embed: APIEmbed): string[] {
  const fields = embed.fields ?? [];
  return [
    ...tooLong('author', embed.author?.name, limits.author),
    ...tooLong('title', embed.title, limits.title),
    ...tooLong('description', embed.description, limits.description),
    ...tooLong('footer', embed.footer?.text, limits.footer),
    ...(fields.length > limits.fields ? [`fields: ${fields.length}`] : []),
    ...(embed.title?.trim() === '' ? ['the title is empty'] : []),
    ...fields.flatMap(({ name, value }) => [
      ...tooLong('field name', name, limits.fieldName),
      ...tooLong(`field ${name}`, value, limits.fieldValue),
      ...(name.trim() === '' ? ['a field without a name'] : []),
      ...(value.trim() === '' ? [`field ${name} is empty`] : []),
    ]),
  ];
}

interface Control {
  readonly type: ComponentType;
  readonly custom_id: string;
  readonly label?: string;
  readonly placeholder?: string;
  readonly options?: readonly {
    readonly label: string;
    readonly value: string;
    readonly description?: string;
  }[];
}

interface Row {
  readonly components: readonly Control[];
}

/** The buttons and menus of a message in their rows. */
export function rowsOf(sent: Sent): readonly Row[] {
  return JSON.parse(JSON.stringify(sent.components ?? []));
}

function rowBreaches({ components }: Row): string[] {
  const menus = components.filter(({ type }) => type === ComponentType.StringSelect);
  return [
    ...(components.length === 0 || components.length > limits.buttons ? [`row of ${components.length}`] : []),
    ...(menus.length > 0 && components.length > 1 ? ['a menu shares its row'] : []),
    ...components.flatMap((control) => controlBreaches(control)),
  ];
}

function controlBreaches({ type, custom_id: id, label, placeholder, options = [] }: Control): string[] {
  const values = new Set(options.map(({ value }) => value));
  const isMenu = type === ComponentType.StringSelect;
  return [
    ...(id.length > limits.customId ? [`custom id ${id}`] : []),
    ...(readCustomId(id) === null ? [`custom id that nobody reads: ${id}`] : []),
    ...tooLong('label', label, limits.label),
    ...tooLong('placeholder', placeholder, limits.placeholder),
    ...(isMenu && (options.length === 0 || options.length > limits.choices)
      ? [`${options.length} choices`]
      : []),
    ...(values.size < options.length ? ['a choice twice'] : []),
    ...options.flatMap((choice) => [
      ...tooLong('choice', choice.label, limits.choice),
      ...tooLong('choice value', choice.value, limits.choice),
      ...tooLong('choice description', choice.description, limits.choice),
      ...(choice.label === '' || choice.value === '' || choice.description === '' ? ['an empty choice'] : []),
    ]),
  ];
}

/** What Discord would refuse in a message, each in a few words. Empty for one that it accepts. */
export function breaches(sent: Sent): string[] {
  const embeds = sent.embeds ?? [];
  const rows = rowsOf(sent);
  const ids = rows.flatMap(({ components }) => components.map(({ custom_id: id }) => id));
  const length = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
  return [
    ...tooLong('content', sent.content, limits.content),
    ...(embeds.length > limits.embeds ? [`${embeds.length} embeds`] : []),
    ...(length > limits.allEmbeds ? [`${length} characters over all embeds`] : []),
    ...(rows.length > limits.rows ? [`${rows.length} rows`] : []),
    ...(new Set(ids).size < ids.length ? ['two controls with one custom id'] : []),
    ...embeds.flatMap(embedBreaches),
    ...rows.flatMap(rowBreaches),
  ];
}

/** The same of a window with a form. */
export function windowBreaches({ title, components }: APIModalInteractionResponseCallbackData): string[] {
  return [
    ...tooLong('title', title, limits.window.title),
    ...(components.length > limits.window.parts ? [`${components.length} parts`] : []),
    ...components.flatMap((part) => {
      if (part.type !== ComponentType.Label) return [`a part of type ${part.type}`];
      const options = 'options' in part.component ? part.component.options : [];
      return [
        ...tooLong('label', part.label, limits.window.label),
        ...tooLong('description', part.description, limits.window.description),
        ...options.flatMap(({ label }) => tooLong('choice', label, limits.choice)),
      ];
    }),
  ];
}
