import type { Endpoint } from '../../protocol/endpoint.ts';
import type { RawCall } from '../../platform/http/api/api.ts';
import { CODE_TABLE } from './code-table.ts';
import { inputSchema, isJson, outputSchema, type Json } from './json-schema.ts';
import { RAW_ERRORS, tagOf } from './openapi.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/**
 * Returns the API reference as one static page: for every call its method, path, required session, fields, limits and
 * an example; then the paths that answer without the envelope, except those that their slice hides.
 */
export function referencePage(
  endpoints: Endpoint[],
  siteName: string,
  origin: string,
  rawCalls: readonly RawCall[],
): string {
  const groups = Map.groupBy(endpoints, (endpoint) => tagOf(endpoint.path));
  const site = escape(siteName);
  const menu = [...groups].map(
    ([tag, calls]) =>
      `<h2>${escape(tag)}</h2><ul>${calls.map((call) => `<li><a href="#${anchor(call)}">${escape(call.path.replace(/^\/api/, ''))}</a></li>`).join('')}</ul>`,
  );
  const sections = [...groups].map(
    ([tag, calls]) =>
      `<section class="group"><h2>${escape(tag)}</h2>${calls.map((call) => callSection(call, origin)).join('')}</section>`,
  );
  const codes = CODE_TABLE.map(
    ([code, meaning]) => `<tr><td><code>${code}</code></td><td>${escape(meaning)}</td></tr>`,
  ).join('');
  const shown = rawCalls.flatMap((call) => ('summary' in call ? [call] : []));
  const raws = shown.map(
    ({ methods, path, perIp, summary }) =>
      `<tr><td>${methods.map((method) => `<span class="method">${method}</span>`).join('')}<code>${escape(path)}</code></td><td>${escape(summary)}</td><td>${perIp}</td></tr>`,
  );
  const rawSection =
    raws.length > 0
      ? `<section id="files"><h2>图片、文件与事件流</h2><p>${RAW_ERRORS}</p><div class="scroll" tabindex="0"><table><thead><tr><th>地址</th><th>说明</th><th>每分钟次数/IP</th></tr></thead><tbody>${raws.join('')}</tbody></table></div></section>`
      : '';
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>接口文档 - ${site}</title><meta name="description" content="${site}的开放接口：搜索、方案详情、下载与会员。"><style>${REFERENCE_STYLE}</style></head><body>
<header><a class="brand" href="/index">${site}</a><span>接口文档</span><a class="spec" href="/api/openapi.json">OpenAPI 3.1</a></header>
<div class="page"><nav aria-label="接口目录"><h2>总则</h2><ul><li><a href="#envelope">应答格式</a></li><li><a href="#auth">登录凭证</a></li><li><a href="#codes">返回码</a></li>${rawSection && '<li><a href="#files">图片、文件与事件流</a></li>'}</ul>${menu.join('')}</nav>
<main><h1>接口文档</h1><p class="lead">网页、程序与第三方使用同一套接口，共 ${endpoints.length} 个。</p>
<section id="envelope"><h2>应答格式</h2><p>每个应答都是同一种信封，业务结果一律为 HTTP 200，请以 <code>code</code> 判断，不要以文字判断。请求体为 JSON，未知字段会被忽略。</p><pre tabindex="0">{"code": 0, "message": "success", "data": { … }}</pre></section>
<section id="auth"><h2>登录凭证</h2><p>登录接口返回 <code>authToken</code>，之后放入请求头 <code>token</code>（或 <code>Authorization: Bearer</code>），自登录起 30 天有效。标为“公开”的接口可以不带凭证。</p></section>
<section id="codes"><h2>返回码</h2><table><thead><tr><th>code</th><th>含义</th></tr></thead><tbody>${codes}</tbody></table></section>
${sections.join('')}${rawSection}</main></div></body></html>`;
}

function callSection(endpoint: Endpoint, origin: string): string {
  const input = inputSchema(endpoint.input);
  const limit = endpoint.limit ? `<span class="tag">${limitText(endpoint.limit)}</span>` : '';
  const auth =
    endpoint.auth === 'session' ? '<span class="tag seal">需登录</span>' : '<span class="tag jade">公开</span>';
  const methods = endpoint.isBodyless ? ['GET', 'POST'] : [endpoint.method];
  const rows = rowsOf(input, '', true);
  return `<article id="${anchor(endpoint)}"><h3>${methods.map((method) => `<span class="method">${method}</span>`).join('')}<code>${escape(endpoint.path)}</code></h3>
<p>${escape(endpoint.summary)}</p><p class="tags">${auth}${limit}</p>
<h4>请求字段</h4>${rows ? table(rows) : '<p class="none">无</p>'}
<details><summary>应答字段 data</summary>${table(rowsOf(outputSchema(endpoint.output), '', false))}</details>${refusalFields(endpoint)}
<h4>示例</h4><pre tabindex="0">${escape(curl(endpoint, input, origin))}</pre></article>`;
}

function limitText({ perIp, perUser, isByAddress, countedAs }: NonNullable<Endpoint['limit']>): string {
  const ofUser = isByAddress ? '' : `，${perUser} 次/用户`;
  return `每分钟 ${perIp} 次/IP${ofUser}${countedAs ? '，与同类接口合计' : ''}`;
}

function refusalFields({ refusals }: Endpoint): string {
  if (!refusals) return '';
  const fields = table(rowsOf(outputSchema(refusals.data), '', false));
  return `<details><summary>code 为 ${refusals.codes.join('、')} 时的 data</summary>${fields}</details>`;
}

const table = (rows: string) =>
  `<div class="scroll" tabindex="0"><table><thead><tr><th>字段</th><th>类型</th><th>说明</th></tr></thead><tbody>${rows}</tbody></table></div>`;

/** Returns one table row for each field; members of a list are written `files[].id`. */
function rowsOf(schema: Json, prefix: string, isInput: boolean): string {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  // Answers are always complete: only inputs have optional fields.
  const required = isInput && Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties)
    .map(([name, property]) => {
      if (!isJson(property)) return '';
      const items = isJson(property['items']) ? property['items'] : null;
      // An object or null: its fields are listed as those of an object.
      const options = Array.isArray(property['anyOf']) ? property['anyOf'].filter(isJson) : [];
      const object = options.find((option) => isJson(option['properties'])) ?? property;
      const mark = required.includes(name) ? '<b title="必填">必填</b>' : '';
      const row = `<tr><td><code>${escape(prefix + name)}</code>${mark}</td><td>${escape(typeOf(property))}</td><td>${escape(noteOf(property))}</td></tr>`;
      const inner = items
        ? rowsOf(items, `${prefix}${name}[].`, isInput)
        : rowsOf(object, `${prefix}${name}.`, isInput);
      return row + inner;
    })
    .join('');
}

function typeOf(schema: Json): string {
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return [...new Set(options.filter(isJson).map(typeOf))].join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  const type = schema['type'];
  if (type === 'array') return `${isJson(schema['items']) ? typeOf(schema['items']) : 'any'}[]`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function noteOf(schema: Json): string {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const fallback = 'default' in schema ? `缺省 ${JSON.stringify(schema['default'])}` : '';
  return [description, fallback].filter(Boolean).join('；');
}

function curl(endpoint: Endpoint, input: Json, origin: string): string {
  const token = endpoint.auth === 'session' ? ` \\\n  -H 'token: <authToken>'` : '';
  if (endpoint.method === 'GET' || endpoint.isBodyless) return `curl '${origin}${endpoint.path}'${token}`;
  const fields = Object.entries(isJson(input['properties']) ? input['properties'] : {});
  const sample = fields.flatMap(([name, schema]) => {
    const [value] = isJson(schema) && Array.isArray(schema['examples']) ? schema['examples'] : [];
    return value === undefined ? [] : [[name, value]];
  });
  return `curl '${origin}${endpoint.path}' \\\n  -H 'content-type: application/json'${token} \\\n  -d '${JSON.stringify(Object.fromEntries(sample))}'`;
}

const anchor = (endpoint: Endpoint) => endpoint.path.slice(1).replaceAll('/', '-');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
