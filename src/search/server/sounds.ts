import { pinyin } from 'pinyin-pro';

/** How each character of a Han text is read there, without tones: 小红书 → xiao, hong, shu (lü as lv). */
export function soundsOf(han: string): string[] {
  return pinyin(han, { toneType: 'none', type: 'array', v: true });
}
