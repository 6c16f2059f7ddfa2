import { useEffect, useLayoutEffect, useRef } from 'react';
import { trackGestures, type Gestures } from './track-gestures.ts';
import type { Zoom } from './zoom.ts';

/** Gap between a page and its neighbour, in pixels. */
export const SLOT_GAP = 24;

/**
 * Fingers, wheel and clicks on the stage. A new page is shown whole, or at the width of the stage if the page before was.
 * `ratio` is the page's width by its height. `stage`, `track` and `current` are refs for the elements.
 */
export function usePageGestures(
  { number, ratio }: { number: number; ratio: number },
  handlers: { onTurn: (by: number) => void; onTap: () => void; onZoom: (zoom: Zoom) => void },
) {
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const current = useRef<HTMLDivElement>(null);
  const gestures = useRef<Gestures | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  /** Returns where the next page is when a swipe has turned to it, in pixels from the middle. */
  const arrival = useRef(0);

  useEffect(() => {
    if (!stage.current) return;
    const tracked = trackGestures(stage.current, {
      page: () => current.current,
      onSwipe: (moved) => shiftTrack(track.current, moved),
      onTurn(by, moved) {
        const width = track.current?.clientWidth ?? 0;
        arrival.current = moved + by * (width + SLOT_GAP);
        latest.current.onTurn(by);
        // Nothing follows the last page.
        if (arrival.current !== 0) shiftTrack(track.current, 0);
        arrival.current = 0;
      },
      onTap: () => latest.current.onTap(),
      onZoom: (zoom) => latest.current.onZoom(zoom),
    });
    gestures.current = tracked;
    return () => tracked.stop();
  }, []);

  useLayoutEffect(() => {
    if (arrival.current !== 0) {
      // The pages changed places under the finger: the new page slides from its present position to the middle.
      shiftTrack(track.current, arrival.current);
      track.current?.getBoundingClientRect();
      shiftTrack(track.current, 0);
      arrival.current = 0;
    }
    return () => gestures.current?.leavePage();
  }, [number]);
  // After the effect above, whose cleanup has put the page before back in its place. The size of a page becomes known when it is listed.
  useLayoutEffect(() => gestures.current?.enterPage(), [number, ratio]);

  return { stage, track, current, gestures };
}

function shiftTrack(track: HTMLElement | null, by: number): void {
  if (!track) return;
  track.style.transition = by === 0 ? '' : 'none';
  track.style.transform = by === 0 ? '' : `translateX(${by}px)`;
}
