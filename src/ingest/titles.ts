const FALLBACK = '未命名方案';
const MAX_CHARACTERS = 120;

/**
 * A title from a file's name: extension, copy marks, version and download marks dropped, separators turned into spaces.
 * "2024中秋_活动方案(1).pptx" → "2024中秋 活动方案". Never empty.
 */
export function titleOfFile(fileName: string): string {
  const bare = fileName
    .normalize('NFKC')
    .replace(/\.(pptx|ppt|pdf|pps|ppsx)$/i, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[_+]+/g, ' ')
    .replace(/\s*(\(\d+\)|-\s*副本|副本|copy)\s*$/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...(bare || FALLBACK)].slice(0, MAX_CHARACTERS).join('');
}
