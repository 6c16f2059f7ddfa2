import { expect, it } from 'vitest';
import { createPageContext, handleError } from './entry.server.tsx';

it('notes what went wrong with a page, and nothing of addresses that no page has', () => {
  const told: string[] = [];
  const reportFailure = (message: string) => void told.push(message);
  const request = new Request('http://ceku.test/%0d%0a?token=x');
  // Safe: nothing else is read.
  const context = createPageContext({ reportFailure } as Parameters<typeof createPageContext>[0]);
  // As the router makes it where no route matches.
  handleError({ status: 404, statusText: 'Not Found', internal: true, data: 'no route' }, { request, context });
  expect(told).toEqual([]);
  handleError(new Error('a loader failed'), { request, context });
  expect(told).toEqual(['a loader failed']);
});
