import type { WindowParts } from '../../support/windows.ts';

export const windows: WindowParts = {
  names: ['roles add'],
  // A figure and a licence of forty letters are never right together.
  refusals: { 'roles add': 'roles.wrong.figure' },
};
