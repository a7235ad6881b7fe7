/** Never answers. */
process.on('disconnect', () => process.exit());
process.on('message', () => {});
