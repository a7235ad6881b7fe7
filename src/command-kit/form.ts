/** Forms: windows of Discord in which a person fills in several things at once. */
import type { TextKey } from '../i18n/translator.ts';
import type { Context, Permission } from './context.ts';
import type { Reply } from './reply.ts';

/** Limit of a text in UTF-16 units: all values together stand in one custom id. */
export const MAX_FIELD_LENGTH = 40;

export type ShownField = {
  /** At most 45 characters. */
  readonly label: TextKey;
  /** Below the label; at most 100 characters. */
  readonly hint?: TextKey;
} & (
  | {
      /** A text channel or a role of the guild; `submit` gets its id. */
      readonly kind: 'channel' | 'role';
    }
  | {
      /** One of them, or any of them or none, which `submit` gets with spaces between them. */
      readonly kind: 'choice' | 'several';
      /** At most 25: value → its text. Values are short, without commas and spaces. */
      readonly choices: Readonly<Record<string, TextKey>>;
      /** The value stands in no custom id: `begin` finds it again. */
      readonly stored?: true;
    }
  | {
      /** A short text, without commas. */
      readonly kind: 'text';
      /** True if the field may stay empty. */
      readonly optional?: true;
      /** Maximum length in characters of a text that stands in no custom id: `begin` finds it again. */
      readonly long?: number;
      /** Accepts several lines. */
      readonly isMultiline?: true;
    }
);
/** The id of its subject, which the form keeps from its opening until it is sent. It is not filled in. */
interface KeptField {
  readonly kind: 'kept';
  /** Accepts a missing value, or any number of values. */
  readonly optional?: true;
}
export type Field = ShownField | KeptField;
/** At most five that are shown. */
export type Fields = Readonly<Record<string, Field>>;

/** The values of a form that is filled in: every field is required. */
export type Values<F extends Fields = Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly kind: 'choice'; readonly choices: infer Choices }
    ? keyof Choices & string
    : string;
};

export interface Form<F extends Fields = Fields> {
  /** At most 45 characters. */
  readonly title: TextKey;
  readonly fields: F;
  /** Required where its command does not require it. Anyone else gets the command's own answer. */
  readonly permission?: Permission;
  /** Options of its command that say what it is about; it opens where no others are given. */
  readonly subjectOptions?: readonly string[];
  /** Options of its command that its answer needs: the form opens if one is missing, with what was typed. */
  readonly needs?: readonly string[];
  /** The answer replaces the person's own message whose button opened the form. */
  readonly replacesMessage?: true;
  /**
   * The first values. Reads the store, or asks Discord once: it waits three seconds for the window. Throws a UserError for
   * a person whose form would be refused. `args`: the typed options, or what was filled in before.
   */
  begin(context: Context, args: Readonly<Record<string, string | undefined>>): Promise<Partial<Values<F>>>;
  /**
   * A reply in place of the window, such as a menu of what it can be about; null: the window opens. A choice in a menu with
   * the action `form` opens it with the choice as the first of its `subjectOptions`.
   */
  choose?(context: Context, args: Readonly<Record<string, string | undefined>>): Promise<Reply | null>;
  /**
   * Methods, so that all kinds of forms fit one type. `initialValues` is what it held when it opened: what somebody else has
   * changed since then is not to be undone by a field that nobody touched. After a failure the person gets a button
   * that opens the form again with what they had filled in.
   */
  submit(values: Values<F>, context: Context, initialValues: Partial<Values<F>>): Promise<Reply>;
}

/** Lets a form infer its values from its fields. */
export function defineForm<const F extends Fields>(form: Form<F>): Form {
  return form;
}

/** The action in the custom id of a form, and of a button that opens it. */
export const FORM_ACTION = 'form';

/** Null where a field is missing or holds what it does not offer. */
export function readValues(
  { fields }: Pick<Form, 'fields'>,
  texts: Readonly<Record<string, string | undefined>>,
  initialValues: Partial<Values>,
): Values | null {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = (field.kind === 'kept' ? initialValues : texts)[name] ?? '';
      // A comma would end it in a custom id.
      return [name, field.kind === 'text' && !isStored(field) ? value.replaceAll(',', ' ') : value];
    }),
  );
  return Object.entries(fields).every(([name, field]) => offers(field, values[name] ?? '')) ? values : null;
}

/** The values as the subject of a custom id, so that they survive a restart. */
export function valuesInSubject({ fields }: Pick<Form, 'fields'>, values: Partial<Values>): string {
  return Object.keys(fields)
    .map((name) => (isStored(fields[name]) ? '' : (values[name] ?? '')))
    .join(',');
}

/** Only choices that the form still offers. */
export function valuesFromSubject({ fields }: Pick<Form, 'fields'>, subject: string): Partial<Values> {
  const texts = subject.split(',');
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field], index) => {
      const text = texts[index] ?? '';
      return isStored(field) || !offers(field, text) ? [] : [[name, text]];
    }),
  );
}

function isStored(field: Field | undefined): boolean {
  if (field?.kind === 'text') return field.long !== undefined;
  return (field?.kind === 'choice' || field?.kind === 'several') && field.stored === true;
}

function offers(field: Field, value: string): boolean {
  switch (field.kind) {
    case 'choice':
      return Object.hasOwn(field.choices, value);
    case 'several':
      return value === '' || value.split(' ').every((choice) => Object.hasOwn(field.choices, choice));
    case 'text':
      return value.length <= (field.long ?? MAX_FIELD_LENGTH) && (isStored(field) || !value.includes(','));
    case 'channel':
    case 'role':
      return /^\d{15,20}$/.test(value);
    case 'kept':
      return (field.optional ? /^\d{0,20}$/ : /^\d{15,20}$/).test(value);
  }
}
