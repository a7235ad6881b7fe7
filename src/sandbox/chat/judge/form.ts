/** Validates a body and reports errors as Discord does: code 50035 with the path of each field. */
import { RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import { ApiError } from '../api-error.ts';
import { isSnowflake } from '../snowflake.ts';

/** The parsed body; throws an {@link ApiError} 50035 with every invalid field. */
export function readForm<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidForm(
    result.error.issues.flatMap((issue) =>
      leaves(issue).map((leaf) => ({ path: leaf.path, ...worded(leaf) })),
    ),
  );
}

interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly message: string;
}

/** Field path → errors, in Discord's nested form. */
export function invalidForm(complaints: readonly Complaint[]): ApiError {
  const errors = nest(complaints, 0);
  return new ApiError(400, RESTJSONErrorCodes.InvalidFormBodyOrContentType, 'Invalid Form Body', { errors });
}

function nest(complaints: readonly Complaint[], depth: number): Readonly<Record<string, unknown>> {
  const here = complaints.filter(({ path }) => path.length === depth);
  const below = Map.groupBy(
    complaints.filter(({ path }) => path.length > depth),
    ({ path }) => String(path[depth]),
  );
  return {
    ...(here.length > 0 && { _errors: here.map(({ code, message }) => ({ code, message })) }),
    ...Object.fromEntries([...below].map(([step, inner]) => [step, nest(inner, depth + 1)])),
  };
}

type Issue = z.core.$ZodIssue;

/** A failed union has one error per member; of the members of its `type`, the one that got furthest is the intended one. */
function leaves(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  const isOfType = (issues: readonly Issue[]) =>
    !issues.some(({ code, path }) => code === 'invalid_value' && path.length === 1 && path[0] === 'type');
  const [meant] = [...issue.errors].sort(
    (a, b) => Number(isOfType(b)) - Number(isOfType(a)) || depth(b) - depth(a),
  );
  return (meant ?? []).flatMap((inner) => leaves({ ...inner, path: [...issue.path, ...inner.path] }));
}

function worded(issue: Issue): { readonly code: string; readonly message: string } {
  if (issue.code === 'custom' && typeof issue.params?.['code'] === 'string')
    return { code: issue.params['code'], message: issue.message };
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  if (issue.code === 'invalid_type')
    return { code: 'BASE_TYPE_CONVERT', message: `Could not interpret the value as ${issue.expected}.` };
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union')
    return { code: 'BASE_TYPE_CHOICES', message: 'Value is not one of the allowed choices.' };
  if ((issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'array')
    return { code: 'BASE_TYPE_BAD_LENGTH', message: issue.message };
  if (issue.code === 'too_big')
    return {
      code: 'NUMBER_TYPE_MAX',
      message: `int value should be less than or equal to ${issue.maximum}.`,
    };
  if (issue.code === 'too_small')
    return {
      code: 'NUMBER_TYPE_MIN',
      message: `int value should be greater than or equal to ${issue.minimum}.`,
    };
  return { code: 'BASE_TYPE_INVALID', message: issue.message };
}

/** Characters are code points, as Discord counts them. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Adds an error in Discord's terms to a field. */
export function complain(
  context: z.core.$RefinementCtx,
  code: string,
  message: string,
  path: readonly PropertyKey[] = [],
): void {
  context.addIssue({ code: 'custom', message, params: { code }, path: [...path] });
}

/** A text of `min` to `max` characters, not trimmed: ids and values. */
export function verbatim(max: number, min = 0) {
  return z.string().superRefine((value, context) => {
    const length = lengthOf(value);
    if (length === 0 && min > 0) complain(context, 'BASE_TYPE_REQUIRED', 'This field is required');
    else if (length > max && min === 0)
      complain(context, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
    else if (length > max || length < min)
      complain(context, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
  });
}

/** A text for people: trimmed before it is measured. */
export function text(max: number, min = 0) {
  return z
    .string()
    .transform((value) => value.trim())
    .pipe(verbatim(max, min));
}

/** An id. */
export const snowflake = z.string().superRefine((value, context) => {
  if (!isSnowflake(value)) complain(context, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
});

/** A whole number of `min` to `max`, as a query has it. */
export function whole(min: number, max: number) {
  return z
    .string()
    .transform((value, context) => {
      if (!/^-?\d+$/.test(value)) complain(context, 'NUMBER_TYPE_COERCE', `Value "${value}" is not int.`);
      return Number(value);
    })
    .pipe(z.int().min(min).max(max));
}

/** A list of `min` to `max`. */
export function list<S extends z.ZodType>(item: S, max: number, min = 0) {
  const message =
    min === 0 ? `Must be ${max} or fewer in length.` : `Must be between ${min} and ${max} in length.`;
  return z.array(item).min(min, message).max(max, message);
}

/** Clients send null for absent fields; in embeds and components the two are equivalent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
