import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';

type Options = {
  /** Leaves the scroll position as it is. */
  preventScrollReset?: boolean;
  /** Replaces the current history entry. By default only a link to the current address does. */
  replace?: boolean;
};

/**
 * Returns an onClick for an element around many plain links (`<a href>`) to pages of the site: a click that the browser would follow in
 * this tab navigates without loading the document, like React Router's Link. Each Link runs a dozen hooks while the server renders it,
 * and a page of results has a hundred and fifty links. Enter on a link is a click.
 */
export function useLinkClicks({ preventScrollReset = false, replace }: Options = {}): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isFollowedHere(link, event)) return;
    event.preventDefault();
    const { pathname, search, hash } = window.location;
    const to = link.pathname + link.search + link.hash;
    void navigate(to, { preventScrollReset, replace: replace ?? to === pathname + search + hash });
  };
}

function isFollowedHere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const isHere = link.target === '' || link.target === '_self';
  return isPlain && isHere && !link.hasAttribute('download') && link.origin === window.location.origin;
}
