import { describe, expect, test } from 'vitest';
import { describeProblems, readConfig, readStorePlace, whyWrong } from '../../src/base/config.ts';

const good = {
  DISCORD_TOKEN: 'MTIzNDU2.token-of-the-bot',
  SERVICE_URL: 'https://data.example/api/',
  SERVICE_KEY: 'key-of-the-service',
};

describe('good settings', () => {
  test('need only the three required ones, and have defaults for the rest', () => {
    expect(readConfig(good)).toEqual({
      problems: null,
      config: {
        discord: {
          token: good.DISCORD_TOKEN,
          apiUrl: null,
          guildId: null,
          shards: 'auto',
        },
        service: {
          url: 'https://data.example/api',
          key: good.SERVICE_KEY,
          game: 'drivesim',
          chatPath: 'chat_status',
        },
        store: { kind: 'sqlite', file: 'data/pitwall.sqlite' },
        storeApplication: null,
        logLevel: 'info',
        http: null,
        drivers: { hidden: [], shown: [] },
        readmeUrl: null,
      },
    });
  });

  test('lets optional settings be empty, and ignores white space around values', () => {
    const { config } = readConfig({
      ...good,
      SERVICE_KEY: ` ${good.SERVICE_KEY}\r\n`,
      DISCORD_API_URL: '',
      DISCORD_GUILD_ID: '  ',
      SERVICE_GAME: '',
      LOG_LEVEL: '',
    });
    expect(config?.service).toMatchObject({ key: good.SERVICE_KEY, game: 'drivesim' });
    expect(config?.discord).toMatchObject({ apiUrl: null, guildId: null });
  });

  test.for([
    ['DISCORD_API_URL', 'http://127.0.0.1:8080/api'],
    ['DISCORD_API_URL', 'http://localhost:8080/api/'],
    ['DISCORD_API_URL', 'http://[::1]:8080/api'],
    ['DISCORD_API_URL', 'https://chat.example/api'],
    ['DISCORD_API_URL', 'http://rest-proxy:8080/api'],
    ['DISCORD_API_URL', 'http://10.1.2.3:8080/api'],
    ['DISCORD_GUILD_ID', '123456789012345678'],
    ['STORE_APPLICATION', '123456789012345678'],
    ['SHARDS', 'auto'],
    ['SHARDS', '16'],
    ['SERVICE_URL', 'http://127.8.9.1:1'],
    ['SERVICE_URL', 'HTTPS://data.example'],
    ['SERVICE_GAME', 'other-game_2'],
    ['SERVICE_CHAT_PATH', '/chat/status'],
    ['STORE_URL', 'sqlite:///var/lib/pitwall/store.sqlite'],
    ['STORE_URL', 'sqlite://../store.sqlite'],
    ['STORE_URL', 'postgres://pitwall@127.0.0.1:5433/pitwall'],
    ['STORE_URL', 'postgresql://pitwall@localhost/db'],
    ['STORE_URL', 'postgres://pitwall@[::1]:5432/db'],
    ['STORE_URL', 'postgres://pitwall@postgres/db?sslmode=disable'],
    ['STORE_URL', 'postgres://pitwall@172.20.0.2/db'],
    ['STORE_URL', 'postgres://pitwall@[fd12:3456::1]/db'],
    ['STORE_URL', 'postgres://pitwall@localhost/db?host=/run/postgresql'],
    ['STORE_URL', 'postgres://user:p%40ss@store.example:6432/db?sslmode=require'],
    ['LOG_LEVEL', 'trace'],
    ['HTTP_PORT', '9090'],
    ['README_URL', 'https://example.org/pitwall#readme'],
  ] as const)('%s may be %s', ([variable, value]) => {
    expect(readConfig({ ...good, [variable]: value }).problems).toBeNull();
  });

  test('name the database file as it is written after sqlite://', () => {
    expect(readConfig({ ...good, STORE_URL: 'sqlite:///a b/c%20d.sqlite' }).config?.store).toEqual({
      kind: 'sqlite',
      file: '/a b/c%20d.sqlite',
    });
  });
});

test.for([
  ['9090', { host: '127.0.0.1', port: 9090 }],
  ['0', { host: '127.0.0.1', port: 0 }],
  ['0.0.0.0:9090', { host: '0.0.0.0', port: 9090 }],
  ['[::]:65535', { host: '::', port: 65_535 }],
  ['localhost:80', { host: 'localhost', port: 80 }],
] as const)('HTTP_PORT=%s is on this machine alone unless it says otherwise', ([written, address]) => {
  expect(readConfig({ ...good, HTTP_PORT: written }).config?.http).toEqual(address);
});

