import { randomBytes } from 'node:crypto';
import { findSession } from '../../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../../context.ts';
import { refusalReasons } from '../../../ingest/refusals.ts';
import { findDiskShortage } from '../../../ingest/server/source/disk-space.ts';
import { uploadMetadata } from '../../../platform/files/resumable-uploads.ts';
import { refuseMethod, toResponse } from '../../../platform/http/api/api.ts';
import { tokenOf } from '../../../platform/http/client-address.ts';
import { CODE, type Code } from '../../../protocol/codes.ts';
import { badRequest, notFound, notLoggedIn, Refusal, sessionInvalid, unavailable } from '../../../protocol/envelope.ts';
import { notInGroup } from '../../rules.ts';
import { checkQuota, UPLOAD_PATH, uploadLimits, uploadName } from '../../rules-uploads.ts';
import { countJoinedGroups } from '../store.ts';
import { deleteUnchecked, insertUpload, lockUsage, selectOwnUpload, selectUsage } from './store.ts';

const PATH = new RegExp(`^${UPLOAD_PATH}(?:/([0-9a-f]{32}))?/?$`);
const METHODS: Record<'collection' | 'upload', readonly string[]> = {
  collection: ['POST', 'OPTIONS'],
  upload: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
};

/** The content type of each part; the library would answer another with 400 or 403. */
const PART_TYPE = 'application/offset+octet-stream';

/** The transport's status of a refusal: a client of tus reads any 2xx as success. */
const STATUSES: Partial<Record<Code, number>> = {
  [CODE.notLoggedIn]: 401,
  [CODE.sessionInvalid]: 401,
  [CODE.failed]: 403,
  [CODE.notPermitted]: 403,
  [CODE.notFound]: 404,
  [CODE.tooFrequent]: 429,
};

/**
 * Serves /api/upload by the tus protocol (C-120): members of groups send files in parts, and only who began an upload goes on with it. The
 * session comes from the token alone, as with every POST (C-02). Refusals are envelopes with the status of the protocol.
 */
export async function serveUpload(ctx: Ctx, request: Request): Promise<Response> {
  try {
    return await answer(ctx, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, data, status } = error;
    return toResponse(new Refusal(code, message, data, status === 200 ? (STATUSES[code] ?? 400) : status));
  }
}

async function answer(ctx: Ctx, request: Request): Promise<Response> {
  const match = PATH.exec(new URL(request.url).pathname);
  if (!match) throw badRequest(404, '接口不存在');
  const key = match[1];
  const method = request.method;
  // The protocol lets a header replace the method, which would reach methods that are closed here.
  const methods = METHODS[key ? 'upload' : 'collection'];
  if (!methods.includes(method) || request.headers.has('x-http-method-override')) return refuseMethod(methods);
  const session = await findSession(
    ctx,
    tokenOf((name) => request.headers.get(name)),
  );
  if (session === 'none') throw notLoggedIn();
  if (session === 'revoked') throw sessionInvalid();
  if (!key) return method === 'POST' ? begin(ctx, request, session.userId) : protocolAnswer(ctx, request, '');
  const upload = await selectOwnUpload(ctx.db, key, session.userId);
  if (upload?.state !== 'receiving') throw notFound();
  if (method === 'PATCH' && request.headers.get('content-type') !== PART_TYPE)
    throw badRequest(415, `请求体须为 ${PART_TYPE}`);
  const response = await protocolAnswer(ctx, request, key);
  if (method === 'DELETE' && response.ok) await deleteUnchecked(ctx.db, upload.id);
  return response;
}

/** Begins an upload: limits first, then a row that counts against the quota, then the empty file. */
async function begin(ctx: Ctx, request: Request, userId: number): Promise<Response> {
  const who = `u${userId}`;
  await ctx.limiter.take(UPLOAD_PATH, who, uploadLimits.beginningsPerMinute);
  await ctx.limiter.take(UPLOAD_PATH, who, uploadLimits.beginningsPerHour, { seconds: 3_600 });
  const bytes = announcedBytes(request.headers);
  if ((await countJoinedGroups(ctx.db, userId)) === 0) throw notInGroup();
  if ((await findDiskShortage(ctx, bytes)) !== null) throw unavailable();
  const key = randomBytes(16).toString('hex');
  const name = uploadName(uploadMetadata(request.headers.get('upload-metadata'), 'filename'));
  await transact(ctx, async (tx) => {
    await lockUsage(tx.db, userId);
    checkQuota(await selectUsage(tx.db, userId), bytes);
    await insertUpload(tx.db, { key, userId, name, sizeBytes: bytes, createdAt: new Date(ctx.clock.now()) });
  });
  const response = await protocolAnswer(ctx, request, key).catch((error: unknown) => error);
  if (response instanceof Response && response.status === 201) return response;
  const upload = await selectOwnUpload(ctx.db, key, userId);
  if (upload) await deleteUnchecked(ctx.db, upload.id);
  await ctx.uploads.remove(key);
  if (response instanceof Response) return response;
  throw response;
}

/** Returns the size that the client announces. Throws badRequest with a text for a person: 413 for a file that is too large. */
function announcedBytes(headers: Headers): number {
  const text = headers.get('upload-length') ?? '';
  if (!/^\d{1,15}$/.test(text) || headers.has('upload-defer-length')) throw badRequest(400, '请说明文件的大小');
  if (headers.has('upload-concat')) throw badRequest(400, '不支持分段合并上传，请整个上传文件');
  const bytes = Number(text);
  if (bytes === 0) throw badRequest(400, refusalReasons.empty.user);
  if (bytes > uploadLimits.fileBytes) throw badRequest(413, refusalReasons['too-large'].user);
  return bytes;
}

/** Lets the protocol answer, with the envelope in place of its English error texts. */
async function protocolAnswer(ctx: Ctx, request: Request, key: string): Promise<Response> {
  const response = await ctx.uploads.serve(request, key);
  if (response.status < 400) return response;
  await response.body?.cancel();
  const answer = toResponse(new Refusal(CODE.invalid, protocolText(response.status), null, response.status));
  const tus = response.headers.get('tus-resumable');
  if (tus) answer.headers.set('tus-resumable', tus);
  return answer;
}

/** Says what helps after an error of the protocol: to go on, or to begin once more. */
function protocolText(status: number): string {
  if (status === 413) return '文件与开始上传时不一致，请重新上传';
  if (status === 410) return '上传已过期，请重新上传';
  return status === 409 || status === 423 || status >= 500 ? '上传中断，请继续上传' : '上传请求不符合 tus 协议';
}
