import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionProvider } from '../../accounts/web/session.tsx';
import type { Member } from '../../membership/contract.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { findState, showTarget } from './favorite-states.ts';
import { useFavorite } from './use-favorite.ts';

afterEach(() => vi.unstubAllGlobals());

const target = { type: 3, id: 21 } as const;

/** Returns the toggle of the target, as a page of a member has it that came with the state `loaded`. */
function toggleOf(loaded: boolean): () => void {
  let toggle = () => {};
  const Star = () => {
    ({ toggle } = useFavorite(target, loaded));
    return null;
  };
  // Safe: the star asks only whether there is a member.
  const member = {} as Member;
  const element = (
    <SessionProvider member={member}>
      <Star />
    </SessionProvider>
  );
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
  return toggle;
}

it('a press that is granted counts, also when a page with the state from before it comes meanwhile', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: 'token=first' }));
  vi.stubGlobal('window', { location: { origin: 'http://ceku.test' } });
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answered);
  // A message would stay for the other tests of this worker.
  const said = vi.spyOn(toast, 'success').mockReturnValue();
  toggleOf(false)();
  expect(findState(target)).toBe(true);
  showTarget(target, false)();
  expect(findState(target)).toBe(false);
  answer(Response.json({ code: 0, message: '收藏成功', data: { is_favorite: 1, note: '', parent_id: 0 } }));
  await expect.poll(() => said.mock.calls.length).toBe(1);
  expect(findState(target)).toBe(true);
  said.mockRestore();
});

it('another star of the same document waits for the answer to the first', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: 'token=second' }));
  vi.stubGlobal('window', { location: { origin: 'http://ceku.test' } });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ code: 0, message: '', data: { is_favorite: 0, note: '', parent_id: 0 } })),
  );
  const said = vi.spyOn(toast, 'success').mockReturnValue();
  const first = toggleOf(true);
  const second = toggleOf(false);
  first();
  second();
  expect(findState(target)).toBe(false);
  await expect.poll(() => said.mock.calls.length).toBe(1);
  second();
  expect(findState(target)).toBe(true);
  await expect.poll(() => said.mock.calls.length).toBe(2);
  said.mockRestore();
});
