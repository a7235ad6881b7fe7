import { liveServerChoices } from './live-server-choices.ts';

/** The servers that the overview knows, of which some have a live file. */
export const serverChoices = {
  ...liveServerChoices,
  events: 'server.events',
  training: 'server.training',
} as const;
