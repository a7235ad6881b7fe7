/** Removes alerts from the files outside the feature's folder that show them: each passage, by its beginning and end. */
export const removal = {
  edits: {
    'commands/servers/slots.ts': [
      ['    tell: onSubject(', '\n'],
      ['/** Sets a reminder;', '\n}\n'],
      ['import { z }', '\n'],
      ['import { HOUR }', '\n'],
      ['import { UserError }', '\n'],
      ['import { freeSlots', '\n'],
      [', onSubject', ' ', ' '],
      ['isFull, ', 'slotsCard', 'slotsCard'],
      ['/** Time for which', ';\n\n'],
    ],
    'src/cards/kit/tell-buttons.ts': [
      ["  const id = { command: 'watch'", ' : [];\n', '  return [];\n'],
      ["  const buttons = (['police'", 'buttonRow(...buttons)];\n', '  return [];\n'],
      [
        'import { type ActionRow, type Button, buttonRow }',
        ' from',
        'import type { ActionRow, Button } from',
      ],
      ['import { fitsCustomId }', '\n'],
      ["  const id = { command: 'slots'", '}];\n', '  return [];\n'],
    ],
  },
};
