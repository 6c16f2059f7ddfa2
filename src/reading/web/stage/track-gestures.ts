import { createWheelTurns } from './wheel-turns.ts';
import {
  clampView,
  DOUBLE_TAP_SCALE,
  isSwipe,
  isZoomed,
  maxScale,
  stepFrom,
  TAP_PX,
  turnOf,
  WHOLE,
  widthScale,
  zoomAbout,
} from './zoom.ts';
import type { Point, View, Zoom } from './zoom.ts';

const DOUBLE_TAP_MS = 280;
const DOUBLE_TAP_PX = 32;
const TAP_MS = 400;
/** Age in milliseconds of the movements that count for the speed of a finger. */
const RECENT_MS = 80;
/** Factor by which the speed of a thrown page shrinks each millisecond. */
const FRICTION = 0.995;
const SLOWEST = 0.03;
/** A trackpad's pinch arrives as a wheel with ctrl and moves in small steps; a wheel's notch is one large step. */
const PINCH_ZOOM = 0.012;
const NOTCH_PX = 100;
const NOTCH_ZOOM = 0.0035;
const LINE_PX = 16;
/** A page that has not moved this long is at rest: the browser draws it sharp, and its zoom is reported. */
const REST_MS = 220;
/** Part of the stage's height by which the space key moves a page that is wider than high. */
const SCROLL_ON = 0.85;

type GestureHandlers = {
  /** The element that is zoomed: the page shown. Null at the end of the preview. */
  page: () => HTMLElement | null;
  /** Called while a swipe drags the page aside, with the distance in pixels; 0 when the page springs back. */
  onSwipe: (moved: number) => void;
  /** Called when a swipe or the wheel turns the page; `moved` as in onSwipe, 0 for the wheel. */
  onTurn: (by: -1 | 1, moved: number) => void;
  /** Called on a single tap or click on the page or beside it. */
  onTap: () => void;
  /** Called when the zoom has changed: at once when the page becomes larger than whole or whole again, else at rest. */
  onZoom: (zoom: Zoom) => void;
};

