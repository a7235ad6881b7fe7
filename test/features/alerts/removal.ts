/** Removes alerts from the files outside the feature's folder that show them: each passage, by its beginning and end. */
export const removal = {
  commands: ['watch'],
  edits: {
    'commands/privacy.ts': [
      ['    forbid: onPress(', '\n    }),\n'],
      ['    permit: onPress(', '\n    }),\n'],
      ['    link && watching(', '\n'],
      ['function watching(', '\n}\n'],
    ],
    'commands/slots.ts': [
      ['import { reminderSetText }', '\n'],
      ['    tell: onSubject(', '\n'],
      ['{ ...unsure, buttonOf:', '}', 'unsure'],
      ['function reminderButton(', '\n}\n'],
      ['async function remind(', '\n}\n'],
    ],
  },
};
