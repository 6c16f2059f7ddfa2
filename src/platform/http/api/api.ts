import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { z } from 'zod';
import { addressGroup } from '../../../protocol/address-group.ts';
import { CODE, type Code } from '../../../protocol/codes.ts';
import type { Endpoint } from '../../../protocol/endpoint.ts';
import {
  badRequest,
  CodedAnswer,
  invalid,
  notLoggedIn,
  Refusal,
  sessionInvalid,
  SUCCESS_MESSAGE,
  unavailable,
  type Envelope,
} from '../../../protocol/envelope.ts';
import { isDatabaseAway } from '../../db/client.ts';
import { StoreAway } from '../../files/file-store.ts';
import { readCookie } from '../cookies.ts';
import { isFromThisMachine, tokenOf } from '../client-address.ts';
import { bodyReader, readBody, type ReadBytes } from './read-body.ts';
import { visitorOrigin, type ApiContext, type Session } from './request-context.ts';
import { shareNothing, type SharedAnswers } from '../answers/shared-answers.ts';

/** The result of looking up a request's token. */
export type SessionLookup = Session | 'none' | 'revoked';

/** Facts that this server sets around each request; never read from the client. */
export type RequestFacts = {
  ip: string;
  requestId: string;
  isHttps?: boolean;
  /**
   * Set for a page loader in this process: the session of the browser's HttpOnly cookie. Calls over a socket never have
   * one.
   */
  browserSession?: Session | null;
  /** Set for a page loader in this process: the page was asked for on this machine. Of a call over HTTP its own request tells. */
  isFromThisMachine?: boolean;
  /** The body, when it was read before the call was let in. */
  body?: Buffer | undefined;
};

/**
 * The answer to a call as values, which HTTP sends as status and JSON text. Nothing that is made from an answer that is not `isCacheable` may
 * be kept; of a refusal the status decides.
 */
export type Answered = { status: number; body: Envelope<unknown>; isCacheable: boolean };

/**
 * Calls an endpoint from this process, with the checks of a call over HTTP. Refusals and failures are answers. The body
 * may be shared with other callers and is frozen then.
 */
export type CallDirectly = (path: string, input: unknown, facts: RequestFacts) => Promise<Answered>;

type Api = Hono<{ Bindings: RequestFacts }>;

type Verb<C, I extends z.ZodType, O extends z.ZodType> = (
  ctx: C,
  input: z.output<I>,
) => Promise<z.input<O> | CodedAnswer<z.input<O>>>;

type ForMember<C> = (ctx: C, data: unknown) => Promise<unknown>;

/** What a path without the envelope says of itself: a line for the API reference, in Chinese, or why the reference leaves it out. */
type RawFacts = { perIp: number } & ({ summary: string } | { hiddenBecause: string });
export type RawCall = RawFacts & { methods: readonly string[]; path: `/api/${string}` };

type ServeRaw<C> = (ctx: C, request: Request, read: ReadBytes) => Promise<Response>;
type AnswerRefusal = (refusal: Refusal) => Response | Promise<Response>;

export type Routes<C> = {
  on<I extends z.ZodType, O extends z.ZodType>(endpoint: Endpoint<I, O>, verb: Verb<C, I, O>): void;
  /**
   * Registers a path that does not answer with the envelope: an image, a file, a vendor's callback. There is no
   * session, and at most `perIp` requests a minute from one address (429 beyond). HEAD is refused (405). A Refusal
   * thrown by `serve`, that of the limit and any unexpected error are answered by `answerRefusal`: like those of any other call unless it is given, by 401
   * where a session is missing. If that fails, the failure is answered like any other unexpected error. `read` returns the body of a POST.
   */
  raw(
    methods: ('GET' | 'POST')[],
    path: `/api/${string}`,
    facts: RawFacts,
    serve: ServeRaw<C>,
    answerRefusal?: AnswerRefusal,
  ): void;
};

/**
 * Builds the API from each slice's `routes`. For every request: session from the token header → rate limit → `sid` of the body → zod input
 * → verb → zod output → envelope. Whatever happens inside, the answer is an envelope and no detail leaks.
 */
