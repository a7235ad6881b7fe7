/** Forms: windows of Discord in which a person fills in several things at once. */
import type { TextKey } from '../i18n/translator.ts';
import type { Context, Permission } from './context.ts';
import type { Reply } from './reply.ts';

/** Limit of a text in UTF-16 units: all values together stand in one custom id. */
const MAX_FIELD_LENGTH = 40;

export type ShownField = {
  /** At most 45 characters. */
  readonly label: TextKey;
  /** Below the label; at most 100 characters. */
  readonly hint?: TextKey;
  /** It is shown only if a kept field has that value. Otherwise its value is empty. */
  readonly shownIf?: readonly [kept: string, value: string];
} & (
  | {
      /** A text channel or a role of the guild; `submit` gets its id. */
      readonly kind: 'channel' | 'role';
      readonly optional?: true;
    }
  | {
      /** One of the choices that {@link Form.menus} gives. Its value stands in no custom id: `begin` finds it again. */
      readonly kind: 'menu';
      /** True for a value that may have been a choice when the window opened. */
      readonly accepts: (value: string) => boolean;
    }
  | {
      /** One of them, or any of them or none, which `submit` gets with spaces between them. */
      readonly kind: 'choice' | 'several';
      /** At most 25: value → its text. Values are short, without commas and spaces. */
      readonly choices: Readonly<Record<string, TextKey>>;
      /** Lines of explanation below choices, by their values; at most 100 characters each. */
      readonly explanations?: Readonly<Record<string, TextKey>>;
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
      /** Maximum length of a text that stands in a custom id where not each may have {@link MAX_FIELD_LENGTH}. */
      readonly short?: number;
      /** Accepts several lines. */
      readonly isMultiline?: true;
    }
);
type TextField = Extract<ShownField, { readonly kind: 'text' }>;
/** The id of its subject, which the form keeps from its opening until it is sent. It is not filled in. */
interface KeptField {
  readonly kind: 'kept';
  /** Accepts a missing value, or any number of values. */
  readonly optional?: true;
}
export type Field = ShownField | KeptField;
/** At most five that are shown at once. */
export type Fields = Readonly<Record<string, Field>>;

/** The values of a form that is filled in: every field is required. */
export type Values<F extends Fields = Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly kind: 'choice'; readonly choices: infer Choices }
    ? (keyof Choices & string) | (F[Name] extends { readonly shownIf: unknown } ? '' : never)
    : string;
};

/** Choices of a field that depend on the reader: 1 to 25. Values have no commas. */
export type MenuChoices = readonly { readonly value: string; readonly label: string }[];

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
  /** False: it opens although none of {@link needs} is missing, because the command cannot make sense of one. Reads the store. */
  isEnough?(args: Readonly<Record<string, string | undefined>>, context: Context): Promise<boolean>;
  /** Only buttons open it: its command answers by itself. */
  readonly isForButtons?: true;
  /** The command that does the same with options of these names: after an unknown name, its buttons offer similar ones. */
  readonly sameAs?: string;
  /** The answer replaces the person's own message whose button opened the form. */
  readonly replacesMessage?: true;
  /**
   * The first values. Reads the store, or asks Discord once: it waits three seconds for the window. Throws a UserError for
   * a person whose form would be refused. `args`: the typed options, or what was filled in before.
   */
  begin(context: Context, args: Readonly<Record<string, string | undefined>>): Promise<Partial<Values<F>>>;
  /** The choices of each field of the kind `menu`. `values`: what `begin` has found; nothing if it took too long. */
  menus?(values: Partial<Values>, context: Context): Readonly<Record<string, MenuChoices>>;
  /**
   * A reply in place of the window, such as a menu of what it can be about; null: the window opens. A choice in a menu with
   * the action `form`, or a button's subject, opens it with that as the first of its `subjectOptions`.
   */
  choose?(context: Context, args: Readonly<Record<string, string | undefined>>): Promise<Reply | null>;
  /**
   * Methods, so that all kinds of forms fit one type. `initialValues` is what it held when it opened: what somebody else has
   * changed since then is not to be undone by a field that nobody touched. After a failure the person gets a button
   * that opens the form again with what they had filled in.
   */
  submit(values: Values<F>, context: Context, initialValues: Partial<Values<F>>): Promise<Reply>;
  /**
   * Keeps what was filled in for `begin`, where some of it is refused and therefore missing. Only a form with values that stand in no
   * custom id needs it.
   */
  keep?(values: Partial<Values<F>>, context: Context): Promise<unknown>;
}

/** Lets a form infer its values from its fields. */
export function defineForm<const F extends Fields>(form: Form<F>): Form {
  return form;
}

/** The action in the custom id of a form, and of a button that opens it. */
export const FORM_ACTION = 'form';

/** Without fields that are missing or hold what they do not offer. */
export function readValues(
  { fields }: Pick<Form, 'fields'>,
  texts: Readonly<Record<string, string | undefined>>,
  initialValues: Partial<Values>,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const isHidden = field.kind !== 'kept' && !isShown(field, initialValues);
      if (isHidden) return texts[name] === undefined ? [[name, '']] : [];
      const text = (field.kind === 'kept' ? initialValues : texts)[name];
      // A comma would end it in a custom id.
      const value = field.kind === 'text' && !isStored(field) ? text?.replaceAll(',', ' ') : text;
      return value === undefined || !offers(field, value) ? [] : [[name, value]];
    }),
  );
}

/** False where a field is missing. */
export function isComplete({ fields }: Pick<Form, 'fields'>, values: Partial<Values>): values is Values {
  return Object.keys(fields).every((name) => values[name] !== undefined);
}

/** `initialValues`: those that the form opens with. */
export function isShown(field: Field, initialValues: Partial<Values>): field is ShownField {
  if (field.kind === 'kept' || field.shownIf === undefined) return field.kind !== 'kept';
  const [kept, value] = field.shownIf;
  return initialValues[kept] === value;
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
  if (field?.kind === 'menu') return true;
  if (field?.kind === 'text') return field.long !== undefined;
  return (field?.kind === 'choice' || field?.kind === 'several') && field.stored === true;
}

/** In UTF-16 units. */
export function maxLengthOf({ long, short }: Pick<TextField, 'long' | 'short'>): number {
  return long ?? short ?? MAX_FIELD_LENGTH;
}

function offers(field: Field, value: string): boolean {
  switch (field.kind) {
    case 'choice':
      return Object.hasOwn(field.choices, value);
    case 'several':
      return value === '' || value.split(' ').every((choice) => Object.hasOwn(field.choices, choice));
    case 'text':
      if (value === '' && field.optional !== true) return false;
      return value.length <= maxLengthOf(field) && (isStored(field) || !value.includes(','));
    case 'menu':
      return field.accepts(value);
    case 'channel':
    case 'role':
      return (field.optional === true && value === '') || /^\d{15,20}$/.test(value);
    case 'kept':
      return (field.optional ? /^\d{0,20}$/ : /^\d{15,20}$/).test(value);
  }
}
