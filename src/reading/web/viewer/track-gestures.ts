import { clampView, DOUBLE_TAP_SCALE, isSwipe, isZoomed, TAP_PX, turnOf, WHOLE, zoomAbout } from './zoom.ts';
import type { Point, View } from './zoom.ts';

const DOUBLE_TAP_MS = 280;
const DOUBLE_TAP_PX = 32;
const TAP_MS = 400;
/** Age in milliseconds of the movements that count for the speed of a finger. */
const RECENT_MS = 80;
/** Factor by which the speed of a thrown page shrinks each millisecond. */
const FRICTION = 0.995;
const SLOWEST = 0.03;
const WHEEL_ZOOM = 0.0022;
/** A trackpad's pinch arrives as a wheel with ctrl and moves in small steps. */
const PINCH_ZOOM = 0.012;
const LINE_PX = 16;

export type GestureHandlers = {
  /** The element that is zoomed: the page shown. Null at the end of the preview. */
  page: () => HTMLElement | null;
  /** Called while a swipe drags the page aside, with the distance in pixels; 0 when the page springs back. */
  onSwipe: (moved: number) => void;
  /** Called when a swipe turns the page; `moved` as in onSwipe. */
  onTurn: (by: -1 | 1, moved: number) => void;
  /** Called on a single tap or click on the page or beside it. */
  onTap: () => void;
  /** Called when the page becomes larger than the stage or fits again. */
  onZoomed: (isZoomed: boolean) => void;
};

export type Gestures = {
  /** Multiplies the scale, around the centre of the stage. */
  zoomBy: (factor: number) => void;
  pan: (by: Point) => void;
  /** Shows the whole page again. */
  reset: () => void;
  /** To be called when another page is shown: both pages are reset to their full view at once. */
  leavePage: () => void;
  stop: () => void;
};

type Finger = Point & { id: number };
type Mode =
  /** No touch, or a touch whose gesture is not decided yet. */
  | { name: 'open' }
  | { name: 'swipe' }
  | { name: 'pan' }
  | { name: 'pinch'; distance: number; middle: Point; view: View }
  /** A touch that is ignored until every finger is lifted. */
  | { name: 'ignored' };

/**
 * Handles pinch, double tap, pan with momentum, wheel and swipe on one stage. A page turns only by one finger at scale
 * 1 that moves mostly sideways. No library was found that handles zoom and swipe on one surface without conflicts.
 */
