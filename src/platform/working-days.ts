import chineseDays from 'chinese-days';

/**
 * Returns the day that is `count` working days after `day`, both YYYY-MM-DD: the day itself does not count. Weekends, public holidays and
 * the weekend days that are worked in their place are those that the State Council announced, as far as the release of chinese-days knows
 * them; of a later year only weekends are free, so that a day falls too early rather than too late.
 */
export const workingDayAfter = (day: string, count: number): string => chineseDays.findWorkday(count, day);

/** Returns how many working days are left after `today` until `day`, that day included; 0 on the day itself and later. Both YYYY-MM-DD. */
export function workingDaysLeft(today: string, day: string): number {
  return today >= day ? 0 : chineseDays.getWorkdaysInRange(today, day).filter((date) => date > today).length;
}
