import { glob } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { endpoint, type Endpoint } from '../../protocol/endpoint.ts';
import { openTestApp } from '../../../tests/test-app.ts';
import { buildApi } from '../../app.ts';
import { isJson, type Json } from './json-schema.ts';
import { createReferenceHandler } from './reference.ts';

const isEndpoint = (value: unknown): value is Endpoint => isJson(value) && 'path' in value && 'output' in value;
/** Found by their names, so that the calls of a new slice are compared too. */
const files = await Array.fromAsync(glob('src/*/contract*.ts', { exclude: ['**/*.test.ts'] }));
const contracts: Record<string, unknown>[] = await Promise.all(
  files.toSorted().map((file) => import(pathToFileURL(file).href)),
);
const endpoints = contracts.flatMap((contract) => Object.values(contract).filter(isEndpoint));

const ORIGIN = { text: 'https://ceku.test', isConfigured: true };
const ask = (request: Request, calls = endpoints, siteName = '策库') =>
  createReferenceHandler(calls, siteName, [])(request, ORIGIN);
const get = (path: string, calls = endpoints) => ask(new Request(`https://ceku.test${path}`), calls);

async function readSpec(calls = endpoints): Promise<Json> {
  const spec: unknown = await get('/api/openapi.json', calls).json();
  if (!isJson(spec)) throw new Error('not an object');
  return spec;
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isJson(inner) ? inner[key] : Array.isArray(inner) ? inner[Number(key)] : undefined),
    value,
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const keysOf = (value: unknown) => (isJson(value) ? Object.keys(value) : []);

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isJson(value)) return [];
  const own = typeof value['$ref'] === 'string' ? [value['$ref']] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}

/** Returns the description of every field of the reference, by the call's path and the field's place: `/api/doc/index data.files.size`. */
async function readNotes(): Promise<Map<string, string>> {
  const spec = await readSpec();
  const notes = new Map<string, string>();
  const addFields = (schema: unknown, place: string): void => {
    if (!isJson(schema)) return;
    for (const option of Array.isArray(schema['anyOf']) ? schema['anyOf'] : []) addFields(option, place);
    addFields(schema['items'], place);
    for (const name of keysOf(schema['properties'])) {
      const property = at(schema, 'properties', name);
      notes.set(`${place}.${name}`, textOf(at(property, 'description')));
      addFields(property, `${place}.${name}`);
    }
  };
  for (const call of endpoints) {
    const operation = at(spec, 'paths', call.path, call.method.toLowerCase());
    const body = ['content', 'application/json', 'schema'];
    addFields(at(operation, 'requestBody', ...body), `${call.path} input`);
    for (const parameter of [at(operation, 'parameters')].flat()) {
      if (isJson(parameter)) {
        notes.set(`${call.path} input.${textOf(parameter['name'])}`, textOf(at(parameter, 'schema', 'description')));
      }
    }
    const replies = at(operation, 'responses', '200', ...body, 'anyOf');
    addFields(at(replies, 0, 'properties', 'data'), `${call.path} data`);
    if (call.refusals) addFields(at(replies, 1, 'properties', 'data'), `${call.path} refusal`);
  }
  return notes;
}