export function trackGestures(stage: HTMLElement, handlers: GestureHandlers): Gestures {
  const fingers = new Map<number, Finger>();
  let view: View = WHOLE;
  /** The element that carries the present view. */
  let placed: HTMLElement | null = null;
  let mode: Mode = { name: 'open' };
  let start: Point & { time: number; view: View } = { x: 0, y: 0, time: 0, view: WHOLE };
  let recent: (Point & { time: number })[] = [];
  let lastTap: (Point & { time: number }) | null = null;
  let tapTimer = 0;
  let frame = 0;
  const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

  function apply(next: View, isSmooth = false): void {
    const page = handlers.page();
    if (!page) return;
    placed = page;
    const wasZoomed = isZoomed(view);
    view = clampView(next, { width: page.offsetWidth, height: page.offsetHeight }, sizeOf(stage));
    page.style.transition = isSmooth && !isStill() ? 'transform 180ms ease-out' : 'none';
    page.style.transform = isZoomed(view) ? `translate(${view.x}px, ${view.y}px) scale(${view.scale})` : '';
    if (wasZoomed !== isZoomed(view)) handlers.onZoomed(isZoomed(view));
  }

  /** Returns a point relative to the centre of the stage, which is also the centre of an unzoomed page. */
  function fromCentre(at: Point): Point {
    const box = stage.getBoundingClientRect();
    return { x: at.x - box.left - box.width / 2, y: at.y - box.top - box.height / 2 };
  }

  function onDown(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    if (!(event.target instanceof Element) || event.target.closest('button, a')) return;
    // A mouse on a word selects text.
    if (event.pointerType === 'mouse' && event.target.closest('text')) return;
    cancelAnimationFrame(frame);
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { id: event.pointerId, x: event.clientX, y: event.clientY });
    if (fingers.size === 1) {
      start = { x: event.clientX, y: event.clientY, time: event.timeStamp, view };
      recent = [];
      mode = { name: 'open' };
      return;
    }
    if (mode.name === 'swipe') handlers.onSwipe(0);
    const [one, other] = [...fingers.values()];
    if (!one || !other || fingers.size > 2) return;
    clearTimeout(tapTimer);
    lastTap = null;
    mode = { name: 'pinch', distance: distance(one, other), middle: fromCentre(middle(one, other)), view };
  }

  function onMove(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (mode.name === 'pinch') return pinch(mode);
    if (fingers.size !== 1) return;
    const moved = { x: finger.x - start.x, y: finger.y - start.y };
    if (mode.name === 'open' && Math.hypot(moved.x, moved.y) > TAP_PX) mode = { name: meaningOf(moved, event) };
    recent = [...recent.filter((past) => event.timeStamp - past.time < RECENT_MS), { ...moved, time: event.timeStamp }];
    if (mode.name === 'swipe') handlers.onSwipe(moved.x);
    if (mode.name === 'pan') apply({ ...start.view, x: start.view.x + moved.x, y: start.view.y + moved.y });
  }

  function meaningOf(moved: Point, event: PointerEvent): 'swipe' | 'pan' | 'ignored' {
    if (isZoomed(view)) return 'pan';
    return event.pointerType !== 'mouse' && isSwipe(moved) ? 'swipe' : 'ignored';
  }

  function pinch(from: Extract<Mode, { name: 'pinch' }>): void {
    const [one, other] = [...fingers.values()];
    if (!one || !other) return;
    const now = fromCentre(middle(one, other));
    const zoomed = zoomAbout(from.view, (from.view.scale * distance(one, other)) / from.distance, from.middle);
    apply({ ...zoomed, x: zoomed.x + now.x - from.middle.x, y: zoomed.y + now.y - from.middle.y });
  }

  function onUp(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    fingers.delete(event.pointerId);
    const [left] = fingers.values();
    if (left) {
      // The remaining finger may move a zoomed page, but never turns a page.
      start = { x: left.x, y: left.y, time: event.timeStamp, view };
      recent = [];
      mode = { name: isZoomed(view) ? 'pan' : 'ignored' };
      return;
    }
    const ended = mode;
    mode = { name: 'open' };
    const isCancelled = event.type === 'pointercancel';
    const moved = { x: event.clientX - start.x, y: event.clientY - start.y };
    if (ended.name === 'swipe') {
      const by = isCancelled ? 0 : turnOf(moved, speed(event.timeStamp).x);
      if (by === 0) handlers.onSwipe(0);
      else handlers.onTurn(by, moved.x);
    }
    if (ended.name === 'pan' && !isCancelled) glide(speed(event.timeStamp));
    if (ended.name === 'open' && !isCancelled && event.timeStamp - start.time < TAP_MS) tap(event);
  }

  /**
   * Returns the speed over the last moments of a movement in pixels a millisecond; 0 for a finger that rested before it
   * was lifted.
   */
  function speed(now: number): Point {
    const [first] = recent;
    const last = recent.at(-1);
    const time = first && last ? last.time - first.time : 0;
    if (!first || !last || time <= 0 || now - last.time > RECENT_MS) return { x: 0, y: 0 };
    return { x: (last.x - first.x) / time, y: (last.y - first.y) / time };
  }

  function glide(from: Point): void {
    if (isStill()) return;
    let { x, y } = from;
    let before = performance.now();
    const step = (now: number) => {
      const time = now - before;
      before = now;
      x *= FRICTION ** time;
      y *= FRICTION ** time;
      if (Math.hypot(x, y) < SLOWEST) return;
      apply({ ...view, x: view.x + x * time, y: view.y + y * time });
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  function tap(event: PointerEvent): void {
    clearTimeout(tapTimer);
    const at = { x: event.clientX, y: event.clientY, time: event.timeStamp };
    const isDouble =
      lastTap !== null && at.time - lastTap.time < DOUBLE_TAP_MS && distance(at, lastTap) < DOUBLE_TAP_PX;
    lastTap = isDouble ? null : at;
    if (isDouble) {
      apply(isZoomed(view) ? WHOLE : zoomAbout(view, DOUBLE_TAP_SCALE, fromCentre(at)), true);
      return;
    }
    tapTimer = window.setTimeout(handlers.onTap, DOUBLE_TAP_MS);
  }

  function onWheel(event: WheelEvent): void {
    event.preventDefault();
    cancelAnimationFrame(frame);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways && !event.ctrlKey) {
      if (isZoomed(view)) apply({ ...view, x: view.x - event.deltaX * unit });
      return;
    }
    const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM));
    apply(zoomAbout(view, view.scale * factor, fromCentre({ x: event.clientX, y: event.clientY })));
  }

  /** Safari reports a trackpad's pinch with its own events; `scale` is relative to the start of the pinch. */
  function onGesture(event: Event): void {
    event.preventDefault();
    if (fingers.size > 0 || !isPinchEvent(event)) return;
    if (event.type === 'gesturestart') start = { ...start, view };
    else
      apply(zoomAbout(start.view, start.view.scale * event.scale, fromCentre({ x: event.clientX, y: event.clientY })));
  }

  const onResize = () => apply(view);
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: false };
  stage.addEventListener('pointerdown', onDown, options);
  stage.addEventListener('pointermove', onMove, options);
  stage.addEventListener('pointerup', onUp, options);
  stage.addEventListener('pointercancel', onUp, options);
  stage.addEventListener('wheel', onWheel, options);
  stage.addEventListener('gesturestart', onGesture, options);
  stage.addEventListener('gesturechange', onGesture, options);
  window.addEventListener('resize', onResize, options);

  return {
    zoomBy: (factor) => apply(zoomAbout(view, view.scale * factor, { x: 0, y: 0 }), true),
    pan: (by) => apply({ ...view, x: view.x + by.x, y: view.y + by.y }, true),
    reset: () => apply(WHOLE, true),
    leavePage() {
      cancelAnimationFrame(frame);
      clearTimeout(tapTimer);
      lastTap = null;
      const wasZoomed = isZoomed(view);
      view = WHOLE;
      placed?.style.removeProperty('transform');
      placed?.style.removeProperty('transition');
      placed = null;
      if (wasZoomed) handlers.onZoomed(false);
    },
    stop() {
      listening.abort();
      clearTimeout(tapTimer);
      cancelAnimationFrame(frame);
    },
  };
}

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
const middle = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** The fields of Safari's GestureEvent that are used here; no other browser has it. */
function isPinchEvent(event: Event): event is Event & Point & { scale: number; clientX: number; clientY: number } {
  return 'scale' in event && typeof event.scale === 'number' && 'clientX' in event && 'clientY' in event;
}
