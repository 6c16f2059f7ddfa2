import { expect, it, vi } from 'vitest';
import { createPageContext, handleError } from './entry.server.tsx';

it('notes what went wrong with a page, and nothing of addresses that no page has', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const request = new Request('http://ceku.test/%0d%0a?token=x');
  // Safe: only the id is read.
  const context = createPageContext({ requestId: 'r-1' } as Parameters<typeof createPageContext>[0]);
  // As the router makes it where no route matches.
  handleError({ status: 404, statusText: 'Not Found', internal: true, data: 'no route' }, { request, context });
  expect(written).not.toHaveBeenCalled();
  handleError(new Error('a loader failed'), { request, context });
  expect(written).toHaveBeenCalledOnce();
  const line: unknown = JSON.parse(String(written.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ requestId: 'r-1', path: '/%0d%0a', message: 'a loader failed', msg: 'page failed' });
  expect(JSON.stringify(line)).not.toContain('token');
});
