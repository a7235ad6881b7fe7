/**
 * An outside judge of what goes over REST: zod schemas generated from the OpenAPI document that Discord publishes.
 * The sandbox states its limits itself, from the same knowledge as the bot; this shares no mistake with either.
 *
 * What the schemas do not know, so that the sandbox's own rules have to: 6000 characters over all embeds of a
 * message, custom ids used twice, more than five rows, capital letters in a command's name, unknown locales, and
 * fields that nobody reads (objects are not strict).
 */
import * as spec from 'discord-api-spec/zod';
import { array, null as nothing, union, type ZodMiniType } from 'zod/mini';
import {
  type ChatServerOptions,
  type LocalChat,
  startChatServer as start,
} from '../../src/sandbox/chat/chat-server.ts';
import type { AnsweredRequest } from '../../src/sandbox/chat/rest/rest.ts';

/** `*` stands for one id or token. */
interface Row {
  readonly route: string;
  readonly request?: ZodMiniType;
  readonly response?: ZodMiniType;
}

const commands = array(spec.ApplicationCommandResponseSchema);
const message = spec.MessageResponseSchema;
const edit = spec.IncomingWebhookUpdateRequestPartialSchema;
const callback = union([
  spec.CreateMessageInteractionCallbackRequestSchema,
  spec.UpdateMessageInteractionCallbackRequestSchema,
  spec.ApplicationCommandAutocompleteCallbackRequestSchema,
  spec.ModalInteractionCallbackRequestSchema,
]);

const rows: readonly Row[] = [
  { route: 'GET /gateway/bot', response: spec.GatewayBotResponseSchema },
  { route: 'GET /applications/@me', response: spec.PrivateApplicationResponseSchema },
  { route: 'GET /users/@me', response: spec.UserPIIResponseSchema },
  { route: 'GET /guilds/*', response: spec.GuildResponseSchema },
  { route: 'GET /guilds/*/channels', response: array(spec.GuildChannelResponseSchema) },
  { route: 'GET /guilds/*/roles', response: array(spec.GuildRoleResponseSchema) },
  { route: 'GET /guilds/*/members/*', response: spec.GuildMemberResponseSchema },
  {
    route: 'GET /channels/*',
    response: union([spec.GuildChannelResponseSchema, spec.PrivateChannelResponseSchema]),
  },
  {
    route: 'PATCH /channels/*',
    request: spec.UpdateGuildChannelRequestPartialSchema,
    response: spec.GuildChannelResponseSchema,
  },
  {
    route: 'POST /users/@me/channels',
    request: spec.CreatePrivateChannelRequestSchema,
    response: spec.PrivateChannelResponseSchema,
  },
  { route: 'GET /guilds/*/scheduled-events', response: array(spec.ExternalScheduledEventResponseSchema) },
  {
    route: 'POST /guilds/*/scheduled-events',
    request: spec.ExternalScheduledEventCreateRequestSchema,
    response: spec.ExternalScheduledEventResponseSchema,
  },
  { route: 'GET /guilds/*/scheduled-events/*', response: spec.ExternalScheduledEventResponseSchema },
  {
    route: 'PATCH /guilds/*/scheduled-events/*',
    request: spec.ExternalScheduledEventPatchRequestPartialSchema,
    response: spec.ExternalScheduledEventResponseSchema,
  },
  { route: 'GET /channels/*/messages', response: array(message) },
  { route: 'GET /channels/*/messages/*', response: message },
  { route: 'POST /channels/*/messages', request: spec.MessageCreateRequestSchema, response: message },
  { route: 'PATCH /channels/*/messages/*', request: spec.MessageEditRequestPartialSchema, response: message },
  {
    route: 'POST /interactions/*/*/callback',
    request: callback,
    response: spec.InteractionCallbackResponseSchema,
  },
  { route: 'GET /webhooks/*/*/messages/*', response: message },
  { route: 'PATCH /webhooks/*/*/messages/*', request: edit, response: message },
  { route: 'POST /webhooks/*/*', request: spec.IncomingWebhookRequestPartialSchema, response: message },
  ...['/applications/*/commands', '/applications/*/guilds/*/commands'].flatMap((path) => [
    { route: `GET ${path}`, response: commands },
    { route: `PUT ${path}`, request: array(spec.ApplicationCommandUpdateRequestSchema), response: commands },
  ]),
];

const patterns = rows.map((row) => ({
  ...row,
  pattern: new RegExp(`^${row.route.replaceAll('*', '[^/]+')}$`),
}));

/** Discord writes times with an offset (`+00:00`); the schemas accept only those with a Z. */
function inUtc(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT[\d:.]+)\+00:00$/, '$1Z') : value;
}

/** A command's permissions are a number in Discord's document, but documented and sent as a string of digits. */
function asNumber(key: string, value: unknown): unknown {
  return key === 'default_member_permissions' && typeof value === 'string' ? Number(value) : value;
}

/** The document has the codes of a form's mistakes as numbers; Discord sends them as words (`BASE_TYPE_REQUIRED`). */
function withoutDetails(key: string, value: unknown): unknown {
  return key === 'errors' ? undefined : value;
}

/**
 * What each schema accepted last, as JSON without ids. Every bot publishes the same commands in all languages, and to
 * judge those takes longer than all else that a short test sends.
 */
const accepted = new WeakMap<ZodMiniType, string>();

function complaints(schema: ZodMiniType, value: unknown, reviver: typeof inUtc): string | null {
  const json = JSON.stringify(value ?? null);
  // One id is as good as another.
  const known = json.replaceAll(/"\d{17,20}"/g, '"1"');
  if (accepted.get(schema) === known) return null;
  const judged = schema.safeParse(JSON.parse(json, reviver));
  if (!judged.success) return JSON.stringify(judged.error.issues).slice(0, 1000);
  accepted.set(schema, known);
  return null;
}

/** What is wrong with a request or its answer, in one line each. */
export function judge(
  { method, path, status }: AnsweredRequest,
  sent: unknown,
  body: unknown,
): readonly string[] {
  const row = patterns.find(({ pattern }) => pattern.test(`${method} ${path}`));
  if (row === undefined) return [];
  // What the sandbox has refused as malformed needs no second opinion.
  const asked = status === 400 ? null : complaints(row.request ?? nothing(), sent, asNumber);
  const isGood = status === 200 || status === 201;
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  const good = isGood && row.response !== undefined ? complaints(row.response, body, inUtc) : null;
  const answered = isRefusal ? complaints(spec.ErrorResponseSchema, body, withoutDetails) : good;
  return [
    ...(asked === null ? [] : [`asked ${row.route}: ${asked}`]),
    ...(answered === null ? [] : [`answered ${row.route}: ${answered}`]),
  ];
}

/** The sandbox's local chat server under that judge: closing it fails if anything was wrong. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<LocalChat> {
  const chat = await start(options);
  const found = new Set<string>();
  chat.subscribe((event) => {
    if (event.type !== 'answered') return;
    for (const complaint of judge(event.request, event.sent, event.body)) found.add(complaint);
  });
  const close = chat.close;
  return Object.assign(chat, {
    async close() {
      await close();
      if (found.size > 0) throw new Error(`Discord would not have it so:\n${[...found].join('\n')}`);
    },
  });
}
