/** Could not change the copy, and may be able to later. */
process.once('message', () => process.send?.([{ copy: 'busy', why: 'locked', mayPass: true }]));
