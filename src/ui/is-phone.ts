/** True for a small screen or a touch screen: it has an on-screen keyboard, and no second window beside the first. */
export const isPhone = (): boolean => window.matchMedia('(max-width: 767px), (pointer: coarse)').matches;
