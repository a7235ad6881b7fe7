import { expectTypeOf, test } from 'vitest';
import type { Catalogue, FeatureTextsIn } from '../../src/i18n/translation.ts';

// What is said of types here is checked where types are: by tsc.

test('a text that lacks one of its placeholders, or misspells it, does not compile', () => {
  type Page = Required<Required<Catalogue<'de'>>['card']>['page'];
  expectTypeOf<'{{pages}}: {{page}}'>().toExtend<Page>();
  expectTypeOf<'Seite {{page}}'>().not.toExtend<Page>();
  expectTypeOf<'Seite {{page}} von {{seiten}}'>().not.toExtend<Page>();
});

test('each language has its plural forms and placeholders; “one” may omit the number', () => {
  type Diagnosis<L extends 'de' | 'pl' | 'fr'> = Required<Required<Catalogue<L>>['diagnose']>;
  expectTypeOf<Diagnosis<'pl'>>().toHaveProperty('hits_few');
  expectTypeOf<Diagnosis<'fr'>>().toHaveProperty('hits_many');
  expectTypeOf<Diagnosis<'de'>>().not.toHaveProperty('hits_many');
  expectTypeOf<'{{percent}}: un'>().toExtend<Diagnosis<'fr'>['hits_one']>();
  expectTypeOf<'un'>().not.toExtend<Diagnosis<'fr'>['hits_one']>();
  expectTypeOf<'{{percent}}'>().not.toExtend<Diagnosis<'fr'>['hits_other']>();
});

test("a feature's texts have all English keys, plural forms and placeholders", () => {
  type English = {
    readonly convoy: {
      readonly title: 'Its title';
      readonly in_one: '{{count}} in';
      readonly in_other: '{{count}} in';
    };
  };
  type Polish = FeatureTextsIn<'pl', English>;
  type Forms = {
    readonly in_one: '1';
    readonly in_few: '2';
    readonly in_many: '5';
    readonly in_other: '{{count}}';
  };
  expectTypeOf<{ readonly convoy: Forms & { readonly title: 'Tytuł' } }>().toExtend<Polish>();
  expectTypeOf<{ readonly convoy: Forms }>().not.toExtend<Polish>();
  expectTypeOf<{ readonly convoy: Omit<Forms, 'in_few'> & { readonly title: '' } }>().not.toExtend<Polish>();
  expectTypeOf<{
    readonly convoy: Omit<Forms, 'in_other'> & { readonly title: ''; readonly in_other: '5' };
  }>().not.toExtend<Polish>();
});
