/** Modals: judged as Discord judges them, and filled in as its client lets people do. */

import {
  ButtonStyle,
  ChannelType,
  ComponentType,
  type Interaction,
  InteractionResponseType,
} from 'discord.js';
import { describe, expect } from 'vitest';
import { type Told, test } from '../support/chat-test.ts';

const options = [
  { label: 'One', value: 'one', default: true },
  { label: 'Two', value: 'two' },
];
const choice = { type: ComponentType.StringSelect, custom_id: 'choice', options };
const place = {
  type: ComponentType.ChannelSelect,
  custom_id: 'place',
  channel_types: [ChannelType.GuildText],
};
/** Choices with the values `v0`, `v1` …; `more`: what each of them has, too. */
const choices = (count: number, more: object) =>
  Array.from({ length: count }, (_, at) => ({ label: `Choice ${at}`, value: `v${at}`, ...more }));
const radios = (count: number, more: object = {}) => ({
  type: ComponentType.RadioGroup,
  custom_id: 'radios',
  options: choices(count, more),
});
const boxes = (count: number) => ({
  type: ComponentType.CheckboxGroup,
  custom_id: 'boxes',
  options: choices(count, {}),
});
const label = (component: object, more: object = {}) => ({
  type: ComponentType.Label,
  label: 'A field',
  component,
  ...more,
});
const form = (components: readonly object[], more: object = {}) => ({
  custom_id: 'form',
  title: 'A form',
  components,
  ...more,
});

