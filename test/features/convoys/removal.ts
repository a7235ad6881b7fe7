/** Files outside the feature's folders that show convoys, with the texts to replace. */
export const removal = { commands: ['convoy'], edits: {} };
