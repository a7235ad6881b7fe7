import { buttonRow, type Card, createCard, menuRow } from '../../../src/cards/kit/card.ts';
import { type CustomId, fitsCustomId } from '../../../src/cards/kit/custom-id.ts';
import { compact, joinParts } from '../../../src/cards/kit/lines.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import type { ListedRule, PreviewedRule, Rule } from '../models/rule.ts';

/**
 * The rules of a guild, and whom they have given their roles, with a menu to choose one; at most 20. `lastRun` in unix milliseconds; null:
 * not since the start.
 */
export function rolesCard(
  rules: readonly ListedRule[],
  {
    lastRun,
    nameOfRole,
  }: { readonly lastRun: number | null; readonly nameOfRole: (roleId: string) => string | null },
  t: Translator,
): Card {
  const ago = formatTimestamp(lastRun, 'relative');
  const run = ago === null ? t('roles.notRun') : t('roles.lastRun', { ago });
  const list = rules.flatMap((rule) => ruleLines(rule, t));
  const choices = rules.map(({ role, when }) => ({
    label: `@${nameOfRole(role) ?? role}`,
    description: earnedBy(when, t, (name) => name),
    value: role,
  }));
  const menu = { command: 'roles', action: 'one', subject: '' };
  const components = choices.length === 0 ? [] : [menuRow(menu, t('roles.choose'), choices)];
  const lead = [rules.length === 0 ? t('roles.none') : run];
  return createCard({ title: t('roles.title'), lead, list, components }, t);
}

/** A rule of the list, with buttons for what can be done with it. `change`: the id of the button that opens its window. */
export function ruleCard(rule: ListedRule, change: CustomId, t: Translator): Card {
  const id = { command: 'roles', subject: rule.role };
  const row = buttonRow(
    ...(fitsCustomId(change) ? [{ ...change, label: t('card.change') }] : []),
    { ...id, action: 'remove', label: t('card.remove'), danger: true },
    { ...id, action: 'list', subject: '', label: t('card.back') },
  );
  return createCard({ title: t('roles.title'), lead: [], list: ruleLines(rule, t), components: [row] }, t);
}

function ruleLines(rule: ListedRule, t: Translator): readonly string[] {
  return [ruleLine(rule, t), `-# ${stateOf(rule, t)}`];
}

function stateOf({ qualify, theirs, unknown, paused, ending, madeBy }: ListedRule, t: Translator): string {
  return joinParts(
    qualify.length === 0
      ? t('roles.qualifyNone')
      : t('roles.qualify', {
          count: qualify.length,
          people: people(qualify, t, { most: MAX_LISTED_PEOPLE, theirs }),
        }),
    unknown === 0 ? null : t('roles.unknown', { count: unknown }),
    madeBy === '' ? null : t('roles.madeBy', { person: `<@${madeBy}>` }),
    ending ? t('roles.ending') : null,
    paused === null ? null : t(`roles.paused.${paused}`),
  );
}

/** People named of each kind, and in a list of rules. */
const MAX_NAMED_PEOPLE = 20;
const MAX_LISTED_PEOPLE = 5;

export function rolesPreviewCard(rules: readonly PreviewedRule[], t: Translator): Card {
  const list = rules.flatMap((rule, at) => [
    ...(at === 0 ? [] : ['']),
    ruleLine(rule, t),
    ...changeLines(rule, t),
    ...(rule.has.length === 0 ? [] : [`✔ ${people(rule.has, t, { theirs: rule.has })}`]),
    ...(rule.unknown === 0 ? [] : [`-# ${t('roles.unknown', { count: rule.unknown })}`]),
  ]);
  const lead = [rules.length === 0 ? t('roles.none') : t('roles.preview.lead')];
  return createCard({ title: t('roles.preview.title'), lead, list }, t);
}

/**
 * The people who would get the role, with the number of those whose membership is unknown, and the people who would lose it.
 * That nobody would get it stands there only if nothing else does.
 */
function changeLines({ gains, loses, has, perhaps }: PreviewedRule, t: Translator): readonly string[] {
  const isEmpty = gains.length + perhaps + loses.length + has.length === 0;
  const gaining = joinParts(
    gains.length > 0 || isEmpty ? people(gains, t) : null,
    perhaps === 0 ? null : t('roles.perhaps', { count: perhaps }),
  );
  return compact(
    gaining === '' ? null : `➕ ${gaining}`,
    loses.length === 0 ? null : `➖ ${people(loses, t)}`,
  );
}

/** `theirs`: those of them of whom it is said that they have it already. */
function people(
  ids: readonly string[],
  t: Translator,
  {
    most = MAX_NAMED_PEOPLE,
    theirs = [],
  }: { readonly most?: number; readonly theirs?: readonly string[] } = {},
): string {
  if (ids.length === 0) return t('roles.nobody');
  const mentions = ids
    .slice(0, most)
    .map((id) => (theirs.includes(id) ? `<@${id}> (${t('roles.hasIt')})` : `<@${id}>`));
  const more = ids.length - mentions.length;
  return mentions.join(', ') + (more === 0 ? '' : ` ${t('roles.more', { count: more })}`);
}

/** "25 hours in 30 days". `inLine`: how a name is made safe where it is written. */
function earnedBy(
  when: Rule['when'],
  t: Translator,
  inLine: (name: string) => string = escapeMarkdown,
): string {
  switch (when.kind) {
    case 'proved':
      return t('roles.by.proved');
    case 'licence':
      return t('roles.by.licence', { type: inLine(when.type) });
    default:
      return t(`roles.by.${when.kind}`, { count: when.atLeast });
  }
}

/** The reason in Discord's audit log, which shows no markdown: "Pitwall: 25 hours in 30 days". */
export function auditReason({ when }: Pick<Rule, 'when'>, t: Translator): string {
  return t('card.labelled', { label: 'Pitwall', value: earnedBy(when, t, (name) => name) });
}

/** "@Veteran: 25 hours in 30 days · verified drivers · permanent once earned". */
export function ruleLine(
  { role, when, keep, linked }: Pick<Rule, 'role' | 'when' | 'keep' | 'linked'>,
  t: Translator,
): string {
  // "A verified driver" says already whose drivers count.
  const whose = linked
    ? t('roles.drivers.linked')
    : when.kind === 'proved'
      ? null
      : t('roles.drivers.proved');
  const what = joinParts(earnedBy(when, t), whose, keep ? t('roles.keeps') : null);
  return t('roles.line', { role: `<@&${role}>`, what });
}
