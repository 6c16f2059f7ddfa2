/** At most so many pages of a document are shown before it is downloaded (§9). */
export const PREVIEW_PAGES = 10;
