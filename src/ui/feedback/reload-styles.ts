/** Loads the style sheets of the page again that could not be loaded: Vite asks for each of them once. A lazily loaded chunk. */
export async function reloadFailedStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const loaded = new Set(links.filter(isLoaded).map(({ href }) => href));
  const failed = new Set(links.map(({ href }) => href).filter((href) => !loaded.has(href)));
  await Promise.all([...failed].map(loadStyle));
}

/** The build writes no empty style sheet. */
function isLoaded({ sheet }: HTMLLinkElement): boolean {
  try {
    return (sheet?.cssRules.length ?? 0) > 0;
  } catch {
    // The rules of a failed sheet are those of another origin.
    return false;
  }
}

function loadStyle(href: string): Promise<Event> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = resolve;
    link.onerror = () => reject(new Error(`unable to preload CSS for ${href}`));
    document.head.append(link);
  });
}
