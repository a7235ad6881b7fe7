import type { APIModalSubmission } from 'discord-api-types/v10';
import type { Interaction } from './interaction.ts';

type Field = Extract<APIModalSubmission['components'][number], { component: unknown }>['component'];

/** The fields of a window that was filled in. */
export function fieldsIn({ raw: { data } }: Interaction<'submission'>): readonly Field[] {
  return data.components.flatMap((row): readonly Field[] => {
    if ('component' in row) return [row.component];
    return 'components' in row ? row.components : [];
  });
}
