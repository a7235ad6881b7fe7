/** What the real one answers where its library is not installed. */
process.on('disconnect', () => process.exit());
process.on('message', () => process.send?.({ kind: 'missing', why: 'Cannot find package' }));
