import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { DiscordId, defineAction, onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineGroup, defineSubcommand } from '../../src/command-kit/command.ts';
import { type Context, requireGuild } from '../../src/command-kit/context.ts';
import { defineForm, FORM_ACTION, valuesInSubject } from '../../src/command-kit/form.ts';
import type { Args, Options, TextOption } from '../../src/command-kit/option.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { LicenceType } from '../../src/service/models/identifiers.ts';
import { rolesCard, rolesPreviewCard, ruleCard, ruleLine } from './cards/roles-card.ts';
import type { ListedRule, NewRule } from './models/rule.ts';

const earnings = {
  proved: 'roles.when.proved',
  'hours-30-days': 'roles.when.hours-30-days',
  hours: 'roles.when.hours',
  km: 'roles.when.km',
  'police-xp': 'roles.when.police-xp',
  licence: 'roles.when.licence',
  'member-days': 'roles.when.member-days',
} as const;

/** Limit beyond all that can be earned. */
const MAX_FIGURE = 100_000_000;
/** A whole number with the thousands separators of any language; 2.5 is not 25. A form's text has spaces for commas. */
const WHOLE_NUMBER = /^(?:\d+|\d{1,3}(?:[\s.'’]\d{3})+)$/;
const licence: TextOption = {
  kind: 'text',
  description: 'roles.options.licence',
  required: false,
  schema: LicenceType,
  wrong: 'roles.wrong.licence',
  complete: (input, { recentNames }) =>
    recentNames.licences(input).map((type) => ({ name: type, value: type })),
};

const ruleOptions = {
  role: { kind: 'role', description: 'roles.options.role', required: false },
  requirement: {
    kind: 'choice',
    description: 'roles.options.requirement',
    required: false,
    choices: earnings,
  },
  'at-least': {
    kind: 'count',
    description: 'roles.options.atLeast',
    required: false,
    min: 1,
    max: MAX_FIGURE,
  },
  licence,
  keep: { kind: 'flag', description: 'roles.options.keep', required: false },
  linked: { kind: 'flag', description: 'roles.options.linked', required: false },
} as const satisfies Options;

/** A rule as it is made, and changed: a role has one rule. */
const addForm = defineForm({
  title: 'roles.add.description',
  fields: {
    role: { kind: 'role', label: 'roles.options.role' },
    when: {
      kind: 'choice',
      label: 'roles.options.requirement',
      choices: earnings,
      explanations: { proved: 'roles.explained.proved', licence: 'roles.explained.licence' },
    },
    'at-least': { kind: 'text', optional: true, short: 12, label: 'roles.options.atLeast' },
    licence: { kind: 'text', optional: true, label: 'roles.options.licence' },
    more: {
      kind: 'several',
      label: 'roles.options.more',
      choices: { keep: 'roles.options.keep', linked: 'roles.options.linked' },
    },
  },
  async begin(context) {
    const refusal = await context.features.roles.refusalOf(requireGuild(context), context.person.id);
    if (refusal !== null) throw refused(refusal, context);
    return { when: 'proved' };
  },
  async submit({ role, when, more, ...typed }, context) {
    const chosenOptions = more.split(' ');
    const figure = typed['at-least'].trim();
    const atLeast = figure === '' ? null : Number(figure.replaceAll(/\D/g, ''));
    if (atLeast !== null && !(WHOLE_NUMBER.test(figure) && atLeast >= 1 && atLeast <= MAX_FIGURE))
      throw new UserError(context.t('roles.wrong.figure'));
    const args = {
      role,
      requirement: when,
      'at-least': atLeast,
      licence: typed.licence.trim() === '' ? null : typed.licence.trim(),
      keep: chosenOptions.includes('keep'),
      linked: chosenOptions.includes('linked'),
    };
    return add(ruleOf(args, context), context);
  },
});

/** Roles that drivers earn. */
export default defineGroup({
  description: 'roles.description',
  topic: 'guild',
  visibility: 'private',
  permission: 'manage-roles',
  guildOnly: true,
  subcommands: {
    add: defineSubcommand({
      description: 'roles.add.description',
      options: ruleOptions,
      run: (args, context) => add(ruleOf(args, context), context),
      form: addForm,
    }),
    preview: defineSubcommand({
      description: 'roles.preview.description',
      options: ruleOptions,
      async run(args, context) {
        const { t } = context;
        const { roles } = context.features;
        const isNew = Object.values(args).some((arg) => arg !== null);
        const rule = isNew ? ruleOf(args, context) : null;
        const previews = await roles.preview(requireGuild(context), context.person.id, rule);
        if (typeof previews === 'string') throw refused(previews, context);
        return rolesPreviewCard(previews, t);
      },
    }),
    list: defineSubcommand({
      description: 'roles.list.description',
      options: {},
      run: (_args, context) => list(context),
    }),
    remove: defineSubcommand({
      description: 'roles.remove.description',
      options: { role: { ...ruleOptions.role, required: true } },
      run: ({ role }, context) => askToRemove(role, context),
    }),
  },

  actions: {
    /** From the menu below the list. */
    one: defineAction({
      press: z.object({ value: DiscordId }),
      async run({ value: role }, context) {
        const rule = await findRule(role, context);
        const change = { command: 'roles add', action: FORM_ACTION, subject: subjectOf(rule) };
        return ruleCard(rule, change, context.t);
      },
    }),
    list: onPress((context) => list(context)),
    remove: onSubject(DiscordId, (role, context) => askToRemove(role, context)),
    stay: onSubject(DiscordId, (role, context) => remove(role, false, context)),
    take: onSubject(DiscordId, (role, context) => remove(role, true, context)),
  },
});

async function list(context: Context): Promise<Reply> {
  const { rules, lastRun } = await listed(context);
  const { nameOfRole = () => null } = context.person;
  return rolesCard(rules, { lastRun, nameOfRole }, context.t);
}

/** Throws a {@link UserError} for a role without a rule. */
async function findRule(role: string, context: Context): Promise<ListedRule> {
  const { rules } = await listed(context);
  const rule = rules.find((candidate) => candidate.role === role);
  if (rule === undefined) throw noneFor(role, context);
  return rule;
}

/** The window of a rule, as the subject of a custom id: it opens with what the rule says. */
function subjectOf({ role, when, keep, linked }: ListedRule): string {
  return valuesInSubject(addForm, {
    role,
    when: when.kind,
    'at-least': 'atLeast' in when ? String(when.atLeast) : '',
    // A comma would end it; a type with one is entered again.
    licence: 'type' in when && !when.type.includes(',') ? when.type : '',
    more: [...(keep ? ['keep'] : []), ...(linked ? ['linked'] : [])].join(' '),
  });
}

/** Asks what becomes of those who have the role by its rule. */
async function askToRemove(role: string, context: Context): Promise<Reply> {
  const { t } = context;
  const rule = await findRule(role, context);
  const id = { command: 'roles', subject: role };
  const row = buttonRow(
    { ...id, action: 'stay', label: t('roles.remove.stay') },
    { ...id, action: 'take', label: t('roles.remove.take'), danger: true },
  );
  const ask = t('roles.remove.ask', { count: rule.holders });
  return { content: `${ruleLine(rule, t)}\n${ask}`, components: [row] };
}

async function listed(context: Context) {
  const list = await context.features.roles.list(requireGuild(context), context.person.id);
  if (typeof list === 'string') throw refused(list, context);
  return list;
}

function refused(
  why: Exclude<
    Awaited<ReturnType<Context['features']['roles']['add' | 'remove']>>,
    'added' | 'removed' | 'none'
  >,
  { t }: Context,
): UserError {
  return new UserError(t(why === 'not-allowed' ? 'discord.notAllowedRoles' : `roles.refused.${why}`));
}

function noneFor(role: string, { t }: Context): UserError {
  return new UserError(t('roles.noneFor', { role: `<@&${role}>` }));
}

/** Throws where something is missing that it needs: the role, what earns it, the figure or the licence. */
function ruleOf(args: Args<typeof ruleOptions>, context: Context): NewRule {
  const { person, t } = context;
  const { role, requirement, licence: type, keep, linked } = args;
  const atLeast = args['at-least'];
  if (role === null || requirement === null) throw new UserError(t('roles.wrong.incomplete'));
  const common = {
    guild: requireGuild(context),
    role,
    madeBy: person.id,
    locale: person.locale,
    keep: keep ?? false,
    linked: linked ?? false,
  };
  if (requirement === 'proved') return { ...common, when: { kind: requirement }, linked: false };
  if (requirement === 'licence') {
    const licence = LicenceType.safeParse(type);
    if (!licence.success) throw new UserError(t('roles.wrong.licence'));
    return { ...common, when: { kind: requirement, type: licence.data } };
  }
  if (atLeast === null) throw new UserError(t('roles.wrong.figure'));
  return { ...common, when: { kind: requirement, atLeast } };
}

async function add(rule: NewRule, context: Context): Promise<Reply> {
  const { now, t } = context;
  const { roles } = context.features;
  const added = await roles.add(rule, now);
  if (added !== 'added') throw refused(added, context);
  const addedRule = { ...rule, paused: null, ending: false };
  return { content: `${t('roles.added')}\n${ruleLine(addedRule, t)}` };
}

async function remove(role: string, isTaken: boolean, context: Context): Promise<Reply> {
  const { person, t } = context;
  const { roles } = context.features;
  const removed = await roles.remove(requireGuild(context), role, { isTaken, by: person.id });
  if (removed === 'none') throw noneFor(role, context);
  if (removed !== 'removed') throw refused(removed, context);
  const textKey = isTaken ? 'roles.removed.taken' : 'roles.removed.stay';
  return { content: t(textKey, { role: `<@&${role}>` }), components: [] };
}
