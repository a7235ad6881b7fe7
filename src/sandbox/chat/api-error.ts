import { RESTJSONErrorCodes } from 'discord.js';

/** A REST refusal: the status and the body `{code, message}`, with more where the code has more. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: number,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.body = { message, code, ...more };
    this.headers = headers;
  }
}

/** The refusals with a fixed status and text, by Discord's error codes. */
const REFUSALS = {
  'unknown-application': [404, RESTJSONErrorCodes.UnknownApplication, 'Unknown Application'],
  'unknown-channel': [404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel'],
  'unknown-guild': [404, RESTJSONErrorCodes.UnknownGuild, 'Unknown Guild'],
  'unknown-member': [404, RESTJSONErrorCodes.UnknownMember, 'Unknown Member'],
  'unknown-role': [404, RESTJSONErrorCodes.UnknownRole, 'Unknown Role'],
  'unknown-message': [404, RESTJSONErrorCodes.UnknownMessage, 'Unknown Message'],
  'unknown-event': [404, RESTJSONErrorCodes.UnknownGuildScheduledEvent, 'Unknown Guild Scheduled Event'],
  'unknown-user': [404, RESTJSONErrorCodes.UnknownUser, 'Unknown User'],
  'unknown-webhook': [404, RESTJSONErrorCodes.UnknownWebhook, 'Unknown Webhook'],
  'unknown-interaction': [404, RESTJSONErrorCodes.UnknownInteraction, 'Unknown interaction'],
  'already-acknowledged': [
    400,
    RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
    'Interaction has already been acknowledged.',
  ],
  'invalid-webhook-token': [401, RESTJSONErrorCodes.InvalidWebhookToken, 'Invalid Webhook Token'],
  'missing-access': [403, RESTJSONErrorCodes.MissingAccess, 'Missing Access'],
  'missing-permissions': [403, RESTJSONErrorCodes.MissingPermissions, 'Missing Permissions'],
  'closed-conversation': [
    403,
    RESTJSONErrorCodes.CannotSendMessagesToThisUser,
    'Cannot send messages to this user',
  ],
  'another-author': [
    403,
    RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
    'Cannot edit a message authored by another user',
  ],
  'empty-message': [400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, 'Cannot send an empty message'],
  'not-a-text-channel': [
    400,
    RESTJSONErrorCodes.CannotSendMessagesInNonTextChannel,
    'Cannot send messages in a non-text channel',
  ],
  'wrong-channel-type': [
    400,
    RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType,
    'Cannot execute action on this channel type',
  ],
  'too-large': [400, RESTJSONErrorCodes.RequestEntityTooLarge, 'Request entity too large'],
  unauthorised: [401, 0, '401: Unauthorized'],
  'no-such-route': [404, 0, '404: Not Found'],
  'bad-json': [400, 50109, 'The request body contains invalid JSON.'],
} as const;

export function refusal(name: keyof typeof REFUSALS): ApiError {
  const [status, code, message] = REFUSALS[name];
  return new ApiError(status, code, message);
}
