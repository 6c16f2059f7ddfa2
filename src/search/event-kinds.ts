/** Endings that name a kind of event or place: 摄影 of 摄影展. 世界杯 is about something else than 世界. */
const KIND = /^(.{2,})(?:展|会|节|店|馆|秀|季|日|周|赛)$/u;
/** A day of people is not about these people: 护士节, 父亲节, 教师节. */
const DAY_OF_PEOPLE = /[人师士亲员生神王者妈爸友工军警兵棍]节$/u;

export const isDayOfPeople = (word: string): boolean => DAY_OF_PEOPLE.test(word);

/** 黄金周 is a week of holidays, and not about gold. */
const IDIOMS: ReadonlySet<string> = new Set(['黄金周']);

/** Returns what an event or place of some kind is about (摄影 of 摄影展); null for a word that names no such kind, a day of people, or an idiom. */
export const subjectOfKind = (word: string): string | null =>
  isDayOfPeople(word) || IDIOMS.has(word) ? null : (KIND.exec(word)?.[1] ?? null);
