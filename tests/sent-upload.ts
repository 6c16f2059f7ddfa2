import { expect } from 'vitest';
import { addGroupFile, joinGroup } from '../src/groups/contract.ts';
import { readUploadTaskId, UPLOAD_PATH } from '../src/groups/rules-uploads.ts';
import { prepareUpload } from '../src/groups/server/uploads/prepare-upload.ts';
import { serveUpload } from '../src/groups/server/uploads/receive-upload.ts';
import { serveUploadFile } from '../src/groups/server/uploads/serve-upload-file.ts';
import type { DrawOptions } from '../src/ingest/server/steps/draw-private-file.ts';
import { expectOk } from '../src/protocol/call.ts';
import { doc2png } from '../src/reading/contract.ts';
import { buying } from './buyers.ts';
import type { Person } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Uploads of members by the tus protocol, as a client sends them. `appOf`: the app, once it is open. */
export function uploading(appOf: () => TestApp) {
  const { addBuyer } = buying(appOf);

  /** A member who is in these groups. */
  async function addMemberOf(...gids: number[]): Promise<Person> {
    const member = await addBuyer({ tier: 1 });
    for (const gid of gids) expectOk(await appOf().call(joinGroup, { gid }, member.token));
    return member;
  }

  /** A request of the protocol; `path` is what follows /api/upload. */
  function tus(
    method: string,
    path: string,
    token: string | undefined,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Response> {
    const request = new Request(`http://ceku.test${UPLOAD_PATH}${path}`, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...(token && { token }), ...headers },
      ...(body && { body: Buffer.from(body) }),
    });
    return serveUpload(appOf().ctx, request);
  }

  const begin = (token: string | undefined, bytes: number | string, name = '方案.pdf') =>
    tus('POST', '', token, {
      'upload-length': String(bytes),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    });

  const sendPart = (key: string, token: string, offset: number, part: Uint8Array) =>
    tus(
      'PATCH',
      `/${key}`,
      token,
      {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
        'content-length': String(part.length),
      },
      part,
    );

  /** Begins an upload and returns its key. */
  async function beginKey(token: string, bytes: number, name?: string): Promise<string> {
    const response = await begin(token, bytes, name);
    expect(response.status, await response.clone().text()).toBe(201);
    return (response.headers.get('location') ?? '').slice(UPLOAD_PATH.length + 1);
  }

  /** Sends a whole file and returns its key. */
  async function send(token: string, bytes: Uint8Array, name?: string): Promise<string> {
    const key = await beginKey(token, bytes.length, name);
    expect((await sendPart(key, token, 0, bytes)).status).toBe(204);
    return key;
  }

  /** Has a file checked and its conversion started; returns its id. */
  async function check(token: string, key: string): Promise<number> {
    const { task_id } = expectOk(await appOf().call(doc2png, { oss_name: key }, token));
    return readUploadTaskId(task_id) ?? 0;
  }

  /** Sends a file, has it checked, puts it on the shelf of a group and draws its pages. Returns its id and key. */
  async function shelve(
    member: Person,
    gid: number,
    bytes: Uint8Array,
    { name, ...options }: DrawOptions & { name?: string } = {},
  ): Promise<{ id: number; key: string }> {
    const key = await send(member.token, bytes, name);
    const id = await check(member.token, key);
    expectOk(await appOf().call(addGroupFile, { gid, oss_name: key }, member.token));
    await prepareUpload(appOf().ctx, id, { number: 1, isLast: true, signal: undefined }, options);
    return { id, key };
  }

  /** Asks for a page or the original of an uploaded file. */
  const getFile = (path: string, token?: string, headers: Record<string, string> = {}) =>
    serveUploadFile(
      appOf().ctx,
      new Request(`http://ceku.test${path}`, { headers: { ...(token && { token }), ...headers } }),
    );

  /** The keys of everything that lies in the file store or is being received. */
  async function listStored(): Promise<string[]> {
    const { files, uploads } = appOf().ctx;
    const found = (await uploads.list()).map(({ key }) => key);
    for await (const { key } of files.list('uploads')) found.push(key);
    return found;
  }

  return { addMemberOf, tus, begin, beginKey, sendPart, send, check, shelve, getFile, listStored };
}
