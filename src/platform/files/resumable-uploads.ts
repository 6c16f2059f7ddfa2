import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { ERRORS, Metadata, Server } from '@tus/server';
import { loadOnce } from '../load-once.ts';
import { makeFolder } from './folders.ts';

/** Bytes that were received of an upload so far, and where they lie on this machine. */
type ReceivedUpload = { path: string; size: number; received: number };

/**
 * Receives files in parts by the tus protocol 1.0 (https://tus.io/protocols/resumable-upload). The caller decides who may send what:
 * this module takes every request that it is handed. Keys are 32 hex digits, made by this project.
 */
export type ResumableUploads = {
  /**
   * Answers a request about the upload `key`: POST creates it, HEAD says how much was received, PATCH receives more, DELETE removes it.
   * Errors have the statuses of the protocol (409 for a wrong offset, 410 after `expireMs`) and a text for programs.
   */
  serve(request: Request, key: string): Promise<Response>;
  /** Returns null when there is no such upload. */
  find(key: string): Promise<ReceivedUpload | null>;
  /** Removes the bytes and what the protocol knows about them; does nothing when there are none. */
  remove(key: string): Promise<void>;
  /** Returns the keys of all uploads of which anything lies here, and when it last changed (epoch milliseconds). */
  list(): Promise<{ key: string; modifiedAt: number }[]>;
};

const KEY = /^[0-9a-f]{32}$/;

/** `path` is the address of the protocol. The folder is created with the first upload; nodes of one site share it. */
export function createResumableUploads(options: {
  folder: string;
  path: string;
  maxBytes: number;
  expireMs: number;
}): ResumableUploads {
  const { folder, path, maxBytes, expireMs } = options;
  /** The key of each request under way: the protocol's own code would take any text of the address. */
  const keys = new WeakMap<Request, string>();
  const keyOf = (request: Request) => keys.get(request) ?? '';
  const open = loadOnce(async () => {
    await makeFolder(folder, 0o700);
    const store = new FileStore({ directory: folder, expirationPeriodInMilliseconds: expireMs });
    const server = new Server({
      path,
      datastore: store,
      maxSize: maxBytes,
      relativeLocation: true,
      namingFunction: keyOf,
      getFileIdFromRequest: keyOf,
    });
    return { store, server };
  });

  return {
    async serve(request, key) {
      const { server } = await open();
      keys.set(request, key);
      const response = await server.handleWeb(request);
      // Pages of other sites have no business here.
      const headers = [...response.headers].filter(([name]) => !name.startsWith('access-control-'));
      return new Response(response.body, { status: response.status, headers });
    },
    async find(key) {
      if (!KEY.test(key)) return null;
      const { store } = await open();
      try {
        const { size = 0, offset } = await store.getUpload(key);
        return { path: join(folder, key), size, received: offset };
      } catch (error) {
        if (error === ERRORS.FILE_NOT_FOUND || error === ERRORS.FILE_NO_LONGER_EXISTS) return null;
        throw error;
      }
    },
    async remove(key) {
      if (!KEY.test(key)) return;
      // FileStore keeps what it knows about an upload beside the bytes.
      for (const name of [key, `${key}.json`]) await rm(join(folder, name), { force: true });
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const changed = new Map<string, number>();
      for (const name of names) {
        // A removal that was cut off may have left the one without the other.
        const key = name.replace(/\.json$/, '');
        if (!KEY.test(key)) continue;
        const at = (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0;
        changed.set(key, Math.max(changed.get(key) ?? 0, at));
      }
      return [...changed].map(([key, modifiedAt]) => ({ key, modifiedAt }));
    },
  };
}

/** Returns a value of an Upload-Metadata header as text; "" when it is missing or not readable. */
export function uploadMetadata(header: string | null, name: string): string {
  try {
    return Metadata.parse(header ?? undefined)[name] ?? '';
  } catch {
    return '';
  }
}
