import type { Where } from '../../cards/history/history-card.ts';
import type { ChoiceOption } from '../option.ts';
import { liveServerChoices } from './live-server-choices.ts';

/** One of the servers with a live file; without it, all of them together. */
export const whereOption = {
  kind: 'choice',
  description: 'history.options.server',
  required: false,
  choices: {
    all: 'history.everywhere',
    ...liveServerChoices,
  },
} as const satisfies ChoiceOption & { readonly choices: Readonly<Record<Where, string>> };
