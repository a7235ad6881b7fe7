import { zoneSaved } from '../../src/cards/history/reader-zone.ts';
import { defineFormCommand } from '../../src/command-kit/command.ts';
import { saveTypedZone } from '../../src/command-kit/command-options/time-zone.ts';
import { defineForm } from '../../src/command-kit/form.ts';

/** Buttons below cards that show hours open its form, too. */
export default defineFormCommand({
  description: 'timezone.description',
  topic: 'yours',
  visibility: 'private',
  form: defineForm({
    title: 'timezone.title',
    fields: { zone: { kind: 'text', label: 'timezone.label', hint: 'timezone.hint' } },
    async begin({ store, person }) {
      const zone = await store.timeZones.of(person.id);
      return zone === null ? {} : { zone };
    },
    async submit({ zone: typed }, context) {
      const zone = await saveTypedZone(typed, context);
      return { content: zoneSaved(typed, zone, context.sentAt, context.t) };
    },
  }),
});
