/** Draws nothing: answers with the names in its environment. */
process.on('disconnect', () => process.exit());
process.on('message', () =>
  process.send?.({ kind: 'drawn', png: new TextEncoder().encode(Object.keys(process.env).join(' ')) }),
);