test('knows the password of PostgreSQL encoded and decoded, so that neither is logged', () => {
  const { config } = readConfig({
    ...good,
    STORE_URL: 'postgres://pitwall:p%40ss%2Fword@[::1]/db?sslmode=verify-full',
  });
  expect(config?.store).toEqual({
    kind: 'postgres',
    address: {
      ...{ host: '::1', port: 5432, user: 'pitwall', password: 'p@ss/word', database: 'db' },
      isEncrypted: true,
    },
    secrets: ['p%40ss%2Fword', 'p@ss/word'],
  });
});

describe('a bad setting', () => {
  test('that names Redis says how to move', () => {
    for (const STORE_URL of ['redis://127.0.0.1:6379', 'rediss://user:p@store.example/1'])
      expect(readConfig({ ...good, STORE_URL }).problems?.[0]?.wrong).toContain('npm run move -- FILE');
  });

  test.for([
    ['DISCORD_TOKEN', ''],
    ['DISCORD_TOKEN', 'Bot abc.def'],
    ['DISCORD_API_URL', 'http://chat.example/api'],
    ['DISCORD_API_URL', 'http://127.0.0.1.example/api'],
    ['DISCORD_API_URL', 'http://localhost.example/api'],
    ['DISCORD_API_URL', 'https://user:pass@chat.example/api'],
    ['DISCORD_API_URL', 'https://chat.example/api?x=1'],
    ['DISCORD_API_URL', 'https://chat.example/api#'],
    ['DISCORD_API_URL', 'ws://127.0.0.1/api'],
    ['DISCORD_API_URL', 'chat.example'],
    ['DISCORD_GUILD_ID', 'my server'],
    ['SERVICE_URL', ''],
    ['SERVICE_URL', 'http://data.example'],
    ['SERVICE_URL', 'http://10.0.0.1:8080'],
    ['SERVICE_URL', 'https://data.example/?key=key-of-the-service'],
    ['SERVICE_URL', 'https://data.example/?'],
    ['SERVICE_URL', 'file:///etc/passwd'],
    ['SERVICE_KEY', '  '],
    ['SERVICE_KEY', 'two words'],
    ['SERVICE_GAME', 'a/b'],
    ['SERVICE_GAME', '..'],
    ['SERVICE_CHAT_PATH', '../chat_status'],
    ['SERVICE_CHAT_PATH', 'a/./b'],
    ['SERVICE_CHAT_PATH', 'chat?x=1'],
    ['STORE_APPLICATION', 'pitwall'],
    ['SHARDS', '0'],
    ['SHARDS', '16385'],
    ['SHARDS', '5-3/16'],
    ['SHARDS', '16/16'],
    ['SHARDS', '-1/16'],
    ['SHARDS', '3/'],
    ['SHARDS', 'all'],
    ['STORE_URL', 'sqlite://'],
    ['STORE_URL', 'data/pitwall.sqlite'],
    ['STORE_URL', 'sqlite://:memory:'],
    ['STORE_URL', 'sqlite://~/pitwall.sqlite'],
    ['STORE_URL', 'postgres://pitwall@store.example/db'],
    ['STORE_URL', 'postgres://pitwall@store.example/db?sslmode=disable'],
    ['STORE_URL', 'postgres://pitwall@172.32.0.2/db'],
    ['STORE_URL', 'postgres://pitwall@10.1.2.3.example/db'],
    ['STORE_URL', 'postgres://'],
    ['STORE_URL', 'postgres:127.0.0.1'],
    ['STORE_URL', 'postgres://127.0.0.1/db'],
    ['STORE_URL', 'postgres://pitwall@127.0.0.1'],
    ['STORE_URL', 'postgres://pitwall@127.0.0.1/db?x=1'],
    ['STORE_URL', 'postgres://pitwall@127.0.0.1/db?sslmode=prefer'],
    ['STORE_URL', 'postgres://pitwall:%ff@127.0.0.1/db'],
    ['STORE_URL', 'mysql://pitwall@127.0.0.1/db'],
    ['LOG_LEVEL', 'loud'],
    ['HTTP_PORT', 'yes'],
    ['HTTP_PORT', '65536'],
    ['HTTP_PORT', ':9090'],
    ['HTTP_PORT', '0.0.0.0'],
    ['HTTP_PORT', ':::9090'],
    ['HTTP_PORT', 'http://localhost:9090'],
    ['README_URL', 'http://example.org/readme'],
    ['README_URL', 'readme'],
    // Wrong in two ways, and one setting.
    ['README_URL', 'http://localhost'],
    ['DISCORD_API_URL', 'https://chat.example/api/v10'],
  ] as const)(
    '%s = %j is refused by name, with what is expected and where to find it',
    ([variable, value]) => {
      const { config, problems } = readConfig({ ...good, [variable]: value });
      expect(config).toBeNull();
      expect(problems?.map((problem) => problem.variable)).toEqual([variable]);
      for (const text of Object.values(problems?.[0] ?? {})) expect(text).not.toBe('');
    },
  );

  test.for([
    ['DISCORD_TOKEN', `"${good.DISCORD_TOKEN}"`],
    ['SERVICE_KEY', `'${good.SERVICE_KEY}'`],
    ['SERVICE_URL', `"${good.SERVICE_URL}"`],
    ['STORE_URL', "'postgres://pitwall@127.0.0.1/db'"],
    ['LOG_LEVEL', '"info"'],
    ['HIDDEN_DRIVERS', '"ann,bob"'],
  ] as const)('%s = %s is named as standing in quotes', ([variable, value]) => {
    const { problems } = readConfig({ ...good, [variable]: value });
    expect(problems?.map((problem) => [problem.variable, problem.wrong])).toEqual([
      [variable, expect.stringContaining('quotes')],
    ]);
    expect(whyWrong(variable, value)).toContain('quotes');
    expect(readStorePlace({ [variable]: value })).toMatchObject(
      variable === 'STORE_URL' ? { wrong: expect.stringContaining('quotes') } : { kind: 'sqlite' },
    );
  });

  test.each(['p/ss', 'p#ss', 'p?ss', '100%', 'a%zz', '/', '12/3'])(
    'a password with %j as it is: percent encoding is what it needs',
    (password) => {
      const urlWith = (form: string) => ({
        ...good,
        STORE_URL: `postgres://pitwall:${form}@127.0.0.1:5432/db`,
      });
      const { problems } = readConfig(urlWith(password));
      expect(problems?.map(({ wrong }) => wrong)).toEqual([expect.stringContaining('percent-encoded')]);
      expect(readConfig(urlWith(encodeURIComponent(password))).problems).toBeNull();
    },
  );

  test('does not hide another: all are listed at once', () => {
    const { problems } = readConfig({
      SERVICE_URL: 'http://data.example',
      LOG_LEVEL: 'loud',
      DISCORD_GUILD_ID: 'x',
    });
    expect(problems?.map(({ variable }) => variable)).toEqual([
      'DISCORD_TOKEN',
      'DISCORD_GUILD_ID',
      'SERVICE_URL',
      'SERVICE_KEY',
      'LOG_LEVEL',
    ]);
    const list = describeProblems(problems ?? []);
    expect(list).toMatch(/5 settings/);
    expect(list.match(/expected:/g)).toHaveLength(5);
  });

  test('is not repeated in the list: it may be a secret, or hold one', () => {
    const secret = 'a-most-secret-value';
    const { problems } = readConfig({
      DISCORD_TOKEN: `Bot ${secret}`,
      DISCORD_API_URL: `https://x:${secret}@chat.example`,
      DISCORD_GUILD_ID: secret,
      SERVICE_URL: `http://data.example/?key=${secret}`,
      SERVICE_KEY: `${secret} ${secret}`,
      SERVICE_GAME: `${secret}/`,
      SERVICE_CHAT_PATH: `?${secret}`,
      STORE_URL: `postgres://pitwall:${secret}@host.example/db`,
      LOG_LEVEL: secret,
      HTTP_PORT: secret,
    });
    expect(problems).toHaveLength(10);
    expect(describeProblems(problems ?? [])).not.toContain(secret);
  });
});

