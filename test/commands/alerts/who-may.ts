import { lookUp, type Row } from '../../support/rights.ts';

export const rows: Readonly<Record<string, readonly Row[]>> = {
  watch: ['driver', 'list'].map((subcommand) => ({ ...lookUp, subcommand })),
};
