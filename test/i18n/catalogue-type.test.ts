import { expectTypeOf, test } from 'vitest';
import type { Catalogue } from '../../src/i18n/translation.ts';

// What is said of types here is checked where types are: by tsc.

test('a text that lacks one of its placeholders, or misspells it, does not compile', () => {
  type Page = Required<Required<Catalogue<'de'>>['card']>['page'];
  expectTypeOf<'{{pages}}: {{page}}'>().toExtend<Page>();
  expectTypeOf<'Seite {{page}}'>().not.toExtend<Page>();
  expectTypeOf<'Seite {{page}} von {{seiten}}'>().not.toExtend<Page>();
});

test('each language has its plural forms and placeholders; “one” may omit the number', () => {
  type Room<L extends 'de' | 'pl' | 'fr'> = Required<Required<Catalogue<L>>['slots']>;
  expectTypeOf<Room<'pl'>>().toHaveProperty('hasRoom_few');
  expectTypeOf<Room<'fr'>>().toHaveProperty('hasRoom_many');
  expectTypeOf<Room<'de'>>().not.toHaveProperty('hasRoom_many');
  expectTypeOf<'{{server}}: un'>().toExtend<Room<'fr'>['hasRoom_one']>();
  expectTypeOf<'un'>().not.toExtend<Room<'fr'>['hasRoom_one']>();
  expectTypeOf<'{{server}}'>().not.toExtend<Room<'fr'>['hasRoom_other']>();
});
