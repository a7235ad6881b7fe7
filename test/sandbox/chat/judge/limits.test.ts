import { expect } from 'vitest';
import { complaintsAt, test } from '../support/chat-test.ts';

const long = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

const embed = (part: object) => ({ embeds: [part] });
const field = (part: object) => embed({ fields: [{ name: 'n', value: 'v', ...part }] });
const row = (...components: object[]) => ({ content: 'x', components: [{ type: 1, components }] });
const button = (part: object = {}) => ({ type: 2, style: 1, label: 'b', custom_id: 'b', ...part });
const option = (part: object = {}) => ({ label: 'l', value: 'v', ...part });
const menu = (part: object = {}) => ({ type: 3, custom_id: 'm', options: [option()], ...part });

/** What is refused: the path of the wrong field, and what is wrong with it. */
const REFUSED: readonly (readonly [what: string, body: object, path: string, code: string])[] = [
  ['content over 2000', { content: long(2001) }, 'content', 'BASE_TYPE_MAX_LENGTH'],
  ['eleven embeds', { embeds: times(11, () => ({ title: 't' })) }, 'embeds', 'BASE_TYPE_BAD_LENGTH'],
  ['a title over 256', embed({ title: long(257) }), 'embeds.0.title', 'BASE_TYPE_MAX_LENGTH'],
  [
    'a description over 4096',
    embed({ description: long(4097) }),
    'embeds.0.description',
    'BASE_TYPE_MAX_LENGTH',
  ],
  ['an empty embed', embed({ color: 1 }), 'embeds.0.description', 'BASE_TYPE_REQUIRED'],
  ['an embed of white space', embed({ title: ' \n ' }), 'embeds.0.description', 'BASE_TYPE_REQUIRED'],
  [
    '26 fields',
    embed({ fields: times(26, () => ({ name: 'n', value: 'v' })) }),
    'embeds.0.fields',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['a field name over 256', field({ name: long(257) }), 'embeds.0.fields.0.name', 'BASE_TYPE_BAD_LENGTH'],
  ['an empty field name', field({ name: '' }), 'embeds.0.fields.0.name', 'BASE_TYPE_REQUIRED'],
  [
    'a field value over 1024',
    field({ value: long(1025) }),
    'embeds.0.fields.0.value',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['a field without a value', field({ value: undefined }), 'embeds.0.fields.0.value', 'BASE_TYPE_REQUIRED'],
  [
    'a footer over 2048',
    embed({ footer: { text: long(2049) } }),
    'embeds.0.footer.text',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'an author over 256',
    embed({ author: { name: long(257) } }),
    'embeds.0.author.name',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'more than 6000 over all embeds',
    { embeds: [{ description: long(4096) }, { description: long(1900), title: long(5) }] },
    'embeds',
    'MAX_EMBED_SIZE_EXCEEDED',
  ],
  [
    'a link to javascript',
    embed({ title: 't', url: 'javascript:alert(1)' }),
    'embeds.0.url',
    'URL_TYPE_INVALID_SCHEME',
  ],
  [
    'a picture without a scheme',
    embed({ thumbnail: { url: '//x.test/de.png' } }),
    'embeds.0.thumbnail.url',
    'URL_TYPE_INVALID_URL',
  ],
  ['a colour that is none', embed({ title: 't', color: 0x1000000 }), 'embeds.0.color', 'NUMBER_TYPE_MAX'],
  [
    'a time that is none',
    embed({ title: 't', timestamp: 'soon' }),
    'embeds.0.timestamp',
    'DATE_TIME_TYPE_PARSE',
  ],
  [
    'six rows',
    { content: 'x', components: times(6, (i) => ({ type: 1, components: [button({ custom_id: `${i}` })] })) },
    'components',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'six buttons in a row',
    row(...times(6, (i) => button({ custom_id: `${i}` }))),
    'components.0.components',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['an empty row', row(), 'components.0.components', 'BASE_TYPE_BAD_LENGTH'],
  [
    'a label over 80',
    row(button({ label: long(81) })),
    'components.0.components.0.label',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a button that says nothing',
    row(button({ label: '' })),
    'components.0.components.0.label',
    'BUTTON_COMPONENT_REQUIRES_LABEL_OR_EMOJI',
  ],
  [
    'a custom id over 100',
    row(button({ custom_id: long(101) })),
    'components.0.components.0.custom_id',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'a custom id twice',
    row(button(), button()),
    'components.0.components.1.custom_id',
    'COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'an emoji that is none',
    row(button({ emoji: { name: 'car' } })),
    'components.0.components.0.emoji.name',
    'COMPONENT_INVALID_EMOJI',
  ],
  [
    '26 options',
    row(menu({ options: times(26, (i) => option({ value: `${i}` })) })),
    'components.0.components.0.options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  ['no options', row(menu({ options: [] })), 'components.0.components.0.options', 'BASE_TYPE_BAD_LENGTH'],
  [
    'an option label over 100',
    row(menu({ options: [option({ label: long(101) })] })),
    'components.0.components.0.options.0.label',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'an option value over 100',
    row(menu({ options: [option({ value: long(101) })] })),
    'components.0.components.0.options.0.value',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'an option value twice',
    row(menu({ options: [option(), option()] })),
    'components.0.components.0.options.1.value',
    'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
  ],
  [
    'a placeholder over 150',
    row(menu({ placeholder: long(151) })),
    'components.0.components.0.placeholder',
    'BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a menu beside a button',
    row(menu(), button()),
    'components.0.components',
    'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  ],
  [
    'everybody and some at once',
    { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
    'allowed_mentions',
    'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
  ],
];

test.for(REFUSED)('%s is refused at its path', async ([, body, path, code], { ask, channel }) => {
  const told = await ask('POST', `/channels/${channel}/messages`, body);
  expect([told.status, told.body.code]).toEqual([400, 50035]);
  expect(complaintsAt(told, path)).toContain(code);
});

/** What just fits, and what reads like a mistake but is none. */
const ACCEPTED: readonly (readonly [what: string, body: object])[] = [
  ['content of 2000', { content: long(2000) }],
  ['2000 characters beyond the basic plane', { content: '🏁'.repeat(2000) }],
  ['6000 over two embeds', { embeds: [{ description: long(4096) }, { description: long(1904) }] }],
  ['25 fields of a character', embed({ fields: times(25, () => ({ name: '​', value: 'v' })) })],
  [
    'five rows of five buttons',
    {
      content: 'x',
      components: times(5, (r) => ({
        type: 1,
        components: times(5, (c) => button({ custom_id: `${r}${c}` })),
      })),
    },
  ],
  ['a menu of 25', row(menu({ options: times(25, (i) => option({ value: `${i}` })) }))],
  ['a custom id of 100', row(button({ custom_id: long(100) }))],
  ['an emoji and no label', row(button({ label: undefined, emoji: { name: '🔄' } }))],
  [
    'null for what is left out',
    { content: null, embeds: [{ title: 't', description: null, footer: null }], components: null },
  ],
  ['a link button', row({ type: 2, style: 5, label: 'l', url: 'https://x.test' })],
];

test.for(ACCEPTED)('%s is accepted', async ([, body], { ask, channel }) => {
  const told = await ask('POST', `/channels/${channel}/messages`, body);
  expect(told.body.errors).toBeUndefined();
  expect(told.status).toBe(200);
});

test.for([
  ['nothing', {}],
  ['white space', { content: ' \n' }],
  ['buttons alone', { ...row(button()), content: '' }],
] as const)('%s is an empty message', async ([, body], { ask, channel }) => {
  expect((await ask('POST', `/channels/${channel}/messages`, body)).body.code).toBe(50006);
});

test('an edit may not empty a message', async ({ ask, channel }) => {
  const { body } = await ask('POST', `/channels/${channel}/messages`, {
    content: 'x',
    embeds: [{ title: 't' }],
  });
  const edit = (change: object) => ask('PATCH', `/channels/${channel}/messages/${body.id}`, change);
  expect((await edit({ content: '' })).status).toBe(200);
  expect((await edit({ embeds: [] })).body.code).toBe(50006);
});
