/** The application's own emoji, and the addresses of their pictures. */
import type { APIApplicationEmoji, APIUser } from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import { complain, readForm, verbatim } from '../judge/form.ts';
import type { Answer, RestRequest, Route, UploadedFile } from '../rest/rest.ts';

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

  function isFree({ name: wanted }: { readonly name: string }, context: z.core.$RefinementCtx): void {
    if (![...kept.values()].some(({ emoji }) => emoji.name === wanted)) return;
    complain(context, 'APPLICATION_EMOJI_NAME_ALREADY_TAKEN', 'Emoji name is already taken', ['name']);
  }

  const find = (id: string): Kept => {
    const one = kept.get(id);
    if (one === undefined) throw refusal('unknown-emoji');
    return one;
  };

  return {
    pictureOf: (id) => (kept.has(id) ? `${origin()}/emojis/${id}` : null),
    routes: emojiRoutes(bot.id, {
      find,
      all: () => [...kept.values()].map(({ emoji }) => emoji),
      create(body) {
        const form = readForm(Created.superRefine(isFree), body);
        if (kept.size >= MOST) throw refusal('too-many-emojis');
        const emoji = given(nextId(), form.name, bot);
        kept.set(emoji.id, { emoji, file: { index: 0, name: form.name, ...form.image } });
        return emoji;
      },
      remove: (id) => void kept.delete(find(id).emoji.id),
    }),
  };
}

/** Each throws where Discord would refuse. */
interface Stock {
  all(): readonly APIApplicationEmoji[];
  find(id: string): Kept;
  create(body: unknown): APIApplicationEmoji;
  remove(id: string): void;
}

function emojiRoutes(ownId: string, { all, find, create, remove }: Stock): readonly Route[] {
  const path = '/applications/*/emojis';
  const one = `${path}/*`;
  /** Refuses others' emoji. */
  const own =
    (handle: (request: RestRequest, id: string) => Answer): Route['handle'] =>
    (request, applicationId, id = '') => {
      if (applicationId !== ownId) throw refusal('unknown-application');
      return handle(request, id);
    };
  return [
    { method: 'GET', path, handle: own(() => ({ status: 200, body: { items: all() } })) },
    { method: 'POST', path, handle: own(({ body }) => ({ status: 201, body: create(body) })) },
    { method: 'GET', path: one, handle: own((_, id) => ({ status: 200, body: find(id).emoji })) },
    {
      ...{ method: 'DELETE', path: one },
      handle: own((_, id) => {
        remove(id);
        return { status: 204 };
      }),
    },
    {
      ...{ method: 'GET', path: '/emojis/*', open: true },
      handle: (_, id = '') => ({ status: 200, file: find(id).file }),
    },
  ];
}

function given(id: string, called: string, user: APIUser): APIApplicationEmoji {
  return {
    ...{ id, name: called, user, roles: [], animated: false },
    ...{ require_colons: true, managed: false, available: true },
  };
}
