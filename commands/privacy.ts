import { defineCommand } from '../src/app/command.ts';
import { storedLines } from '../src/cards/about/stored-lines.ts';

export default defineCommand({
  description: 'privacy.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  async run(_args, { store, person, t, now }) {
    const stored = await store.userData.stored(person.id, now);
    const file = JSON.stringify({ account: person.id, ...stored }, withDates, 2);
    return {
      content: [...storedLines(stored, t), '', t('privacy.more')].join('\n'),
      files: [{ name: 'pitwall-privacy.json', text: `${file}\n` }],
    };
  },
});

/** Times as readable dates. */
function withDates(key: string, value: unknown): unknown {
  const isMoment = (key === 'since' || key === 'expires') && typeof value === 'number';
  return isMoment ? new Date(value).toISOString() : value;
}
