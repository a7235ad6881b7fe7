import type { Fault, Refusal } from '../../../src/base/errors.ts';
import { type EndpointName, endpoints, isEndpointName } from '../../../src/service/endpoints.ts';

const page = '<!DOCTYPE html><html><body>Down for maintenance, unknown user</body></html>';

export type Name = EndpointName;

const names = Object.keys(endpoints).filter(isEndpointName);
const named = names.filter((name) => endpoints[name].asksByName);
const nameless = names.filter((name) => !endpoints[name].asksByName);
export const all: readonly Name[] = [...named, ...nameless];
/** Every record is one of changed options; others need a field of their own. */
const ofOneForm = all.filter((name) => name !== 'options');

/** An answer: what it is, its status, body and headers. */
type Answer = readonly [string, number, unknown, Readonly<Record<string, string>>?];

export type Form = ReturnType<typeof formsOf>[number];

/** Answers that mean this fault, of these endpoints. A server that fails (5xx) may be well in a moment. */
function formsOf(fault: Fault, of: readonly Name[], answers: readonly Answer[], refusal?: Refusal) {
  return answers.map(([what, status, body, headers = {}]) => ({
    ...{ what, status, body, headers, of, fault },
    refusal: refusal ?? (fault === 'over-budget' ? 'limit' : null),
    transient: fault === 'unavailable' && status >= 500,
  }));
}

export const complaint = (errorCode: number, errorMessage?: string) => ({ errorCode, errorMessage });

/** Each message with each status. */
const withEach = (statuses: readonly number[], messages: readonly string[]): readonly Answer[] =>
  messages.flatMap((message) =>
    statuses.map((status) => [`"${message}" with ${status}`, status, { error: message }] as const),
  );

const keyed = [...named, 'overview'] as const;

