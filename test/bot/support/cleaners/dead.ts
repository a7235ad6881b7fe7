/** Ends without an answer. */
process.once('message', () => process.exit(1));
