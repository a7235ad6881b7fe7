/** The application's own emoji, and the addresses of their pictures. */
import type { APIApplicationEmoji, APIUser } from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from './api-error.ts';
import { complain, readForm, verbatim } from './form.ts';
import type { Route, UploadedFile } from './rest.ts';

export interface Emojis {
  /** The address of an emoji's picture; null where there is no such emoji. */
  pictureOf(id: string): string | null;
  readonly routes: readonly Route[];
}

const MOST = 2000;
/** Bytes of a picture. */
const LARGEST = 256 * 1024;
const KINDS = ['png', 'jpeg', 'gif', 'webp', 'avif'];

const name = verbatim(32, 2).superRefine((value, context) => {
  if (!/^\w*$/.test(value))
    complain(context, 'STRING_TYPE_REGEX', 'String value did not match validation regex.');
});

const image = z.string().transform((address, context): Omit<UploadedFile, 'index' | 'name'> => {
  const [, kind = '', data = ''] = /^data:image\/(\w+);base64,([\w+/]+=*)$/.exec(address) ?? [];
  const bytes = Buffer.from(data, 'base64');
  if (!KINDS.includes(kind)) complain(context, 'IMAGE_INVALID', 'Invalid image data');
  else if (bytes.length > LARGEST)
    complain(context, 'BINARY_TYPE_MAX_SIZE', 'File cannot be larger than 256.0 kb.');
  return { type: `image/${kind}`, bytes };
});

const Created = z.object({ name, image });

interface Kept {
  readonly emoji: APIApplicationEmoji;
  readonly file: UploadedFile;
}

/** `origin` is a function because the port is not known before the server listens. */
export function createEmojis(bot: APIUser, nextId: () => string, origin: () => string): Emojis {
  const kept = new Map<string, Kept>();
  const base = '/applications/*/emojis';
  const own = (applicationId = ''): void => {
    if (applicationId !== bot.id) throw refusal('unknown-application');
  };
  const required = (id = ''): Kept => {
    const one = kept.get(id);
    if (one === undefined) throw refusal('unknown-emoji');
    return one;
  };

  function create(body: unknown): APIApplicationEmoji {
    const form = readForm(Created.superRefine(isFree), body);
    if (kept.size >= MOST) throw refusal('too-many-emojis');
    const emoji = given(nextId(), form.name, bot);
    kept.set(emoji.id, { emoji, file: { index: 0, name: form.name, ...form.image } });
    return emoji;
  }

  function isFree({ name: wanted }: { readonly name: string }, context: z.core.$RefinementCtx): void {
    if (![...kept.values()].some(({ emoji }) => emoji.name === wanted)) return;
    complain(context, 'APPLICATION_EMOJI_NAME_ALREADY_TAKEN', 'Emoji name is already taken', ['name']);
  }

  return {
    pictureOf: (id) => (kept.has(id) ? `${origin()}/emojis/${id}` : null),
    routes: [
      {
        ...{ method: 'GET', path: base },
        handle(_, applicationId) {
          own(applicationId);
          return { status: 200, body: { items: [...kept.values()].map(({ emoji }) => emoji) } };
        },
      },
      {
        ...{ method: 'POST', path: base },
        handle({ body }, applicationId) {
          own(applicationId);
          return { status: 201, body: create(body) };
        },
      },
      {
        ...{ method: 'GET', path: `${base}/*` },
        handle(_, applicationId, id) {
          own(applicationId);
          return { status: 200, body: required(id).emoji };
        },
      },
      {
        ...{ method: 'DELETE', path: `${base}/*` },
        handle(_, applicationId, id) {
          own(applicationId);
          kept.delete(required(id).emoji.id);
          return { status: 204 };
        },
      },
      {
        ...{ method: 'GET', path: '/emojis/*', open: true },
        handle: (_, id) => ({ status: 200, file: required(id).file }),
      },
    ],
  };
}

function given(id: string, called: string, user: APIUser): APIApplicationEmoji {
  return {
    ...{ id, name: called, user, roles: [], animated: false },
    ...{ require_colons: true, managed: false, available: true },
  };
}
