import type { Fault, Refusal } from '../../../src/base/errors.ts';
import {
  car,
  chatStatus,
  type Endpoint,
  type EndpointName,
  endpoints,
  live,
  options,
  overview,
  profile,
} from '../../../src/service/endpoints.ts';

const page = '<!DOCTYPE html><html><body>Down for maintenance, unknown user</body></html>';

/** How each row is asked in these tests, each as a closure so that their differing types do not meet. */
export const questions = {
  profile: (get: Get) => get(profile, { username: 'alice' }),
  options: (get: Get) => get(options, { username: 'alice' }),
  car: (get: Get) => get(car, { vin: 'AB12C' }),
  overview: (get: Get) => get(overview, {}),
  'chat-status': (get: Get) => get(chatStatus, {}),
  live: (get: Get) => get(live, { server: 'one' }),
} satisfies Record<EndpointName, unknown>;
type Get = <Params, Row>(endpoint: Endpoint<Params, Row>, asked: NoInfer<Params>) => Promise<unknown>;
export type Name = EndpointName;

const names = Object.keys(questions).filter((name): name is Name => Object.hasOwn(endpoints, name));
const named = names.filter((name) => endpoints[name].asksByName);
const nameless = names.filter((name) => !endpoints[name].asksByName);
export const all: readonly Name[] = [...named, ...nameless];

export interface Form {
  readonly what: string;
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly of: readonly Name[];
  readonly fault: Fault;
  readonly refusal?: Refusal;
  readonly transient?: boolean;
}

export const complaint = (errorCode: number, errorMessage?: string) => ({ errorCode, errorMessage });

