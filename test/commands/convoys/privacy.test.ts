import { expect, test } from 'vitest';
import privacy from '../../../commands/people/privacy.ts';
import { UserError } from '../../../src/base/errors.ts';
import { linkProvenDriver } from '../../../src/community/accounts/links.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';

test("only a proved driver's account can show its convoys, and none of a hidden one", async () => {
  const people = peopleInMemory();
  const { hidden, documents } = people;
  const context = contextOf({ ...people, person: { id: '281474976710657001' } });
  const { links } = people.store;
  const offered = async () =>
    rowsOf(await privacy.run({}, context)).flatMap(({ components }) =>
      components.map((each) => each.custom_id),
    );
  const show = () => press(privacy, { action: 'convoys' }, context);
  const hide = () => press(privacy, { action: 'alone' }, context);
  await expect(show()).rejects.toThrow(UserError);
  await links.set(context.person.id, { username: 'Ann', since: 0 });
  expect(await offered()).not.toContain('1:privacy:convoys:');
  await show();
  expect(hidden.findPublicAttendee('Ann')).toBeNull();
  await hide();

  await changeDocuments(documents, (transaction) =>
    linkProvenDriver(transaction, context.person.id, 'Ann', context.now),
  );
  await hidden.refresh();
  expect(hidden.findPublicAttendee('Ann')).toBeNull();
  expect(await offered()).toContain('1:privacy:convoys:');
  await show();
  expect(await offered()).toContain('1:privacy:alone:');
  expect([hidden.findPublicAttendee('ANN'), hidden.findPublicAttendee('Ben')]).toEqual([
    context.person.id,
    null,
  ]);
  await hidden.setPrivacy(context.person.id, { hidden: true });
  expect(hidden.findPublicAttendee('Ann')).toBeNull();
  await hidden.setPrivacy(context.person.id, { hidden: false });
  await hide();
  expect(hidden.findPublicAttendee('Ann')).toBeNull();
});
