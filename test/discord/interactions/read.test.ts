/** What is asked for by a form that Discord sends in no form that its description has. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createReader } from '../../../src/discord/interactions/read.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { contextOf } from '../../support/context.ts';
import { createTranslators } from '../../support/translators.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
const read = createReader({ commands, english: createTranslators()('en'), clock: systemClock });

test.each([
  ['nothing', null],
  ['no list', 'text'],
  ['rows of null', [null, null]],
  ['a component of null', [{ type: 18, component: null }]],
  ['components of null', [{ type: 1, components: [null] }]],
  ['a list of components that is null', [{ type: 1, components: null }]],
  ['a field without an id', [{ type: 18, component: { type: 4, value: 'x' } }]],
  ['values of null', [{ type: 18, component: { type: 3, custom_id: 'server', values: null } }]],
  ['values that hold null', [{ type: 18, component: { type: 3, custom_id: 'server', values: [null] } }]],
  ['a value of null', [{ type: 18, component: { type: 4, custom_id: 'title', value: null } }]],
])('a form with %s is answered in words', async (_what, components) => {
  const interaction = { kind: 'submission', guild: null, raw: { data: { custom_id: '', components } } };
  interaction.raw.data.custom_id = '1:convoy create:form:,,,,';
  const request = read(interaction as unknown as Parameters<typeof read>[0]);
  if (request?.kind !== 'reply') throw new Error('no reply is asked for');
  const outcome = await request.run(contextOf()).then(
    () => 'answered',
    (error: Error) => error.name,
  );
  expect(['answered', 'UserError']).toContain(outcome);
});