describe('shards', () => {
  const shared = { ...good, STORE_URL: 'postgres://pitwall@store/db' };

  test.for([
    ['auto', 'auto'],
    ['16', { first: 0, last: 15, total: 16 }],
    ['3/16', { first: 3, last: 3, total: 16 }],
    ['0-7/16', { first: 0, last: 7, total: 16 }],
  ])('%s', ([SHARDS, shards]) => {
    expect(readConfig({ ...shared, SHARDS: String(SHARDS) }).config?.discord.shards).toEqual(shards);
  });

  test('a part of them needs a store that the processes share', () => {
    const { problems } = readConfig({ ...good, SHARDS: '0/2' });
    expect(problems).toMatchObject([{ variable: 'SHARDS', wrong: expect.stringContaining('STORE_URL') }]);
    const wrong = (also: object) =>
      readConfig({ ...good, SHARDS: '0/2', ...also }).problems?.map(({ variable }) => variable);
    expect(wrong({ LOG_LEVEL: 'loud', SERVICE_KEY: '' })).toEqual(['SERVICE_KEY', 'LOG_LEVEL', 'SHARDS']);
    expect(wrong({ STORE_URL: 'nowhere' })).toEqual(['STORE_URL']);
    expect(wrong({ SHARDS: '3/' })).toEqual(['SHARDS']);
  });
});
