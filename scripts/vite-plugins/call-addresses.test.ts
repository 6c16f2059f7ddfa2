import { expect, it } from 'vitest';
import { withoutSchemas } from './call-addresses.ts';

it('leaves method, path and auth of an endpoint, and computes a schema only where it is used', () => {
  const contract = [
    `import { z } from 'zod';`,
    `import { rowId } from '../protocol/fields.js';`,
    `const PAGE_SIZE = 20;`,
    `const fid = rowId.describe('id');`,
    `export const getDetail = endpoint({`,
    `  method: 'POST', path: '/api/doc/getDetail', summary: '详情', auth: 'none', input: z.object({ fid }),`,
    `});`,
    `export const isDue = (order) => order.state === 'due';`,
    `export function nameOf(item) { return item.name; }`,
  ].join('\n');
  expect(withoutSchemas(contract)).toBe(
    [
      `import { z } from 'zod';`,
      `import { rowId } from '../protocol/fields.js';`,
      `const PAGE_SIZE = 20;`,
      `const fid = /* @__PURE__ */ (() => (rowId.describe('id')))();`,
      `export const getDetail = { method: 'POST', path: '/api/doc/getDetail', auth: 'none' };`,
      `export const isDue = (order) => order.state === 'due';`,
      `export function nameOf(item) { return item.name; }`,
    ].join('\n'),
  );
});

it('refuses an endpoint whose address it cannot read', () => {
  expect(() => withoutSchemas(`export const ask = endpoint({ method: 'POST', ...rest });`)).toThrow(/names its method/);
  expect(() => withoutSchemas('export const ask = endpoint(definition);')).toThrow(/object literal/);
});
