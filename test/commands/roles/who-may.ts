import { hiddenToManage, type Row } from '../../support/rights.ts';

export const rows: Readonly<Record<string, readonly Row[]>> = {
  roles: ['list', 'add', 'preview'].map((subcommand) => ({ ...hiddenToManage, subcommand })),
};
