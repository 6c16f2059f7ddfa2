import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useHashAtOnce } from '../../../ui/navigation/use-is-list-pending.ts';
import { pageHash, wantedPage } from '../pages/use-wanted-page.ts';

/** State of a history entry while the viewer is open, and of the entry below that names the page read last. */
const VIEWER_STATE = { viewer: true } as const;
const READ_STATE = { viewer: false } as const;

type Viewer = {
  /**
   * The page shown in the viewer; null while it is closed. The number after the last preview is the end of the preview.
   */
  page: number | null;
  open: (page: number) => void;
  turnTo: (page: number) => void;
  close: () => void;
};

/**
 * Opens the viewer as a history entry over the page: Back closes it, Forward opens it again, a reload keeps it. The
 * address names the page in both entries (`#p=7`), so that closing leaves the column at the page that was read last.
 * `last` is the last page that the viewer can show.
 */
export function useViewer(last: number): Viewer {
  const location = useHashAtOnce();
  const navigate = useNavigate();
  const [isMounted, setIsMounted] = useState(false);
  // The server knows no history state: the first render shows the page without the viewer.
  useEffect(() => setIsMounted(true), []);

  const { search, hash, state } = location;
  const isOpen = isMounted && last > 0 && isViewerState(state);
  // Another address that the reader asked for meanwhile, as a pasted link, is left as it is.
  const isBelow = isReadingState(state);
  const page = Math.min(Math.max(wantedPage(hash), 1), last);
  const lastRead = useRef(0);
  const go = (to: number, { replace = false, isViewer }: { replace?: boolean; isViewer: boolean }) => {
    const state = isViewer ? VIEWER_STATE : READ_STATE;
    void navigate({ search, hash: pageHash(to) }, { replace, state, preventScrollReset: true, flushSync: true });
  };
  const latestGo = useRef(go);
  latestGo.current = go;

  useEffect(() => {
    if (isOpen) {
      lastRead.current = page;
      return;
    }
    const read = isBelow ? lastRead.current : 0;
    lastRead.current = 0;
    if (read > 0 && read !== wantedPage(hash)) latestGo.current(read, { replace: true, isViewer: false });
  }, [isOpen, page, hash, isBelow]);

  return {
    page: isOpen ? page : null,
    open(wanted) {
      // Both entries have a hash, so a step between them loads nothing. While data are loaded React Router would have the first wait,
      // and drop it for the second.
      window.history.replaceState({ ...window.history.state, usr: READ_STATE }, '', pageHash(wanted));
      go(wanted, { isViewer: true });
    },
    turnTo: (wanted) => go(wanted, { replace: hasEntry(), isViewer: true }),
    close() {
      if (hasEntry()) void navigate(-1);
      else go(page, { replace: true, isViewer: false });
    },
  };
}

/** Whether the present history entry is one of the viewer. While data are loaded, the viewer is open before its entry is written. React Router keeps the state of an entry as `usr`. */
const hasEntry = (): boolean => isViewerState(window.history.state?.usr);

const isViewerState = (state: unknown): boolean => isReadingState(state) && state.viewer === true;

/** Whether the viewer wrote this history entry, so that its hash is no request of the reader. */
function isReadingState(state: unknown): state is { viewer: unknown } {
  return typeof state === 'object' && state !== null && 'viewer' in state;
}

/**
 * Opens the viewer at a page after the preview that the address asks for (`#p=37`): a shared link, a title of the
 * outline, a chart. `page` is 0 when there is nothing to open.
 */
export function useOpenAt(page: number, viewer: Viewer): void {
  const { key, state } = useLocation();
  const open = useRef(viewer.open);
  open.current = viewer.open;
  const isAsked = !isReadingState(state);
  useEffect(() => {
    if (page > 0 && isAsked) open.current(page);
    // A new key: the same link was followed again.
  }, [page, isAsked, key]);
}
