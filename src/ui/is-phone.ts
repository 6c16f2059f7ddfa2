/** A small screen, or one that is used by fingers: a keyboard on the screen, and no second window beside the first. */
export const isPhone = (): boolean => window.matchMedia('(max-width: 767px), (pointer: coarse)').matches;
