/** Files sent with messages, and the addresses they can be fetched from. */
import type { APIAttachment } from 'discord.js';
import { refusal } from '../api-error.ts';
import type { MessageForm } from '../judge/message-form.ts';
import type { RestRequest, Route, UploadedFile } from '../rest/rest.ts';

export interface Attachments {
  /** Stores the files of a request, with the alt texts that its `attachments` give by the files' numbers. */
  keep(files: RestRequest['files'], described: MessageForm['attachments']): APIAttachment[];
  readonly routes: readonly Route[];
}

/** `origin` is a function because the port is not known before the server listens. */
export function createAttachments(nextId: () => string, origin: () => string): Attachments {
  const stored = new Map<string, UploadedFile>();
  return {
    keep: (files, described) =>
      files.map((file) => {
        const id = nextId();
        stored.set(id, file);
        const url = `${origin()}/attachments/${id}/${encodeURIComponent(file.name)}`;
        const { index, name: filename, bytes, type } = file;
        const description = described?.find((one) => String(one.id) === String(index))?.description;
        return {
          id,
          filename,
          size: bytes.length,
          url,
          proxy_url: url,
          content_type: type,
          ...(description ? { description } : {}),
          ...sizeOfPng(bytes),
        };
      }),
    routes: [
      {
        method: 'GET',
        path: '/attachments/*/*',
        open: true,
        handle: (_, id) => {
          const file = stored.get(id ?? '');
          if (file === undefined) throw refusal('no-such-route');
          return { status: 200, file };
        },
      },
    ],
  };
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** In pixels, from the header, which a PNG begins with; none for another file. */
function sizeOfPng(bytes: Uint8Array): Pick<APIAttachment, 'width' | 'height'> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 24 || !file.subarray(0, PNG.length).equals(PNG)) return {};
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}