describe('a modal', () => {
  test.for<[string, object, RegExp]>([
    ['without a title', form([label(choice)], { title: '' }), /title/],
    ['with a long title', form([label(choice)], { title: 'x'.repeat(46) }), /title/],
    ['without fields', form([]), /components/],
    [
      'with six fields',
      form(Array.from({ length: 6 }, (_, at) => label({ ...choice, custom_id: `${at}` }))),
      /components/,
    ],
    ['with a long label', form([label(choice, { label: 'x'.repeat(46) })]), /label/],
    ['with a long description', form([label(choice, { description: 'x'.repeat(101) })]), /description/],
    ['with one id twice', form([label(choice), label(choice)]), /COMPONENT_CUSTOM_ID_DUPLICATED/],
    ['with a menu that is disabled', form([label({ ...choice, disabled: true })]), /disabled|CHOICES/],
    ['with a menu without options', form([label({ ...choice, options: [] })]), /options/],
    ['with a row of buttons', form([{ type: ComponentType.ActionRow, components: [] }]), /components/],
    ['with one choice in a radio group', form([label(radios(1))]), /options.*between 2 and 10/],
    ['with eleven choices in a radio group', form([label(radios(11))]), /options.*between 2 and 10/],
    ['with two first choices in a radio group', form([label(radios(2, { default: true }))]), /DEFAULTS/],
    ['with a value twice in a radio group', form([label(radios(2, { value: 'same' }))]), /DUPLICATED/],
    ['with a long line below a choice', form([label(radios(2, { description: 'x'.repeat(101) }))]), /descr/],
    ['with a radio group beside its label', form([radios(2)]), /components/],
    ['with no choice in a checkbox group', form([label(boxes(0))]), /options.*between 1 and 10/],
    ['with eleven choices in a checkbox group', form([label(boxes(11))]), /options.*between 1 and 10/],
    ['with more to tick than there is', form([label({ ...boxes(2), max_values: 3 })]), /max_values/],
    ['with nothing to tick that is required', form([label({ ...boxes(2), min_values: 0 })]), /required/],
    ['with a box without an id', form([label({ type: ComponentType.Checkbox })]), /custom_id/],
  ])('%s is refused', async ([, data, why], { answer, ask, visitor, channel }) => {
    const told = answerWith(data, answer, ask);
    void visitor.invoke(channel, 'profile', player);
    const refused = await told;
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toMatch(why);
  });

  test('is filled in: what is not touched stays, what is not offered cannot be chosen', async ({
    answer,
    ask,
    visitor,
    channel,
  }) => {
    const told = answerWith(form([label(choice), label(place)]), answer, ask);
    const { acknowledged, interactionId } = await visitor.invoke(channel, 'profile', player);
    expect((await told).status).toBe(204);
    expect(acknowledged).toBe('form');
    await expect(visitor.submit(interactionId, { choice: 'three' })).rejects.toThrow(/does not offer/);
    await expect(visitor.submit(interactionId, { other: 'x' })).rejects.toThrow(/no field/);
    await expect(visitor.submit(interactionId, {})).rejects.toThrow(/place is required/);
    await expect(visitor.submit('1', {})).rejects.toThrow(/no form/);

    const read = Promise.withResolvers<unknown>();
    answer(async (interaction) => {
      if (!interaction.isModalSubmit()) return;
      const { fields } = interaction;
      const picked = fields.getSelectedChannels('place')?.map(({ id }) => id);
      read.resolve([interaction.customId, fields.getStringSelectValues('choice'), picked]);
      await interaction.reply('thanks');
    });
    const done = await visitor.submit(interactionId, { place: channel });
    expect(await read.promise).toEqual(['form', ['one'], [channel]]);
    expect(done).toMatchObject({ acknowledged: 'replied', message: { content: 'thanks' } });
  });

  test('with groups and a box to tick is answered in the shape of each', async ({
    answer,
    ask,
    visitor,
    channel,
  }) => {
    const optional = { ...radios(2), custom_id: 'optional', required: false };
    const box = { type: ComponentType.Checkbox, custom_id: 'box' };
    const ticked = { ...box, custom_id: 'ticked', default: true };
    const told = answerWith(
      form([radios(10), optional, boxes(3), box, ticked].map((component) => label(component))),
      answer,
      ask,
    );
    const { interactionId } = await visitor.invoke(channel, 'profile', player);
    expect((await told).status).toBe(204);
    await expect(visitor.submit(interactionId, { boxes: 'v0' })).rejects.toThrow(/radios is required/);
    const chosen = { radios: 'v9', boxes: ['v2', 'v0'] };
    await expect(visitor.submit(interactionId, { ...chosen, radios: 'v10' })).rejects.toThrow(
      /not offer v10/,
    );
    await expect(visitor.submit(interactionId, { ...chosen, radios: ['v1', 'v2'] })).rejects.toThrow(
      /1 to 1/,
    );
    await expect(visitor.submit(interactionId, { ...chosen, boxes: 'v3' })).rejects.toThrow(/not offer v3/);

    const read = Promise.withResolvers<unknown>();
    answer(async (interaction) => {
      if (!interaction.isModalSubmit()) return;
      const { fields } = interaction;
      read.resolve([
        fields.getRadioGroup('radios', true),
        fields.getRadioGroup('optional'),
        fields.getCheckboxGroup('boxes'),
        fields.getCheckbox('box'),
        fields.getCheckbox('ticked'),
      ]);
      await interaction.reply('thanks');
    });
    await visitor.submit(interactionId, chosen);
    expect(await read.promise).toEqual(['v9', null, ['v2', 'v0'], false, true]);
  });

  test('of the older form, rows of one text input, is filled in and comes back as rows', async ({
    answer,
    ask,
    visitor,
    channel,
  }) => {
    const row = {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.TextInput, custom_id: 'name', style: 1, label: 'A name' }],
    };
    const told = answerWith(form([row]), answer, ask);
    const { interactionId } = await visitor.invoke(channel, 'profile', player);
    expect((await told).status).toBe(204);
    const read = Promise.withResolvers<unknown>();
    answer(async (interaction) => {
      if (!interaction.isModalSubmit()) return;
      const [first] = interaction.components;
      read.resolve([first?.type, interaction.fields.getTextInputValue('name')]);
      await interaction.reply('thanks');
    });
    await visitor.submit(interactionId, { name: 'Ann' });
    expect(await read.promise).toEqual([ComponentType.ActionRow, 'Ann']);
  });

  test('with a menu of several takes as many as it allows, or none if it may be empty', async ({
    answer,
    ask,
    visitor,
    channel,
  }) => {
    const more = { ...choice, custom_id: 'more', required: false, min_values: 0, max_values: 2 };
    void answerWith(form([label(choice), label(more)]), answer, ask);
    const { interactionId } = await visitor.invoke(channel, 'profile', player);
    await expect(visitor.submit(interactionId, { choice: ['one', 'two'] })).rejects.toThrow(/takes 1 to 1/);
    await expect(visitor.submit(interactionId, { more: ['one', 'x'] })).rejects.toThrow(/does not offer x/);
    const read = Promise.withResolvers<unknown>();
    answer(async (interaction) => {
      if (!interaction.isModalSubmit()) return;
      read.resolve(interaction.fields.getStringSelectValues('more'));
      await interaction.reply('thanks');
    });
    await visitor.submit(interactionId, { more: ['two', 'one'] });
    expect(await read.promise).toEqual(['two', 'one']);
  });

  test('that a button opened may change its message; one of a command has none to change', async ({
    answer,
    ask,
    visitor,
    channel,
  }) => {
    const button = {
      type: ComponentType.Button,
      style: ButtonStyle.Primary,
      label: 'Open',
      custom_id: 'open',
    };
    const components = [{ type: ComponentType.ActionRow, components: [button] }];
    answer(async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ content: 'before', components });
    });
    const { message } = await visitor.invoke(channel, 'profile', player);
    const data = form([label(choice)]);
    void answerWith(data, answer, ask);
    const pressed = await visitor.press(message?.id ?? '', 'open');
    void answerWith(data, answer, ask);
    const invoked = await visitor.invoke(channel, 'profile', player);

    const told: Told[] = [];
    answer(async ({ id, token }) => {
      const body = { type: InteractionResponseType.UpdateMessage, data: { content: 'after' } };
      told.push(await ask('POST', `/interactions/${id}/${token}/callback`, body));
    });
    const changed = await visitor.submit(pressed.interactionId, {});
    expect(changed).toMatchObject({
      acknowledged: 'updated',
      message: { id: message?.id, content: 'after' },
    });
    void visitor.submit(invoked.interactionId, {});
    await expect.poll(() => told.map(({ status }) => status)).toEqual([204, 400]);
  });
});

const player = [{ name: 'player', value: 'speedy' }];

/** What Discord says to a modal with this data, in answer to the next interaction. */
function answerWith(
  data: object,
  answer: (handler: (interaction: Interaction) => Promise<unknown>) => void,
  ask: (method: string, path: string, body?: unknown) => Promise<Told>,
): Promise<Told> {
  const told = Promise.withResolvers<Told>();
  answer(async ({ id, token }) => {
    const body = { type: InteractionResponseType.Modal, data };
    told.resolve(await ask('POST', `/interactions/${id}/${token}/callback`, body));
  });
  return told.promise;
}