export type Gestures = {
  /** Goes to the next larger (1) or smaller (-1) step, around the centre of the stage. */
  step: (by: 1 | -1) => void;
  /** Zooms to a scale, around the centre of the stage. */
  zoomTo: (scale: number) => void;
  /** Shows the whole page, or the page from its top at the width of the stage. */
  fit: (to: 'page' | 'width') => void;
  pan: (by: Point) => void;
  /** Moves a page that fits the width on by most of the stage's height. Returns false at the page's end, and for other pages. */
  scrollOn: (by: 1 | -1) => boolean;
  /** To be called before another page is shown: both pages are reset to their full view at once. */
  leavePage: () => void;
  /** To be called when a page is shown, and when its size is known: a page after one that fitted the width does so too. */
  enterPage: () => void;
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
 * Handles pinch, double tap, pan with momentum, wheel and swipe on one stage. A page turns by one finger that moves
 * mostly sideways, where the page itself cannot move sideways, and by the wheel at the page's upper and lower edge; the
 * wheel with ctrl zooms. No library was found that handles zoom and swipe on one surface without conflicts.
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
  let restTimer = 0;
  let fit: Zoom['fit'] = 'page';
  /** The edge at which the next page that fits the width is shown: a wheel that goes back comes to the lower edge. */
  let entersAt: 'top' | 'bottom' = 'top';
  const wheelTurns = createWheelTurns();
  const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

  function apply(next: View, isSmooth = false): void {
    const page = handlers.page();
    if (!page) return;
    placed = page;
    const wasZoomed = isZoomed(view);
    view = clampView(next, pageSize(page), sizeOf(stage));
    if (!isZoomed(view) && fit === null) fit = 'page';
    page.style.transition = isSmooth && !isStill() ? 'transform 180ms ease-out' : 'none';
    // Only while it moves: Chromium enlarges the pixels of such an element instead of drawing it again.
    page.style.willChange = 'transform';
    page.style.transform = isZoomed(view) ? `translate(${view.x}px, ${view.y}px) scale(${view.scale})` : '';
    clearTimeout(restTimer);
    restTimer = window.setTimeout(() => {
      page.style.removeProperty('will-change');
      tell();
    }, REST_MS);
    if (wasZoomed !== isZoomed(view)) tell();
  }

  const tell = () => handlers.onZoom({ scale: view.scale, fit });

  /** Applies a scale that the reader chose. */
  function applyScale(scale: number, at: Point, isSmooth = false): void {
    const page = handlers.page();
    if (!page) return;
    fit = null;
    apply(zoomAbout(view, scale, at, maxScale(pageSize(page), sizeOf(stage))), isSmooth);
  }

  function applyFit(to: 'page' | 'width', isSmooth: boolean, edge: 'top' | 'bottom' = 'top'): void {
    const page = handlers.page();
    if (!page) return;
    fit = to;
    const far = edge === 'top' ? Number.MAX_SAFE_INTEGER : -Number.MAX_SAFE_INTEGER;
    apply(to === 'page' ? WHOLE : { scale: widthScale(pageSize(page), sizeOf(stage)), x: 0, y: far }, isSmooth);
    // On a page whose whole width is shown anyway, nothing was applied that would tell.
    tell();
  }

  /** Moves the page; returns whether it moved. */
  function move(by: Point, isSmooth = false): boolean {
    const before = view;
    apply({ ...view, x: view.x + by.x, y: view.y + by.y }, isSmooth);
    return before.x !== view.x || before.y !== view.y;
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
    if (isZoomed(view) && !(fit === 'width' && isSwipe(moved))) return 'pan';
    return event.pointerType !== 'mouse' && isSwipe(moved) ? 'swipe' : 'ignored';
  }

  function pinch(from: Extract<Mode, { name: 'pinch' }>): void {
    const [one, other] = [...fingers.values()];
    const page = handlers.page();
    if (!one || !other || !page) return;
    const now = fromCentre(middle(one, other));
    const scale = (from.view.scale * distance(one, other)) / from.distance;
    const zoomed = zoomAbout(from.view, scale, from.middle, maxScale(pageSize(page), sizeOf(stage)));
    fit = null;
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
    if (isDouble && isZoomed(view)) return applyFit('page', true);
    if (isDouble) return applyScale(DOUBLE_TAP_SCALE, fromCentre(at), true);
    tapTimer = window.setTimeout(handlers.onTap, DOUBLE_TAP_MS);
  }

  function onWheel(event: WheelEvent): void {
    event.preventDefault();
    cancelAnimationFrame(frame);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const moved = { x: -event.deltaX * unit, y: -event.deltaY * unit };
    if (event.ctrlKey) {
      const rate = Math.abs(moved.y) >= NOTCH_PX ? NOTCH_ZOOM : PINCH_ZOOM;
      return applyScale(view.scale * Math.exp(moved.y * rate), fromCentre({ x: event.clientX, y: event.clientY }));
    }
    if (isZoomed(view) && move(moved)) return wheelTurns.spend(event.timeStamp);
    if (isZoomed(view) && fit !== 'width') return;
    if (Math.abs(moved.x) > Math.abs(moved.y)) return;
    const by = wheelTurns.turnOf(-moved.y, event.timeStamp);
    if (by === 0) return;
    entersAt = by === 1 ? 'top' : 'bottom';
    handlers.onTurn(by, 0);
    // Where no page follows, none has entered.
    entersAt = 'top';
  }

  /** Safari reports a trackpad's pinch with its own events; `scale` is relative to the start of the pinch. */
  function onGesture(event: Event): void {
    event.preventDefault();
    if (fingers.size > 0 || !isPinchEvent(event)) return;
    if (event.type === 'gesturestart') start = { ...start, view };
    else applyScale(start.view.scale * event.scale, fromCentre({ x: event.clientX, y: event.clientY }));
  }

  const listening = new AbortController();
  const options = { signal: listening.signal, passive: false };
  stage.addEventListener('pointerdown', onDown, options);
  stage.addEventListener('pointermove', onMove, options);
  stage.addEventListener('pointerup', onUp, options);
  stage.addEventListener('pointercancel', onUp, options);
  stage.addEventListener('wheel', onWheel, options);
  stage.addEventListener('gesturestart', onGesture, options);
  stage.addEventListener('gesturechange', onGesture, options);
  // The stage also changes its size when a panel beside it opens.
  const resized = new ResizeObserver(() => (fit === 'width' ? applyFit('width', false) : apply(view)));
  resized.observe(stage);

  return {
    step: (by) => applyScale(stepFrom(view.scale, by), CENTRE, true),
    zoomTo: (scale) => applyScale(scale, CENTRE, true),
    fit: (to) => applyFit(to, true),
    pan: (by) => void move(by, true),
    scrollOn: (by) => fit === 'width' && move({ x: 0, y: -by * stage.clientHeight * SCROLL_ON }, true),
    leavePage() {
      cancelAnimationFrame(frame);
      clearTimeout(tapTimer);
      clearTimeout(restTimer);
      lastTap = null;
      const wasZoomed = isZoomed(view);
      view = WHOLE;
      for (const name of ['transform', 'transition', 'will-change']) placed?.style.removeProperty(name);
      placed = null;
      if (fit === 'width') return;
      fit = 'page';
      if (wasZoomed) tell();
    },
    enterPage() {
      if (fit === 'width') applyFit('width', false, entersAt);
    },
    stop() {
      listening.abort();
      resized.disconnect();
      clearTimeout(tapTimer);
      clearTimeout(restTimer);
      cancelAnimationFrame(frame);
    },
  };
}

const CENTRE: Point = { x: 0, y: 0 };
const pageSize = (page: HTMLElement) => ({ width: page.offsetWidth, height: page.offsetHeight });

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
const middle = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** The fields of Safari's GestureEvent that are used here; no other browser has it. */
function isPinchEvent(event: Event): event is Event & Point & { scale: number; clientX: number; clientY: number } {
  return 'scale' in event && typeof event.scale === 'number' && 'clientX' in event && 'clientY' in event;
}
