/** Days that events are planned for. A library may have nothing for one of them and a lot for others. */
const FESTIVALS =
  /春节|新年|元旦|跨年|元宵|除夕|年货|清明|端午|七夕|中元|中秋|国庆|重阳|腊八|冬至|圣诞|平安夜|万圣|感恩|复活节|五一|六一|五四|七一|八一|十一黄金周|双十一|双11|双十二|双12|618|520|情人节|女神节|妇女节|三八|母亲节|父亲节|儿童节|劳动节|青年节|教师节|护士节|植树节|读书日|光棍节/;

/** The theme whose documents come nearest to a search that found nothing: that of festivals for a festival, else none. */
export function nearestTheme<T extends { name: string }>(searchKey: string, themes: readonly T[]): T | null {
  if (!FESTIVALS.test(searchKey)) return null;
  return themes.find((theme) => theme.name.includes('节日')) ?? null;
}