export function createApi<C extends ApiContext>(options: {
  ctx: C;
  findSession: (ctx: C, token: string) => Promise<SessionLookup>;
  slices: ((routes: Routes<C>) => void)[];
  /** Caches answers that loaders may share (`isShared` of the endpoint); null or missing: no cache. */
  shared?: SharedAnswers | null;
  /**
   * Returns the data of an answer with what depends on the logged-in caller alone, so that verbs and caches give everybody the same
   * data. Not called for visitors. The data may be frozen.
   */
  forMember?: ForMember<C>;
}): { api: Api; endpoints: Endpoint[]; rawCalls: RawCall[]; callDirectly: CallDirectly } {
  const api: Api = new Hono<{ Bindings: RequestFacts }>();
  const endpoints: Endpoint[] = [];
  const rawCalls: RawCall[] = [];
  const direct = new Map<string, (input: unknown, facts: RequestFacts) => Promise<Answered>>();
  const register = (
    methods: readonly string[],
    path: string,
    serve: (request: Request, facts: RequestFacts) => Promise<Response>,
  ) => {
    // Hono takes HEAD to the handler of GET, which would use up a login, make an order or open a stream for an answer that nobody reads.
    api.use(path, async (c, next) => (c.req.raw.method === 'HEAD' ? refuseMethod(methods) : next()));
    api.on([...methods], path, (c) => serve(c.req.raw, c.env));
    api.all(path, () => refuseMethod(methods));
  };
  const routes: Routes<C> = {
    on(endpoint, verb) {
      endpoints.push(endpoint);
      const methods = endpoint.isBodyless ? ['GET', 'POST'] : [endpoint.method];
      register(methods, endpoint.path, (request, env) => answer(options, endpoint, verb, request, env));
      direct.set(endpoint.path, (input, facts) => answerDirectly(options, endpoint, verb, input, facts));
    },
    raw(methods, path, facts, serve, answerRefusal = answerAsEnvelope) {
      rawCalls.push({ methods, path, ...facts });
      const limited: ServeRaw<C> = async (ctx, request, read) => {
        await takeRawLimit(ctx, path, facts.perIp);
        return serve(ctx, request, read);
      };
      register(methods, path, (request, env) =>
        answerRaw(contextOf(options.ctx, path, request, env), limited, answerRefusal, request, env),
      );
    },
  };
  for (const slice of options.slices) slice(routes);
  api.all('/api/*', () => toResponse(badRequest(404, '接口不存在')));
  const callDirectly: CallDirectly = async (path, input, facts) => {
    const call = direct.get(path);
    return call ? call(input, facts) : toAnswered(badRequest(404, '接口不存在'));
  };
  return { api, endpoints, rawCalls, callDirectly };
}

/** RFC 9110 15.5.6: the answer names the methods that are served. */
export function refuseMethod(allowed: readonly string[]): Response {
  const response = toResponse(badRequest(405, '请求方法不支持'));
  response.headers.set('allow', allowed.join(', '));
  return response;
}

async function answer<C extends ApiContext, I extends z.ZodType, O extends z.ZodType>(
  options: {
    ctx: C;
    findSession: (ctx: C, token: string) => Promise<SessionLookup>;
    forMember?: ForMember<C>;
  },
  endpoint: Endpoint<I, O>,
  verb: Verb<C, I, O>,
  request: Request,
  facts: RequestFacts,
): Promise<Response> {
  const base = contextOf(options.ctx, endpoint.path, request, facts);
  try {
    const session = facts.browserSession ?? (await sessionOf(base, options.findSession, request));
    // By its token alone: a page whose cookie names such a session is shown as a visitor sees it.
    if ((endpoint.auth === 'session' || endpoint.isPersonal) && session === 'revoked') throw sessionInvalid();
    if (endpoint.auth === 'session' && session === 'none') throw notLoggedIn();
    const ctx: C = { ...base, session: typeof session === 'string' ? null : session };
    await takeLimit(ctx, endpoint);
    const raw =
      endpoint.method === 'GET'
        ? Object.fromEntries(new URL(request.url).searchParams)
        : await readBody(request, bodyReader(request, facts.body));
    if (endpoint.auth === 'session' && namesOtherSession(raw, ctx.session)) throw sessionInvalid();
    const { body } = await bodyOf(endpoint, verb, ctx, parseInput(endpoint.input, raw));
    return envelope(await bodyForMember(options, ctx, body), 200, ctx.request.replyHeaders);
  } catch (error) {
    return toResponse(toRefusal(error, base));
  }
}