/** Every form in which services of this kind say that something is wrong, with what it means for which rows. */
export const forms: readonly Form[] = [
  // The service knows no such name, and says so in one of its ways.
  ...formsOf('not-found', named, [
    ['"Unkown user" as text', 200, 'Unkown user'],
    ['"Unkown user" as JSON', 200, '"Unkown user"'],
    ['"Unknown car" as text', 200, 'Unknown car'],
    ['an unknown user as error', 200, { error: 'Unknown user' }],
    ['a nested error', 200, { error: { message: 'User not found' } }],
    ['an unknown name in a sentence', 200, 'The user you are looking for does not exist.'],
    ['400 for an unknown user', 400, complaint(400, 'Unknown user')],
    ['500 for an unknown user', 500, complaint(500, 'Unkown user')],
    ['404 with a reason', 404, complaint(404, 'User not found')],
    ['404 without a reason', 404, complaint(404)],
    ['404 with nothing', 404, ''],
    ['false', 200, 'false'],
    ['null', 200, 'null'],
  ]),
  ...formsOf('not-found', ['car'], [['an unknown VIN', 200, { error: 'No car with VIN AB12C' }]]),
  ...formsOf(
    'not-found',
    ['profile', 'options'],
    [
      [
        'an unknown name with advice',
        200,
        { error: 'Unknown user &quot;alice&quot;, please check the name' },
      ],
      ['a name that is told back', 200, { error: 'User "Alice" does not exist.' }],
    ],
  ),
  ...formsOf(
    'not-found',
    ['profile', 'car'],
    [
      ['an empty list', 200, '[]'],
      ['an empty object', 200, '{}'],
    ],
  ),
  // Somebody or something else is unknown: that says nothing of the name that was asked for.
  ...formsOf(
    'bad-response',
    named,
    [
      "Unknown user: 'web'@'localhost'",
      "Unknown user 'api_ro'",
      'user "postgres" does not exist',
      'No user found in replica 2',
      'User module not found',
      'Car cache does not exist',
      'Invalid user credentials',
      'User "bob" does not exist.',
    ].map((body) => [body, 200, body]),
  ),
  ...formsOf('unavailable', named, [
    ['a user of a database with 500', 500, { error: "Unknown user 'api_ro'" }],
    // PHP without its database driver, in its own words.
    ['no database driver', 200, 'could not find driver'],
    ['no database driver with 404', 404, { error: 'could not find driver' }],
  ]),
  // The same where no name was asked for.
  ...formsOf('bad-response', nameless, [
    ['"Unkown user" as text', 200, 'Unkown user'],
    ['an unknown user as error', 200, { error: 'Unknown user' }],
  ]),
  ...formsOf('bad-response', nameless, [
    ['false', 200, 'false'],
    ['null', 200, 'null'],
  ]),
  ...formsOf('bad-response', ['chat-status', 'live'], [['an empty list', 200, '[]']]),
  ...formsOf('unavailable', nameless, [
    ['404', 404, complaint(404, 'Not found')],
    ['404 with nothing', 404, ''],
  ]),
  // Trouble on the service's side, whatever else it may resemble.
  ...formsOf('unavailable', all, [
    ['a database down', 200, { error: 'database down' }],
    ['an unknown column', 200, { error: "Unknown column 'user' in 'field list'" }],
    ['an unknown user of a database', 200, { error: "Unknown user 'web' of database" }],
    ['a database that refuses', 500, { error: "Access denied for user 'web'@'localhost'" }],
    ['a server out of memory', 500, 'Allowed memory limit exceeded'],
    ['500 with a message', 500, complaint(500, 'Internal error')],
    ['501 with a page', 501, page],
    ['502 with a page', 502, page],
    ['503 with nothing', 503, ''],
    ['504 with text', 504, 'upstream timed out'],
    ['404 with a page', 404, page],
    ['404 of a gateway', 404, '404 page not found'],
    ['403 with a page', 403, page],
  ]),
  ...formsOf(
    'rejected',
    all,
    [
      ['501', 501, complaint(501, 'Not implemented')],
      ['501 told with 200', 200, complaint(501, 'Not implemented')],
    ],
    'not-implemented',
  ),
  // Answers that cannot be read.
  ...formsOf('bad-response', all, [
    ['a page with 200', 200, page],
    ['an empty body', 200, ''],
    ['white space', 200, ' \r\n'],
    ['204', 204, ''],
    ['plain text', 200, 'hello'],
    ['an error that says nothing', 200, { error: true }],
    ['bare Infinity', 200, '{"username":"alice","players":{"1":{"x":Infinity}}}'],
    ['JSON that is cut off', 200, '{"username":"alice","play'],
    ['an error that goes down 100 000 levels', 200, `${'{"error":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      'a record with a field that goes down 100 000 levels',
      200,
      `{"username":"alice","vin":"AB12C","members":[],"players":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    ['a redirect', 302, '', { location: 'https://other.example/' }],
    ['a redirect for good', 308, page, { location: '/' }],
  ]),
  ...formsOf('bad-response', ofOneForm, [['another record', 200, { hello: 'world' }]]),
  ...formsOf('bad-response', all, [['a number', 200, '7']]),
  ...formsOf(
    'bad-response',
    ['live'],
    [['players none of whom can be read', 200, { players: { 1: 'x', 2: 7 } }]],
  ),
  ...formsOf(
    'bad-response',
    ['overview'],
    [['servers none of which can be read', 200, { one: 'x', two: {} }]],
  ),
  ...formsOf(
    'rejected',
    all,
    [
      ['400 with a message', 400, complaint(400, 'Bad request')],
      ['400 with nothing', 400, ''],
      ['400 told with 200', 200, complaint(400, 'Bad request')],
      ['400 with another number in its body', 400, complaint(429, 'Bad request')],
      ['418', 418, ''],
    ],
    'request',
  ),
  // Refusals: four meanings of one status.
  ...formsOf(
    'unauthorised',
    keyed,
    [
      ['403 not authorised', 403, complaint(403, 'Not authorised')],
      ['403 in American', 403, complaint(403, 'You are NOT AUTHORIZED')],
    ],
    'key',
  ),
  ...formsOf(
    'unauthorised',
    keyed,
    [['403 command not allowed', 403, complaint(403, 'Command not allowed')]],
    'command',
  ),
  ...formsOf(
    'unauthorised',
    keyed,
    [
      ['403 host not allowed', 403, complaint(403, 'Host not allowed')],
      ['403 about the address', 403, { error: 'your IP address is not on the list' }],
    ],
    'address',
  ),
  ...formsOf('over-budget', all, [
    // Spelt so by the service.
    ['403 rate limit', 403, complaint(403, 'Rate limited exceeded')],
    ['403 limit in other words', 403, complaint(403, 'hourly LIMIT was reached')],
  ]),
  // None of these names the key, so something in front of the service may have sent it.
  ...formsOf(
    'unavailable',
    all,
    [
      '',
      'error code: 1020',
      'Forbidden',
      'Access denied',
      'Request blocked by security policy',
      { error: 'Access Denied' },
      complaint(403),
      complaint(403, 'Undefined array key "token"'),
    ].map((body) => [`403 ${JSON.stringify(body)}`, 403, body]),
  ),
  ...formsOf(
    'unauthorised',
    all,
    [['an address that is blocked', 403, 'Access denied: your IP address has been banned']],
    'address',
  ),
  // The key is named, and refused beside it.
  ...formsOf(
    'unauthorised',
    ['profile', 'car', 'overview'],
    withEach(
      [200, 400, 403],
      [
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
      ],
    ),
    'key',
  ),
  // The word alone, which programs, databases and parsers use too.
  ...formsOf(
    'unavailable',
    ['profile', 'car', 'overview'],
    withEach(
      [200, 403, 500],
      [
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
      ],
    ),
  ),
  // Other services' and proxies' words for a limit.
  ...formsOf(
    'over-budget',
    all,
    [
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
    ].map((body) => [`"${body}" with 403`, 403, body]),
  ),
  ...formsOf(
    'unauthorised',
    named,
    [
      ['401', 401, complaint(401, 'Unknown key')],
      ['401 with nothing', 401, ''],
      ['400 for the key', 400, complaint(400, 'Invalid API key')],
      ['a refusal with 200', 200, complaint(403, 'Not authorised')],
      ['an unknown key with 200', 200, { error: 'Unknown API key' }],
    ],
    'key',
  ),
  // The published sentences decide by themselves, whatever the status beside them.
  ...[403, 404, 408, 500, 503].flatMap((status) => [
    ...formsOf('over-budget', all, [
      [
        `a published limit with ${status}`,
        status,
        complaint(403, 'Rate limited exceeded.'),
        { 'x-ratelimit-remaining': '719' },
      ],
    ]),
    ...formsOf(
      'unauthorised',
      keyed,
      [[`a published refusal of the key with ${status}`, status, complaint(403, 'Not authorised')]],
      'key',
    ),
    ...formsOf(
      'unauthorised',
      all,
      [[`a published refusal of the address with ${status}`, status, complaint(403, 'Host not allowed')]],
      'address',
    ),
    ...formsOf(
      'unauthorised',
      keyed,
      [[`a published refusal of the command with ${status}`, status, complaint(403, 'Command not allowed')]],
      'command',
    ),
  ]),
  ...formsOf('over-budget', all, [
    [
      '403 for a limit that its own headers deny',
      403,
      complaint(403, 'Rate limited exceeded'),
      { 'x-ratelimit-remaining': '620' },
    ],
    ['a limit with 200', 200, { error: 'Too many requests' }],
    ['429', 429, ''],
    ['429 with a page', 429, page],
    ['429 as text', 429, 'slow down, unknown user'],
  ]),
];
