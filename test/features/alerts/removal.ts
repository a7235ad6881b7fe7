/** Files outside the feature's folders that show alerts, with the texts to replace. */
export const removal = { commands: ['watch'], edits: {} };
