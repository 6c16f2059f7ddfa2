import { expect, onTestFinished, test } from 'vitest';
import { openTestApp } from '../../../../tests/test-app.ts';
import { CODE } from '../../../protocol/codes.ts';
import { notFound } from '../../../protocol/envelope.ts';
import { createLog } from '../../log.ts';
import { createApi } from './api.ts';

test('a path that cannot show its refusal answers with an envelope, and the failure is logged', async () => {
  let lines = '';
  const app = await openTestApp();
  onTestFinished(() => app.close());
  const { api } = createApi({
    ctx: { ...app.ctx, log: createLog('error', { write: (line) => void (lines += line) }) },
    findSession: () => Promise.resolve('none'),
    slices: [
      (routes) =>
        routes.raw(
          ['GET'],
          '/api/test/picture',
          { perIp: 60, hiddenBecause: 'a test' },
          () => Promise.reject(notFound()),
          () => Promise.reject(new Error('no font')),
        ),
    ],
  });
  const answer = await api.fetch(new Request('http://ceku.test/api/test/picture'), { ip: '127.0.0.1', requestId: '' });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ code: CODE.serverError, data: { request_id: expect.any(String) } });
  expect(lines).toContain('no font');
});
