import { useEffect, useState } from 'react';

/** Returns the id of the section being read, of `ids` in page order: the last whose top has passed the upper third. */
export function useCurrentSection(ids: readonly string[]): string {
  const key = ids.join(' ');
  const [current, setCurrent] = useState(ids[0] ?? '');
  useEffect(() => {
    const all = key.split(' ').filter(Boolean);
    let frame = 0;
    const update = () => {
      frame = 0;
      const line = window.innerHeight / 3;
      const passed = all.findLast(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < line,
      );
      // At the end of the page the last section is the current one, even when it is short.
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      setCurrent((isAtEnd && window.scrollY > 0 ? all.at(-1) : passed) ?? all[0] ?? '');
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    update();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [key]);
  return current;
}