describe('/api/openapi.json', () => {
  it('is OpenAPI 3.1 with every path under every method it accepts', async () => {
    const spec = await readSpec();
    expect(spec['openapi']).toBe('3.1.0');
    expect(at(spec, 'info', 'title')).toBe('策库 API');
    expect(keysOf(at(spec, 'paths')).toSorted()).toEqual(endpoints.map((call) => call.path).toSorted());
    for (const call of endpoints) {
      const methods = call.isBodyless ? ['get', 'post'] : [call.method.toLowerCase()];
      expect(keysOf(at(spec, 'paths', call.path))).toEqual(methods);
      for (const method of methods) {
        const schema = at(
          spec,
          'paths',
          call.path,
          method,
          'responses',
          '200',
          'content',
          'application/json',
          'schema',
        );
        expect(at(schema, 'anyOf', 0, 'required')).toEqual(['code', 'message', 'data']);
      }
    }
  });

  it('resolves every $ref, and names each operation once', async () => {
    const spec = await readSpec();
    const refs = refsIn(spec);
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of new Set(refs)) {
      expect(ref).toMatch(/^#\//);
      expect(at(spec, ...ref.slice(2).split('/')), ref).toBeDefined();
    }
    const ids = keysOf(at(spec, 'paths')).flatMap((path) =>
      keysOf(at(spec, 'paths', path)).map((method) => at(spec, 'paths', path, method, 'operationId')),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says what may be sent where a schema takes anything, and who must be logged in', async () => {
    const spec = await readSpec();
    const body = at(spec, 'paths', '/api/doc/download', 'post', 'requestBody', 'content', 'application/json', 'schema');
    expect(at(body, 'required')).toEqual(['fid']);
    expect(at(body, 'properties', 'fid', 'type')).toEqual(['integer', 'string']);
    expect(at(spec, 'paths', '/api/doc/download', 'post', 'security')).not.toContainEqual({});
    expect(at(spec, 'paths', '/api/doc/search', 'post', 'security')).toContainEqual({});
    expect(at(spec, 'components', 'securitySchemes', 'token')).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'token',
    });
  });

  it('describes every field of every call by the field itself, not by its name', async () => {
    const notes = await readNotes();
    expect(notes.size).toBeGreaterThan(400);
    const withoutNote = [...notes].filter(([, note]) => note === '').map(([field]) => field);
    expect(withoutNote).toEqual([]);
    expect(notes.get('/api/doc/download refusal.missing')).toContain('还差的喵币');
    expect(notes.get('/api/doc/original refusal.pack.coins')).toContain('喵币数');
    expect(notes.get('/api/doc/download data.url')).toContain('10 分钟内有效');
    expect(notes.get('/api/user/export data.url')).toContain('24 小时内有效');
    expect(notes.get('/api/user/exportStatus data.url')).toContain('24 小时内有效');
    expect(notes.get('/api/payItem/getList data.items')).toContain('会员价格');
    expect(notes.get('/api/user/coinRecords data.items')).toBe('喵币明细，最新在前');
    expect(notes.get('/api/search/suggest data.items')).toContain('搜索建议');
    expect(notes.get('/api/web/checkTask data.status')).toBe(
      '任务状态：pending 等待，running 进行中，done 完成，failed 失败',
    );
    expect(notes.get('/api/user/exportStatus data.status')).toContain('导出进度');
    expect(notes.get('/api/user/sessions data.count')).toBe('有效的登录数');
    expect(notes.get('/api/user/coinRecords data.count')).toContain('总条数');
    expect(notes.get('/api/doc/index data.files.size')).toContain('MB');
    expect(notes.get('/api/doc/getDetail data.detail.size')).toContain('MB');
    expect(notes.get('/api/doc/download data.size')).toContain('字节');
    expect(notes.get('/api/user/export data.size')).toContain('字节');
    expect(notes.get('/api/doc/getDetail data.detail.file_type')).not.toBe(
      notes.get('/api/doc/index data.files.file_type'),
    );
    expect(notes.get('/api/mini/loginConfirm input.code')).toBe('wx.login 的 code');
    expect(notes.get('/api/user/phoneCodeLogin input.code')).toBe('6 位短信验证码');
  });

  it('requires of a call what it cannot be answered without, and nothing else', async () => {
    const spec = await readSpec();
    const requiredOf = (path: string) =>
      at(spec, 'paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema', 'required');
    expect(requiredOf('/api/v2/user/usernameLogin')).toEqual(['username', 'password']);
    expect(requiredOf('/api/user/bindPhone')).toEqual(['phone', 'code']);
    expect(requiredOf('/api/user/sessionRevoke')).toBeUndefined();
    expect(requiredOf('/api/doc/search')).toBeUndefined();
    expect(JSON.stringify(spec)).not.toContain('isRequired');
  });

  it('repeats data as infor where the call does, and puts a GET input into the query', async () => {
    const call = endpoint({
      method: 'GET',
      path: '/api/test/one',
      summary: 'One.',
      auth: 'none',
      isInfor: true,
      input: z.object({ id: z.unknown() }),
      output: z.object({ name: z.string() }),
    });
    const spec = await readSpec([call]);
    const operation = at(spec, 'paths', '/api/test/one', 'get');
    expect(at(operation, 'parameters', 0)).toMatchObject({ name: 'id', in: 'query', required: true });
    const answer = at(operation, 'responses', '200', 'content', 'application/json', 'schema', 'anyOf', 0);
    expect(at(answer, 'properties', 'infor', 'properties', 'name', 'type')).toBe('string');
  });
});

