/** Said once by the page when React has taken it over. */
const READY = 'ceku:ready';

/**
 * Script that runs before the first paint. A button that is pressed before the page's scripts are there would do nothing: it is pressed again when they
 * are, if nothing else was pressed or sent after it. Links and the buttons of forms work without scripts and are left alone.
 */
export const EARLY_CLICKS_SCRIPT = `{let last;const note=e=>{last=e.type==='click'?e.target.closest?.('button[type=button]'):null};addEventListener('click',note);addEventListener('submit',note);addEventListener('${READY}',()=>{removeEventListener('click',note);removeEventListener('submit',note);if(last?.isConnected)last.click()},{once:true})}`;

/** Presses the button again that was pressed before the scripts arrived. Only in the browser, when the page is hydrated. */
export function repeatEarlyClick(): void {
  window.dispatchEvent(new Event(READY));
}
