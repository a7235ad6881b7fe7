/** Removes convoys from the files outside the feature's folder that show them: each passage, by its beginning and end. */
export const removal = {
  edits: {
    'commands/drivers/profile.ts': [
      ['  const note = ', '\n'],
      ['    note,', '\n'],
      ['/** Returns the number of convoys', '\n}\n'],
    ],
    'commands/guild/settings.ts': [
      ['  options: { convoys: {', '\n', '  options: {},\n'],
      ['{ convoys: role }', ', ', '_args, '],
      ['    if (role !== null)', '\n'],
      ['/** The role that may plan convoys', '\n}\n'],
      ["    labelledFact(\n      t('convoy.", '\n    ),\n'],
      ["/** Everyone's role", '\n}\n'],
      [', convoyRole', ',', ','],
      [' joinParts', ','],
    ],
  },
};
