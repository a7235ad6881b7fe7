import { UserError } from '../src/base/errors.ts';
import { zoneSaved } from '../src/cards/history/reader-zone.ts';
import { defineFormCommand } from '../src/command-kit/command.ts';
import { typedZone } from '../src/command-kit/command-options/time-zone.ts';
import { defineForm } from '../src/command-kit/form.ts';

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
    async submit({ zone: typed }, { store, features, person, t, sentAt }) {
      const zone = typedZone(typed, t);
      if (zone === null) throw new UserError(t('input.timezone'));
      await store.timeZones.set(person.id, zone);
      await features.alerts.moveTo(person.id, zone);
      return { content: zoneSaved(zone, sentAt, t) };
    },
  }),
});