/** Every form in which services of this kind say that something is wrong, with what it means for which rows. */
export const forms: readonly Form[] = [
  // The service knows no such name, and says so in one of its ways.
  { what: '"Unkown user" as text', body: 'Unkown user', of: named, fault: 'not-found' },
  { what: '"Unkown user" as JSON', body: '"Unkown user"', of: named, fault: 'not-found' },
  { what: '"Unknown car" as text', body: 'Unknown car', of: named, fault: 'not-found' },
  { what: 'an unknown user as error', body: { error: 'Unknown user' }, of: named, fault: 'not-found' },
  { what: 'a nested error', body: { error: { message: 'User not found' } }, of: named, fault: 'not-found' },
  { what: 'an unknown VIN', body: { error: 'No car with VIN AB12C' }, of: ['car'], fault: 'not-found' },
  {
    what: 'an unknown name in a sentence',
    body: 'The user you are looking for does not exist.',
    of: named,
    fault: 'not-found',
  },
  {
    what: 'an unknown name with advice',
    body: { error: 'Unknown user &quot;alice&quot;, please check the name' },
    of: ['profile', 'options'],
    fault: 'not-found',
  },
  // Somebody or something else is unknown: that says nothing of the name that was asked for.
  ...[
    "Unknown user: 'web'@'localhost'",
    "Unknown user 'api_ro'",
    'user "postgres" does not exist',
    'No user found in replica 2',
    'User module not found',
    'Car cache does not exist',
    'Invalid user credentials',
    'User "bob" does not exist.',
  ].map((body): Form => ({ what: body, body, of: named, fault: 'bad-response' })),
  {
    what: 'a user of a database with 500',
    status: 500,
    body: { error: "Unknown user 'api_ro'" },
    of: named,
    fault: 'unavailable',
    transient: true,
  },
  // PHP without its database driver, in its own words.
  { what: 'no database driver', body: 'could not find driver', of: named, fault: 'unavailable' },
  {
    what: 'no database driver with 404',
    status: 404,
    body: { error: 'could not find driver' },
    of: named,
    fault: 'unavailable',
  },
  {
    what: 'a name that is told back',
    body: { error: 'User "Alice" does not exist.' },
    of: ['profile', 'options'],
    fault: 'not-found',
  },
  {
    what: '400 for an unknown user',
    status: 400,
    body: complaint(400, 'Unknown user'),
    of: named,
    fault: 'not-found',
  },
  {
    what: '500 for an unknown user',
    status: 500,
    body: complaint(500, 'Unkown user'),
    of: named,
    fault: 'not-found',
  },
  {
    what: '404 with a reason',
    status: 404,
    body: complaint(404, 'User not found'),
    of: named,
    fault: 'not-found',
  },
  { what: '404 without a reason', status: 404, body: complaint(404), of: named, fault: 'not-found' },
  { what: '404 with nothing', status: 404, body: '', of: named, fault: 'not-found' },
  { what: 'false', body: 'false', of: named, fault: 'not-found' },
  { what: 'null', body: 'null', of: named, fault: 'not-found' },
  { what: 'an empty list', body: '[]', of: ['profile', 'car'], fault: 'not-found' },
  { what: 'an empty object', body: '{}', of: ['profile', 'car'], fault: 'not-found' },
  // The same where no name was asked for.
  { what: '"Unkown user" as text', body: 'Unkown user', of: nameless, fault: 'bad-response' },
  { what: 'an unknown user as error', body: { error: 'Unknown user' }, of: nameless, fault: 'bad-response' },
  { what: 'false', body: 'false', of: ['overview', 'chat-status', 'live'], fault: 'bad-response' },
  { what: 'null', body: 'null', of: ['overview', 'chat-status', 'live'], fault: 'bad-response' },
  { what: 'an empty list', body: '[]', of: ['chat-status', 'live'], fault: 'bad-response' },
  { what: '404', status: 404, body: complaint(404, 'Not found'), of: nameless, fault: 'unavailable' },
  { what: '404 with nothing', status: 404, body: '', of: nameless, fault: 'unavailable' },
  // Trouble on the service's side, whatever else it may resemble.
  { what: 'a database down', body: { error: 'database down' }, of: all, fault: 'unavailable' },
  {
    what: 'an unknown column',
    body: { error: "Unknown column 'user' in 'field list'" },
    of: all,
    fault: 'unavailable',
  },
  {
    what: 'an unknown user of a database',
    body: { error: "Unknown user 'web' of database" },
    of: all,
    fault: 'unavailable',
  },
  {
    what: 'a database that refuses',
    status: 500,
    body: { error: "Access denied for user 'web'@'localhost'" },
    of: all,
    fault: 'unavailable',
    transient: true,
  },
  {
    what: 'a server out of memory',
    status: 500,
    body: 'Allowed memory limit exceeded',
    of: all,
    fault: 'unavailable',
    transient: true,
  },
  {
    what: '500 with a message',
    status: 500,
    body: complaint(500, 'Internal error'),
    of: all,
    fault: 'unavailable',
    transient: true,
  },
  {
    what: '501',
    status: 501,
    body: complaint(501, 'Not implemented'),
    of: all,
    fault: 'rejected',
    refusal: 'not-implemented',
  },
  {
    what: '501 told with 200',
    body: complaint(501, 'Not implemented'),
    of: all,
    fault: 'rejected',
    refusal: 'not-implemented',
  },
  { what: '501 with a page', status: 501, body: page, of: all, fault: 'unavailable', transient: true },
  { what: '502 with a page', status: 502, body: page, of: all, fault: 'unavailable', transient: true },
  { what: '503 with nothing', status: 503, body: '', of: all, fault: 'unavailable', transient: true },
  {
    what: '504 with text',
    status: 504,
    body: 'upstream timed out',
    of: all,
    fault: 'unavailable',
    transient: true,
  },
  { what: '404 with a page', status: 404, body: page, of: all, fault: 'unavailable' },
  { what: '404 of a gateway', status: 404, body: '404 page not found', of: all, fault: 'unavailable' },
  { what: '403 with a page', status: 403, body: page, of: all, fault: 'unavailable' },
  // Answers that cannot be read.
  { what: 'a page with 200', body: page, of: all, fault: 'bad-response' },
  { what: 'an empty body', body: '', of: all, fault: 'bad-response' },
  { what: 'white space', body: ' \r\n', of: all, fault: 'bad-response' },
  { what: '204', status: 204, body: '', of: all, fault: 'bad-response' },
  { what: 'plain text', body: 'hello', of: all, fault: 'bad-response' },
  { what: 'an error that says nothing', body: { error: true }, of: all, fault: 'bad-response' },
  {
    what: 'bare Infinity',
    body: '{"username":"alice","players":{"1":{"x":Infinity}}}',
    of: all,
    fault: 'bad-response',
  },
  { what: 'JSON that is cut off', body: '{"username":"alice","play', of: all, fault: 'bad-response' },
  {
    what: 'another record',
    body: { hello: 'world' },
    of: ['profile', 'car', 'overview', 'chat-status', 'live'],
    fault: 'bad-response',
  },
  {
    what: 'a number',
    body: '7',
    of: ['profile', 'options', 'car', 'overview', 'chat-status', 'live'],
    fault: 'bad-response',
  },
  {
    what: 'players none of whom can be read',
    body: { players: { 1: 'x', 2: 7 } },
    of: ['live'],
    fault: 'bad-response',
  },
  {
    what: 'servers none of which can be read',
    body: { one: 'x', two: {} },
    of: ['overview'],
    fault: 'bad-response',
  },
  {
    what: '400 with a message',
    status: 400,
    body: complaint(400, 'Bad request'),
    of: all,
    fault: 'rejected',
    refusal: 'request',
  },
  { what: '400 with nothing', status: 400, body: '', of: all, fault: 'rejected', refusal: 'request' },
  {
    what: '400 told with 200',
    body: complaint(400, 'Bad request'),
    of: all,
    fault: 'rejected',
    refusal: 'request',
  },
  {
    what: 'an error that goes down 100 000 levels',
    body: `${'{"error":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    of: all,
    fault: 'bad-response',
  },
  {
    what: 'a record with a field that goes down 100 000 levels',
    body: `{"username":"alice","vin":"AB12C","members":[],"players":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    of: all,
    fault: 'bad-response',
  },
  {
    what: 'a redirect',
    status: 302,
    body: '',
    headers: { location: 'https://other.example/' },
    of: all,
    fault: 'bad-response',
  },
  {
    what: 'a redirect for good',
    status: 308,
    body: page,
    headers: { location: '/' },
    of: all,
    fault: 'bad-response',
  },
  { what: '418', status: 418, body: '', of: all, fault: 'rejected', refusal: 'request' },
  // Refusals: four meanings of one status.
  {
    what: '403 not authorised',
    status: 403,
    body: complaint(403, 'Not authorised'),
    of: [...named, 'overview'],
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: '403 in American',
    status: 403,
    body: complaint(403, 'You are NOT AUTHORIZED'),
    of: [...named, 'overview'],
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: '403 command not allowed',
    status: 403,
    body: complaint(403, 'Command not allowed'),
    of: [...named, 'overview'],
    fault: 'unauthorised',
    refusal: 'command',
  },
  {
    what: '403 host not allowed',
    status: 403,
    body: complaint(403, 'Host not allowed'),
    of: [...named, 'overview'],
    fault: 'unauthorised',
    refusal: 'address',
  },
  {
    what: '403 about the address',
    status: 403,
    body: { error: 'your IP address is not on the list' },
    of: [...named, 'overview'],
    fault: 'unauthorised',
    refusal: 'address',
  },
  {
    what: '403 rate limit',
    status: 403,
    // Spelt so by the service.
    body: complaint(403, 'Rate limited exceeded'),
    of: all,
    fault: 'over-budget',
  },
  {
    what: '403 limit in other words',
    status: 403,
    body: complaint(403, 'hourly LIMIT was reached'),
    of: all,
    fault: 'over-budget',
  },
  // None of these names the key, so something in front of the service may have sent it.
  ...[
    '',
    'error code: 1020',
    'Forbidden',
    'Access denied',
    'Request blocked by security policy',
    { error: 'Access Denied' },
    complaint(403),
    complaint(403, 'Undefined array key "token"'),
  ].map(
    (body): Form => ({
      what: `403 ${JSON.stringify(body)}`,
      status: 403,
      body,
      of: all,
      fault: 'unavailable',
    }),
  ),
  { what: '401 with nothing', status: 401, body: '', of: named, fault: 'unauthorised', refusal: 'key' },
  {
    what: 'an address that is blocked',
    status: 403,
    body: 'Access denied: your IP address has been banned',
    of: all,
    fault: 'unauthorised',
    refusal: 'address',
  },
  // The key is named, and refused beside it.
  ...[
    'API key expired',
    'Missing parameter: key',
    'Invalid token',
    'The key is not valid',
    'Wrong api_key',
    'No API key given',
    'Your key has been revoked.',
    'Unknown agent',
    'This user agent is not allowed',
    'access_token is missing',
    'A key is required for this service',
    'API key not found in our database',
    "This key isn't active",
  ].flatMap((message): readonly Form[] =>
    [200, 400, 403].map((status) => ({
      what: `"${message}" with ${status}`,
      status,
      body: { error: message },
      of: ['profile', 'car', 'overview'],
      fault: 'unauthorised',
      refusal: 'key',
    })),
  ),
  // The word alone, which programs, databases and parsers use too.
  ...[
    'Undefined array key "username"',
    'Undefined index: key in /var/www/get.php on line 12',
    "KeyError: 'username'",
    "The given key 'username' was not present in the dictionary.",
    "Duplicate entry '5' for key 'PRIMARY'",
    'duplicate key value violates unique constraint "users_pkey"',
    'Cannot add or update a child row: a foreign key constraint fails',
    'Unexpected token < in JSON at position 0',
    "syntax error, unexpected token ';'",
    "Unknown column 'key' in 'where clause'",
    "Missing key 'username'",
    "Access denied for user 'web'@'localhost' (using password: YES)",
    'Uncaught TypeError: Argument #1 ($token) must be of type string, null given',
    'Object reference not set to an instance of an object (agent)',
  ].flatMap((message): readonly Form[] =>
    [200, 403, 500].map((status) => ({
      what: `"${message}" with ${status}`,
      status,
      body: { error: message },
      of: ['profile', 'car', 'overview'],
      fault: 'unavailable',
      transient: status === 500,
    })),
  ),
  // Other services' and proxies' words for a limit.
  ...[
    'error code: 1015',
    'You are being rate limited',
    'Rate exceeded',
    'Request rate too high',
    'Too Many Attempts.',
    'TooManyRequestsException',
    'Request was throttled. Expected available in 5 seconds.',
    'API calls quota exceeded! maximum admitted 2 per second',
    'You have exceeded your number of allowed requests',
    'Quota exceeded',
    'OVER_QUERY_LIMIT',
    'Slow down',
  ].map((body): Form => ({ what: `"${body}" with 403`, status: 403, body, of: all, fault: 'over-budget' })),
  {
    what: '401',
    status: 401,
    body: complaint(401, 'Unknown key'),
    of: named,
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: '400 for the key',
    status: 400,
    body: complaint(400, 'Invalid API key'),
    of: named,
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: 'a refusal with 200',
    body: complaint(403, 'Not authorised'),
    of: named,
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: 'an unknown key with 200',
    body: { error: 'Unknown API key' },
    of: named,
    fault: 'unauthorised',
    refusal: 'key',
  },
  {
    what: '403 for a limit that its own headers deny',
    status: 403,
    body: complaint(403, 'Rate limited exceeded'),
    headers: { 'x-ratelimit-remaining': '620' },
    of: all,
    fault: 'over-budget',
  },
  // The published sentences decide by themselves, whatever the status beside them.
  ...[403, 404, 408, 500, 503].flatMap((status): readonly Form[] => [
    {
      what: `a published limit with ${status}`,
      status,
      body: complaint(403, 'Rate limited exceeded.'),
      headers: { 'x-ratelimit-remaining': '719' },
      of: all,
      fault: 'over-budget',
    },
    {
      what: `a published refusal of the key with ${status}`,
      status,
      body: complaint(403, 'Not authorised'),
      of: [...named, 'overview'],
      fault: 'unauthorised',
      refusal: 'key',
    },
    {
      what: `a published refusal of the address with ${status}`,
      status,
      body: complaint(403, 'Host not allowed'),
      of: all,
      fault: 'unauthorised',
      refusal: 'address',
    },
    {
      what: `a published refusal of the command with ${status}`,
      status,
      body: complaint(403, 'Command not allowed'),
      of: [...named, 'overview'],
      fault: 'unauthorised',
      refusal: 'command',
    },
  ]),
  { what: 'a limit with 200', body: { error: 'Too many requests' }, of: all, fault: 'over-budget' },
  { what: '429', status: 429, body: '', of: all, fault: 'over-budget' },
  { what: '429 with a page', status: 429, body: page, of: all, fault: 'over-budget' },
  { what: '429 as text', status: 429, body: 'slow down, unknown user', of: all, fault: 'over-budget' },
];
