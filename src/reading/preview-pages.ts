/** Maximum number of pages that are shown before a download (§9). */
export const PREVIEW_PAGES = 10;
