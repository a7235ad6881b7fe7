/** Files that were sent with messages, and where they can be fetched. */
import type { APIAttachment } from 'discord-api-types/v10';
import { refusal } from './api-error.ts';
import type { RestRequest, Route, UploadedFile } from './rest.ts';

export interface Attachments {
  /** Takes in the files of a request, named as its `attachments` say where they do. */
  keep(files: RestRequest['files']): APIAttachment[];
  readonly routes: readonly Route[];
}

/** `origin` is asked late: the port is not known before the server listens. */
export function createAttachments(nextId: () => string, origin: () => string): Attachments {
  const kept = new Map<string, UploadedFile>();
  return {
    keep: (files) =>
      files.map((file) => {
        const id = nextId();
        kept.set(id, file);
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
          const file = kept.get(id ?? '');
          if (file === undefined) throw refusal('no-such-route');
          return { status: 200, file };
        },
      },
    ],
  };
}
