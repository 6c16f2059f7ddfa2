const LABEL =
  '(?:(?:联系|咨询|服务|招商)?(?:电话|热线|手机|邮箱|方式)|tel|phone|mobile|e-?mail|mail|t|m|e)(?:\\s*[:：.])?\\s*';
const NUMBER = [
  // Mobile numbers, with the groups in which they are written.
  '(?:\\+?86[-\\s]?)?1[3-9]\\d[-\\s]?\\d{4}[-\\s]?\\d{4}',
  '(?:\\(0\\d{2,3}\\)|（0\\d{2,3}）|0\\d{2,3}[-\\s—])\\s?\\d{7,8}(?:\\s?[-转]\\s?\\d{1,5})?',
  '[48]00[-\\s]?\\d{3}[-\\s]?\\d{4}|[48]00[-\\s]\\d{4}[-\\s]\\d{3}',
].join('|');
const DOMAIN = '[\\w-]+(?:\\.[\\w-]+)+';
// Without the beginning each letter of a text without spaces would begin a search to the end of the text.
const MAIL = `(?<![\\w.+-])[\\w.+-]+@${DOMAIN}`;
// For the same reason an address that follows a number without a space is searched for in 64 characters, the maximum of RFC 5321.
const MAIL_BEHIND_NUMBER = `[\\w.+-]{1,64}@${DOMAIN}`;
const CONTACT = new RegExp(
  `(?:(?<![a-z\\d])${LABEL})?(?:${MAIL}|(?<![\\d.])(?:${NUMBER})(?![\\d.]\\d|\\d)(?:${MAIL_BEHIND_NUMBER})?)`,
  'giu',
);

/** Returns text without telephone numbers and mail addresses: covers name the people who wrote a deck, and excerpts are public. */
export const withoutContacts = (text: string): string => text.replace(CONTACT, ' ').replace(/ {2,}/g, ' ');
