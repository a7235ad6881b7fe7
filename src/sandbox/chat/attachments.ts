/** Files sent with messages, and the addresses they can be fetched from. */
import type { APIAttachment } from 'discord-api-types/v10';
import { refusal } from './api-error.ts';
import type { RestRequest, Route, UploadedFile } from './rest.ts';

export interface Attachments {
  /** Stores the files of a request under the names in its `attachments`, where given. */
  keep(files: RestRequest['files']): APIAttachment[];
  readonly routes: readonly Route[];
}

/** `origin` is a function because the port is not known before the server listens. */
export function createAttachments(nextId: () => string, origin: () => string): Attachments {
  const stored = new Map<string, UploadedFile>();
  return {
    keep: (files) =>
      files.map((file) => {
        const id = nextId();
        stored.set(id, file);
        const url = `${origin()}/attachments/${id}/${encodeURIComponent(file.name)}`;
        const { name: filename, bytes, type } = file;
        return { id, filename, size: bytes.length, url, proxy_url: url, content_type: type };
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
