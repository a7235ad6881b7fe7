import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createCardEditor } from '../../../src/discord/send/edit-card.ts';

const log = createLog({ level: 'silent', secrets: [] });

test('a card is changed by its own token, and what is written there pings nobody', async () => {
  const sent: unknown[] = [];
  const patch = async (...request: unknown[]) => sent.push(request);
  await createCardEditor({ patch }, log)('12/secret', { content: '@everyone', components: [] });
  expect(sent).toEqual([
    [
      '/webhooks/12/secret/messages/@original',
      { body: { content: '@everyone', components: [], allowed_mentions: { parse: [] } }, auth: false },
    ],
  ]);
});

test('a card that is gone fails nothing', async () => {
  const edit = createCardEditor({ patch: () => Promise.reject(new Error('gone')) }, log);
  await expect(edit('12/secret', { content: '', components: [] })).resolves.toBeUndefined();
});
