/** Files outside the feature's folders that show roles, with the texts to replace. */
export const removal = { commands: ['roles'], edits: {} };
