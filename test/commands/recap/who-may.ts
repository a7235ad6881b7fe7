import { lookUp, ofAnother, type Row } from '../../support/rights.ts';

export const rows: Readonly<Record<string, readonly Row[]>> = {
  recap: [lookUp, { ...ofAnother, options: ({ place }) => ({ post: place }) }],
};
