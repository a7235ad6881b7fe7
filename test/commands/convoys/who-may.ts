import { onGuild, type Row, toManage } from '../../support/rights.ts';

export const rows: Readonly<Record<string, readonly Row[]>> = {
  // Words tell who may plan one; where nothing is planned there is nothing to refuse.
  convoy: [{ ...onGuild, subcommand: 'list' }],
  settings: [{ ...toManage, options: ({ role }) => ({ convoys: role }) }],
};
