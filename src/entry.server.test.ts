import { expect, it, vi } from 'vitest';
import { createPageContext, handleError } from './entry.server.tsx';

it('notes what went wrong with a page, and nothing of addresses that no page has', () => {
  const reportFailure = vi.fn<(message: string) => void>();
  const request = new Request('http://ceku.test/%0d%0a?token=x');
  // Safe: nothing else is read.
  const context = createPageContext({ reportFailure } as Parameters<typeof createPageContext>[0]);
  // As the router makes it where no route matches.
  handleError({ status: 404, statusText: 'Not Found', internal: true, data: 'no route' }, { request, context });
  expect(reportFailure).not.toHaveBeenCalled();
  handleError(new Error('a loader failed'), { request, context });
  expect(reportFailure.mock.calls).toEqual([['a loader failed']]);
});