async function answerDirectly<C extends ApiContext, I extends z.ZodType, O extends z.ZodType>(
  options: { ctx: C; shared?: SharedAnswers | null; forMember?: ForMember<C> },
  endpoint: Endpoint<I, O>,
  verb: Verb<C, I, O>,
  raw: unknown,
  facts: RequestFacts,
): Promise<Answered> {
  const base = contextOf(options.ctx, endpoint.path, null, facts);
  const session = facts.browserSession ?? null;
  try {
    if (endpoint.auth === 'session' && !session) throw notLoggedIn();
    const share = options.shared?.share ?? shareNothing;
    const ctx: C = { ...base, session, request: { ...base.request, share } };
    await takeLimit(ctx, endpoint);
    const input = parseInput(endpoint.input, raw);
    const make = () => bodyOf(endpoint, verb, ctx, input);
    const isShared = endpoint.isShared?.(input, { isVisitor: session === null });
    // The key is the parsed input, so that two spellings of one input share an answer.
    const { body, isCacheable } = await (isShared
      ? share(`${endpoint.path} ${JSON.stringify(input)}`, make, (made) => made.isCacheable)
      : make());
    return { status: 200, body: await bodyForMember(options, ctx, body), isCacheable };
  } catch (error) {
    return toAnswered(toRefusal(error, base));
  }
}

/** Runs the verb and returns the envelope, and whether it may be kept. The output schema decides which fields are sent. */
async function bodyOf<C, I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  verb: Verb<C, I, O>,
  ctx: C,
  input: z.output<I>,
): Promise<{ body: Envelope<unknown>; isCacheable: boolean }> {
  const outcome = await verb(ctx, input);
  const coded = outcome instanceof CodedAnswer ? outcome : new CodedAnswer(CODE.ok, SUCCESS_MESSAGE, outcome);
  const data = endpoint.output.parse(coded.data);
  const body = { code: coded.code, message: coded.message, data, ...(endpoint.isInfor && { infor: data }) };
  return { body, isCacheable: coded.isCacheable };
}

async function bodyForMember<C extends ApiContext>(
  { forMember }: { forMember?: ForMember<C> },
  ctx: C,
  body: Envelope<unknown>,
): Promise<Envelope<unknown>> {
  if (!forMember || !ctx.session) return body;
  const data = await forMember(ctx, body.data);
  return { ...body, data, ...('infor' in body && { infor: data }) };
}

const SESSION_CODES = new Set<Code>([CODE.notLoggedIn, CODE.sessionInvalid]);

async function answerRaw<C extends ApiContext>(
  ctx: C,
  serve: ServeRaw<C>,
  answerRefusal: AnswerRefusal,
  request: Request,
  { body }: RequestFacts,
): Promise<Response> {
  try {
    return await serve(ctx, request, bodyReader(request, body));
  } catch (error) {
    const refusal = toRefusal(error, ctx);
    try {
      return await answerRefusal(refusal);
    } catch (failure) {
      return answerAsEnvelope(toRefusal(failure, ctx));
    }
  }
}

/** Who expects a picture, a file or a stream reads the status first. */
const answerAsEnvelope: AnswerRefusal = ({ code, message, data, status }) =>
  toResponse(new Refusal(code, message, data, SESSION_CODES.has(code) ? 401 : status));

