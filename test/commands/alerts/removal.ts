/** Removes alerts from the files outside the feature's folder that show them: each passage, by its beginning and end. */
export const removal = {
  edits: {
    'commands/servers/slots.ts': [
      ['    tell: onSubject(', '\n'],
      ['async function remind(', '\n}\n'],
    ],
    'src/cards/kit/tell-buttons.ts': [
      ["  const id = { command: 'watch'", ' : [];\n', '  return [];\n'],
      ["  return (['police'", '}));\n', '  return [];\n'],
      ["  const id = { command: 'slots'", '}];\n', '  return [];\n'],
    ],
  },
};