describe('/api', () => {
  it('has every call that a contract describes and every path that answers without the envelope', async () => {
    const app = await openTestApp();
    onTestFinished(() => app.close());
    const api = buildApi(app.ctx);
    expect(api.endpoints.map(({ path }) => path).toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
    const html = await createReferenceHandler(
      api.endpoints,
      '策库',
      api.rawCalls,
    )(new Request('https://ceku.test/api'), ORIGIN).text();
    const hidden = api.rawCalls.filter((call) => 'hiddenBecause' in call).map(({ path }) => path);
    expect(hidden).toEqual(['/api/wechat/official', '/api/pay/notify/wechat', '/api/pay/notify/alipay']);
    const all = [...api.endpoints, ...api.rawCalls].map(({ path }) => path);
    expect(all.filter((path) => !html.includes(`<code>${path}</code>`))).toEqual(hidden);
    const spec: unknown = await createReferenceHandler(
      api.endpoints,
      '策库',
      api.rawCalls,
    )(new Request('https://ceku.test/api/openapi.json'), ORIGIN).json();
    const description = textOf(at(spec, 'info', 'description'));
    const untold = api.rawCalls.filter(({ path }) => !description.includes(` ${path}\``));
    expect(untold.map(({ path }) => path)).toEqual(hidden);
  });

  it('lists every call on a page without scripts', async () => {
    const response = get('/api');
    const html = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(html).not.toContain('<script');
    for (const call of endpoints) expect(html).toContain(`<code>${call.path}</code>`);
    expect(html).toContain('files[].share_url');
    expect(html).toContain('需登录');
  });

  it('says what a refusal tells, down to the fields of an object that may be null', async () => {
    const html = await get('/api').text();
    expect(html).toContain('<summary>code 为 31、33 时的 data</summary>');
    expect(html).toContain('<summary>code 为 34、50 时的 data</summary>');
    expect(html).toContain('<code>pack.coins</code>');
  });

  it('marks the fields that a call needs, within lists and objects as well, and none of an answer', async () => {
    const place = z.object({ x: z.number(), y: z.number().optional() });
    const call = endpoint({
      method: 'POST',
      path: '/api/test/two',
      summary: 'Two.',
      auth: 'none',
      input: z.object({ places: z.array(place), one: place.nullable() }),
      output: z.object({ place }),
    });
    const html = await get('/api', [call]).text();
    const marked = [...html.matchAll(/<code>([^<]+)<\/code><b title="必填">/g)].map(([, name]) => name);
    expect(marked).toEqual(['places', 'places[].x', 'one', 'one.x']);
  });

  it('escapes what comes from configuration', async () => {
    const response = ask(new Request('https://ceku.test/api'), endpoints, '<b>x</b>');
    expect(await response.text()).not.toContain('<b>x</b>');
  });

  it('answers HEAD without a body and refuses other methods', async () => {
    const head = ask(new Request('https://ceku.test/api', { method: 'HEAD' }));
    expect(await head.text()).toBe('');
    expect(ask(new Request('https://ceku.test/api', { method: 'POST' })).status).toBe(405);
  });

  it('shows the configured address, and keeps from shared caches what shows the Host of a request', async () => {
    const reference = createReferenceHandler(endpoints, '策库', []);
    const request = new Request('http://evil.test/api');
    const configured = reference(request, ORIGIN);
    expect(await configured.text()).not.toContain('evil.test');
    expect(configured.headers.get('cache-control')).toBe('public, max-age=300');
    const asked = reference(request, { text: 'http://evil.test', isConfigured: false });
    expect(await asked.text()).toContain('curl &#39;http://evil.test/api/');
    expect(asked.headers.get('cache-control')).toBe('private, no-cache');
    // The next one does not get the first one's address.
    expect(await reference(request, ORIGIN).text()).not.toContain('evil.test');
  });
});

it.each(["http://$'", 'http://$`', 'http://$&', 'http://$$', `http://a"b'c`, `http://${"$'".repeat(1_000)}`])(
  'a Host that is a pattern or markup is shown as it is (%#)',
  async (origin) => {
    const page = await createReferenceHandler(
      endpoints,
      '策库',
      [],
    )(new Request('https://ceku.test/api'), {
      text: origin,
      isConfigured: false,
    }).text();
    const plain = await get('/api').text();
    const times = plain.split('https://ceku.test').length - 1;
    const shown = origin.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
    expect(times).toBeGreaterThan(5);
    expect(page.split(shown).length - 1).toBe(times);
    expect(page.length).toBe(plain.length + times * (shown.length - 'https://ceku.test'.length));
  },
);
