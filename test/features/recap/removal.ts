/** Files outside the feature's folders that show recap, with the texts to replace. */
export const removal = { commands: ['recap'], edits: {} };
