/**
 * Words that people put beside a number when a password needs a letter and a digit. They are taken from the well-known
 * lists of leaked passwords, as far as C-70 would accept those. Compared without case.
 */
const WORDS = new Set(
  `a aa aaa aaaa ab abc abcd abcde abcdef q qq qqq qw qwe qwer qwert qwerty qwertyuiop w ww asd asdf asdfgh asdfghjkl z zx
  zxc zxcv zxcvbn zxcvbnm test qaz qazwsx wsx x xx xxx p pass passwd password passw0rd p@ssw0rd p@ssword admin administrator root
  user guest login welcome letmein iloveyou love lovely baby angel monkey dragon master shadow sunshine princess football
  baseball superman batman pokemon michael jordan charlie hello freedom whatever trustno secret changeme default
  woaini woaiwojia aini nihao wang zhang li liu chen yang mima ceshi taobao weixin wechat ceku`.split(/\s+/),
);
const NUMBERS =
  /^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+|0?1(2(3(4(5(6(7(8(90?)?)?)?)?)?)?)?)?|0987654321|987654321|87654321|7654321|654321|54321|4321|321|123123|1234512345|112233|11223344|121212|147258|147258369|159357|159753|520|521|1314|521521|5201314|1314520|7758521|(19|20)\d\d)$/;
/** Keyboard walks and similar passwords that are no word beside a number. */
const PATTERNS = new Set(
  `1qaz2wsx 1qaz2wsx3edc qaz1wsx2 q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y zaq12wsx xsw21qaz 1a2b3c4d a1b2c3d4
  a1b2c3d4e5 aa123456aa abc123abc 123abc123 123qweasd 123qweasdzxc qwe123asd qweasd123 qweasdzxc123 qwe123qwe asd123asd
  1234qwer qwer1234qwer p@ssw0rd1 trustno1 ncc1701d`.split(/\s+/),
);

/** Returns whether a guesser tries this password first. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  // A sign at the end does not make a password strong: `Password1!`.
  const plain = text.replace(/[^a-z0-9]+$/, '');
  if (PATTERNS.has(text) || PATTERNS.has(plain)) return true;
  // An operator may set a password without a letter: dates, phone numbers and the like are tried first.
  if (/^\d+$/.test(plain) || isRun(text) || isRun(plain)) return true;
  const [, before = '', word = '', after = ''] = /^(\d*)([^\d]+?|.*?[^\d])[._@#-]?(\d*)$/.exec(plain) ?? [];
  const isOneLetter = /^([a-z])\1*$/.test(word);
  if (!isOneLetter && !WORDS.has(word)) return false;
  const isCommon = (number: string) => number === '' || NUMBERS.test(number);
  return isCommon(before) && isCommon(after);
}

/** Returns whether each character is the one before, or its neighbour in one direction: `........`, `abcdefgh`. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  return (
    codes.length > 1 &&
    Math.abs(step) <= 1 &&
    codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step)
  );
}
