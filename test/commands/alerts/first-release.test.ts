import { expect } from 'vitest';
import { openFirst, test } from '../../store/sqlite/support.ts';

test('keeps the alerts of version 1.0.0', async ({ place }) => {
  const { stored } = await openFirst(place);
  expect(await stored('281474976710657001')).toMatchObject({
    watches: [{ id: 'aaaaaa' }, { id: 'bbbbbb' }],
    pauseNotice: 'closed',
  });
});
