/** Removes alerts from the files outside the feature's folder that show them: each passage, by its beginning and end. */
export const removal = {
  edits: {
    'commands/servers/slots.ts': [
      ['    tell: onSubject(', '\n'],
      ['async function remind(', '\n}\n'],
    ],
    'src/cards/kit/tell-buttons.ts': [
      ["  const id = { command: 'watch'", ' : [];\n', '  return [];\n'],
      ["  const buttons = (['police'", 'buttonRow(...buttons)];\n', '  return [];\n'],
      [
        'import { type ActionRow, type Button, buttonRow }',
        ' from',
        'import type { ActionRow, Button } from',
      ],
      ["  const id = { command: 'slots'", '}];\n', '  return [];\n'],
    ],
  },
};
