import { storedLines } from '../src/cards/about/stored-lines.ts';
import { defineCommand } from '../src/app/command.ts';

export default defineCommand({
  description: 'privacy.description',
  example: 'privacy.example',
  visibility: 'private',
  options: {},

  async run(_args, { personal, person, words, now }) {
    const stored = await personal.stored(person.id, now);
    const file = JSON.stringify({ account: person.id, ...stored }, withDates, 2);
    return {
      content: [...storedLines(stored, words), '', words.text('privacy.more')].join('\n'),
      files: [{ name: 'pitwall-privacy.json', text: `${file}\n` }],
    };
  },
});

/** Moments as people write them down, too. */
function withDates(key: string, value: unknown): unknown {
  const isMoment = (key === 'since' || key === 'expires') && typeof value === 'number';
  return isMoment ? new Date(value).toISOString() : value;
}
