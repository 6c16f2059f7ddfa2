import type { Endpoint } from '../../protocol/endpoint.ts';
import type { RawCall } from '../../platform/http/api/api.ts';
import { CODE_TABLE, TRANSPORT_TABLE } from './code-table.ts';
import { inputSchema, isJson, outputSchema, type Json } from './json-schema.ts';

const TAGS: Record<string, string> = {
  doc: '方案',
  theme: '活动类型',
  tag: '标签',
  user: '账号',
  mini: '小程序',
  payItem: '价格',
  fileType: '格式',
  infringement: '侵权投诉',
  privacy: '个人信息',
};

/** Returns the noun of a call: `doc` of /api/doc/search, `user` of /api/v2/user/usernameLogin. */
export function tagOf(path: string): string {
  const noun = path.split('/').find((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part)) ?? '';
  return TAGS[noun] ?? noun;
}

/**
 * Returns the OpenAPI 3.1 description of every endpoint: one operation for each method of a path, with the envelope of
 * C-01 around each answer.
 */
export function buildOpenApi(endpoints: Endpoint[], siteName: string, rawCalls: readonly RawCall[]): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const methods = endpoint.isBodyless ? ['get', 'post'] : [endpoint.method.toLowerCase()];
    paths[endpoint.path] = Object.fromEntries(methods.map((method) => [method, operation(endpoint, method)]));
  }
  const tags = [...new Set(endpoints.map((endpoint) => tagOf(endpoint.path)))];
  return {
    openapi: '3.1.0',
    info: { title: `${siteName} API`, version: '1', description: description(rawCalls) },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: '登录返回的 authToken' },
        bearer: { type: 'http', scheme: 'bearer', description: '同一凭证的另一种写法' },
      },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'data'],
          properties: {
            code: { type: 'integer', description: '非 0 的码，见说明' },
            message: { type: 'string' },
            data: { type: ['object', 'null'], description: '附加信息，如 field、retry_after、request_id' },
          },
        },
      },
      responses: Object.fromEntries(
        TRANSPORT_TABLE.map(([, name, meaning]) => [
          name,
          { description: meaning, content: json(ref('schemas/Refusal')) },
        ]),
      ),
    },
  };
}

function operation(endpoint: Endpoint, method: string): Json {
  const input = inputSchema(endpoint.input);
  const fields = isJson(input['properties']) ? input['properties'] : {};
  const hasBody = method === 'post' && !endpoint.isBodyless && Object.keys(fields).length > 0;
  const required = Array.isArray(input['required']) ? input['required'] : [];
  const parameters = Object.entries(fields).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return {
    operationId: `${method}${endpoint.path.replace(/[/-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    // An empty requirement besides the token: visitors may call this too, and get a visitor's answer.
    security: endpoint.auth === 'session' ? [{ token: [] }, { bearer: [] }] : [{}, { token: [] }, { bearer: [] }],
    ...(method === 'get' && parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: { required: required.length > 0, content: json(input) } }),
    responses: {
      200: { description: '业务结果，成败由 code 区分', content: json(envelope(endpoint)) },
      ...Object.fromEntries(TRANSPORT_TABLE.map(([status, name]) => [status, ref(`responses/${name}`)])),
    },
    ...(endpoint.limit && { 'x-rate-limit-per-minute': endpoint.limit }),
  };
}

function envelope(endpoint: Endpoint): Json {
  const data = outputSchema(endpoint.output);
  const answer = {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', description: '0 为成功' },
      message: { type: 'string' },
      data,
      ...(endpoint.isInfor && { infor: { ...data, description: '与 data 相同' } }),
    },
  };
  const { refusals } = endpoint;
  if (!refusals) return { anyOf: [answer, ref('schemas/Refusal')] };
  const refusal = {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', enum: refusals.codes },
      message: { type: 'string' },
      data: outputSchema(refusals.data),
    },
  };
  return { anyOf: [answer, refusal, ref('schemas/Refusal')] };
}

/** What the reference shows of paths that answer without the envelope. */
export const RAW_ERRORS =
  '以下地址成功时返回图片、文件或事件流；出错时返回信封与相应的 HTTP 状态码，未登录或登录失效为 401。付款码出错时仍是图片，数据副本出错时是页面，均以 HTTP 状态码为准。';

function description(rawCalls: readonly RawCall[]): string {
  const codes = CODE_TABLE.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n');
  const raws = rawCalls.flatMap((call) =>
    'summary' in call ? [`- \`${call.methods.join('、')} ${call.path}\`：${call.summary}`] : [],
  );
  return [
    '所有应答均为 `{"code":int,"message":string,"data":any}`，业务结果一律为 HTTP 200，以 `code` 区分。',
    '登录后在请求头 `token`（或 `Authorization: Bearer`）中携带凭证，有效期 30 天。请求体为 JSON，未知字段会被忽略。',
    ...(raws.length > 0 ? [`${RAW_ERRORS}\n\n${raws.join('\n')}`] : []),
    `| code | 含义 |\n|---|---|\n${codes}`,
  ].join('\n\n');
}

const ref = (name: string): Json => ({ $ref: `#/components/${name}` });
const json = (schema: Json): Json => ({ 'application/json': { schema } });