/** `request` is null for a call from this process, which has no headers. */
function contextOf<C extends ApiContext>(ctx: C, path: string, request: Request | null, facts: RequestFacts): C {
  const requestId = facts.requestId || randomUUID();
  return {
    ...ctx,
    log: ctx.log.child({ requestId, path }),
    request: {
      id: requestId,
      ip: facts.ip,
      origin: request ? visitorOrigin(new URL(request.url), facts.isHttps ?? false) : '',
      userAgent: request?.headers.get('user-agent')?.slice(0, 200) ?? '',
      isSecure: facts.isHttps ?? false,
      isFromThisMachine: request ? isFromThisMachine(request, facts.ip) : (facts.isFromThisMachine ?? false),
      cookie: (name) => readCookie(request?.headers.get('cookie') ?? null, name),
      replyHeaders: new Headers(),
      share: shareNothing,
    },
  };
}

async function sessionOf<C>(
  ctx: C,
  findSession: (ctx: C, token: string) => Promise<SessionLookup>,
  request: Request,
): Promise<SessionLookup> {
  const token = tokenOf((name) => request.headers.get(name));
  return token ? findSession(ctx, token) : 'none';
}

/** True when the input has the `sid` of another session than the token's: a client has mixed up two logins (C-03). */
function namesOtherSession(raw: unknown, session: Session | null): boolean {
  const sid = typeof raw === 'object' && raw !== null && 'sid' in raw ? (raw.sid ?? '') : '';
  return sid !== '' && sid !== session?.sid;
}

async function takeLimit(ctx: ApiContext, endpoint: Endpoint): Promise<void> {
  if (!endpoint.limit) return;
  const { perIp, perUser, isByAddress = false, countedAs = endpoint.path, isInMemory = false } = endpoint.limit;
  if (ctx.session && !isByAddress) await ctx.limiter.take(countedAs, `u${ctx.session.userId}`, perUser, { isInMemory });
  else await ctx.limiter.take(countedAs, `i${addressGroup(ctx.request.ip)}`, perIp, { isInMemory });
}

/** Counted in memory and before anything is read: these paths are not worth a round trip to the database. */
async function takeRawLimit(ctx: ApiContext, path: string, perIp: number): Promise<void> {
  try {
    await ctx.limiter.take(path, `i${addressGroup(ctx.request.ip)}`, perIp, { isInMemory: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The clients of these paths, <img> tags and vendors' servers, look at the HTTP status and not at the code.
    throw new Refusal(error.code, error.message, error.data, error.code === CODE.tooFrequent ? 429 : error.status);
  }
}

function parseInput<I extends z.ZodType>(schema: I, raw: unknown): z.output<I> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const isOurs = issue && /[\u4e00-\u9fff]/.test(issue.message);
  throw invalid(isOurs ? issue.message : '请求参数不正确', issue?.path.join('.') ?? '');
}

function toRefusal(error: unknown, ctx: ApiContext): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseAway(error)) {
    ctx.log.warn({ error }, 'database is away');
    return unavailable();
  }
  if (error instanceof StoreAway) {
    ctx.log.error({ error }, 'the file store is away');
    return unavailable();
  }
  ctx.log.error({ error }, 'unexpected failure');
  return new Refusal(CODE.serverError, '服务器开小差了，请稍后再试', { request_id: ctx.request.id }, 500);
}

function toAnswered({ code, message, data, status }: Refusal): Answered {
  return { status, body: { code, message, data }, isCacheable: true };
}

export function toResponse(refusal: Refusal): Response {
  const { code, message, data, status } = refusal;
  return envelope({ code, message, data }, status, new Headers(retryAfter(refusal)));
}

/** Returns the header that says when to ask again, where the refusal says so (RFC 9110 10.2.3). */
export function retryAfter({ data, status }: Refusal): { 'retry-after'?: string } {
  const wait = data?.['retry_after'];
  if (typeof wait === 'number') return { 'retry-after': String(wait) };
  return status === 503 ? { 'retry-after': '5' } : {};
}

function envelope(body: Envelope<unknown>, status: number, headers = new Headers()): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  return new Response(JSON.stringify(body), { status, headers });
}
